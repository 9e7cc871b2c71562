/** Stores of rows: keys of a form of their own, what creates nothing, and members that are columns. */
import { type ConformanceOptions, storeConformance } from '../../lib/testing';
import type { Members } from '../../lib/testing/members';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import type { VersionedState } from '../../lib/stores/contract/resource-store';
import {
  conditions,
  contents,
  context,
  declared,
  everyKey,
  members,
  names,
  outcomes,
  races,
  spelling,
  versions,
} from './case-names';
import { covering, failuresOf } from './failures';
import { byId, bySlug, RowsById, RowsBySlug, Table } from './row-stores';
import { rowTable } from './row-table';
import { RightOutcomes } from './wrong-outcome-stores';

test.each(covering(rowTable))('a store that $what fails what it breaks, and nothing else', async (row) => {
  const table = new Table();
  const found = await failuresOf(() => ({ open: () => new row.Store(table) }), row.options(table));
  expect([...found.keys()].sort()).toEqual([...row.failures].sort());
});

describe('what does not apply is skipped, with the reason', () => {
  const ofAnyKey = everyKey.filter((name) => name.startsWith('tells keys'));
  const ofCreation = [
    ...[conditions.absent, races.create, races.deletion, context.abortedCreation, versions.recreated],
    ...[members.fixedOnCreation, outcomes.deleted],
  ];
  const ofMembers = [members.fixed, members.fixedOnCreation, members.unique];
  const text = { wrap: (text: string) => ({ text }), unwrap: ({ text }: { text: string }) => text };
  const key = () => 'key';

  test.each<{ options: ConformanceOptions<never>; skipped: readonly string[] }>([
    { options: { key }, skipped: [...ofAnyKey, ...ofMembers] },
    { options: { key, creates: false }, skipped: [...ofAnyKey, ...ofCreation, ...ofMembers] },
    { options: { carrier: text as never }, skipped: [members.cleared, ...ofMembers] },
    {
      options: { carrier: { wrap: String as never, unwrap: String } },
      skipped: [members.foreign, members.cleared, ...ofMembers],
    },
    { options: { members: { fixed: { id: 1 } } }, skipped: [members.unique] },
    {
      options: { members: { unique: () => ({}) } },
      skipped: [members.fixed, members.fixedOnCreation],
    },
    {
      options: { carrier: text as never, members: { clearable: { age: 7 } } },
      skipped: ofMembers,
    },
  ])('$options', ({ options, skipped }) => {
    const cases = storeConformance(() => ({ open: () => new MemoryStore() }), options);
    expect(cases.map(({ name }) => name)).toEqual(names);
    const found = cases.flatMap(({ name, skip }) => (skip === undefined ? [] : [name]));
    expect(found.sort()).toEqual([...new Set([...skipped, ...Object.values(contents)])].sort());
  });
});

describe('what is declared wrongly is said', () => {
  async function messageOf(Store: typeof RowsById, options: ConformanceOptions<Members>, name = declared) {
    const table = new Table();
    const found = await failuresOf(() => ({ open: () => new Store(table) }), options);
    return String(found.get(name));
  }

  test('a store that creates nothing, and is not declared so', async () => {
    class CreatesNothing extends RowsBySlug {
      protected override readonly creation = () => undefined;
    }
    expect(await messageOf(CreatesNothing, bySlug())).toContain('set { creates: false }');
    const says = Object.assign(() => undefined, { options: bySlug() });
    expect(await messageOf(RowsById, says.options)).toContain('set { creates: false }');
    expect(await messageOf(RowsById, says.options, versions.recreated)).toContain('set { creates: false }');
  });

  test.each([
    { what: 'nothing is there', key: () => 'nothing', says: "returned 'nothing', but get found nothing" },
    { what: 'no text', key: () => 7 as never, says: 'returned 7. Return a string' },
  ])('a key where $what', async ({ key, says }) => {
    expect(await messageOf(RowsById, { ...byId(new Table()), key })).toContain(says);
  });

  test.each([
    {
      what: 'unique values that are the same each time',
      given: { unique: () => ({ email: 'a@b.example' }) },
      name: members.unique,
      says: "members.unique returned { email: 'a@b.example' } twice",
    },
    {
      what: 'a fixed member with the value that it has',
      given: { fixed: { changes: 1 } },
      name: members.fixed,
      says: 'changes is already 1',
    },
    {
      what: 'a clearable member with no value',
      given: { clearable: { age: null } },
      name: members.cleared,
      says: 'The member age was written, but get returned null',
    },
  ])('$what', async ({ given, name, says }) => {
    const table = new Table();
    const options = { ...byId(table), members: given };
    const found = await failuresOf(() => ({ open: () => new RowsById(table) }), options);
    expect([...found.keys()]).toEqual([name]);
    expect(String(found.get(name))).toContain(says);
  });

  test('a key that comes again, or has a resource already', async () => {
    const again = await messageOf(RowsBySlug, { ...bySlug(), key: () => 'a' }, spelling);
    expect(again).toContain("returned 'a' twice");
    const table = new Table();
    table.insert({ slug: 'a' });
    const found = await failuresOf(() => ({ open: () => new RowsBySlug(table) }), {
      ...bySlug(),
      key: () => 'a',
    });
    expect(String(found.get(declared))).toContain("returned 'a', which already has a resource");
  });
});

test('JSON of every kind, under keys of the store, of which nothing is created', async () => {
  class OfTenant extends RightOutcomes {
    readonly creates = false;

    override replace(...[key, expected, ...rest]: Parameters<RightOutcomes['replace']>) {
      return expected === null ? Promise.resolve(undefined) : super.replace(key, expected, ...rest);
    }
  }
  const engine = new MemoryStore();
  let rows = 0;
  const key = async () => {
    const id = `7/${++rows}`;
    await engine.replace(id, null, 'as it was');
    return id;
  };
  const found = await failuresOf(() => ({ open: () => new OfTenant(engine) }), { key, creates: false });
  expect([...found]).toEqual([]);
});

test('a value that can no longer be known is not asked for where several write at once', async () => {
  const fault = new Error('another has written since');
  /** As a store does that has to read what it wrote. */
  class ReadsBack extends RightOutcomes {
    override async replace(...write: Parameters<RightOutcomes['replace']>) {
      const made = await super.replace(...write);
      await new Promise(setImmediate);
      const read = await super.get(write[0]);
      if (made === undefined || read?.version === made.version) return made;
      return Object.defineProperty({ ...made }, 'value', {
        get: () => {
          throw fault;
        },
      }) as VersionedState<unknown>;
    }
  }
  const engine = new MemoryStore();
  const open = () => new ReadsBack(engine);
  const carrier = { wrap: (text: string) => ({ text }), unwrap: ({ text }: { text: string }) => text };
  expect([...(await failuresOf(() => ({ open }), { carrier }))]).toEqual([]);
});
