/** change(): read, decide, write and again, for code that is no request. */
import express from 'express';
import request from 'supertest';
import { change, MemoryStore, mergePatch, patchHandler, ProblemError, type ResourceStore } from '../../lib';
import { tableStore } from '../../lib/rows';
import { SqliteStore } from '../../lib/stores/sqlite';
import { DatabaseSync } from '../support/sqlite';

interface Note {
  readonly title: string;
  views: number;
  tags: string[];
}
const note: Note = { title: 'Milk', views: 0, tags: ['a'] };

async function memory(store = new MemoryStore<Note>()) {
  await store.replace('1', null, note);
  return store;
}

/** A store in which others write before each of so many writes. */
class Overtaken extends MemoryStore<Note> {
  constructor(private times: number) {
    super();
  }
  override async replace(...args: Parameters<MemoryStore<Note>['replace']>) {
    const [key, expected] = args;
    if (expected !== null && this.times-- > 0) {
      const current = await this.get(key);
      if (current !== undefined)
        await super.replace(key, current.version, { ...current.value, title: 'Tea' });
    }
    return super.replace(...args);
  }
}

test.each<{
  readonly title: string;
  readonly recipe: (draft: Note) => Note | undefined;
  readonly after: Note;
}>([
  { title: 'modifies the draft', recipe: (draft) => void (draft.views += 1), after: { ...note, views: 1 } },
  { title: 'deep in it', recipe: (draft) => void draft.tags.push('b'), after: { ...note, tags: ['a', 'b'] } },
  {
    title: 'returns the draft',
    recipe: (draft) => Object.assign(draft, { views: 1 }),
    after: { ...note, views: 1 },
  },
  { title: 'returns the new value', recipe: (old) => ({ ...old, views: 1 }), after: { ...note, views: 1 } },
])('a recipe that $title', async ({ recipe, after }) => {
  const store = await memory();
  const before = await store.get('1');
  const stored = await change(store, '1', recipe);
  expect(stored).toEqual(await store.get('1'));
  expect(stored.value).toEqual(after);
  expect(stored.version).not.toBe(before?.version);
});

test.each<{ readonly title: string; readonly recipe: (draft: Note) => Note | undefined }>([
  { title: 'neither modifies nor returns anything', recipe: () => undefined },
  { title: 'returns an equal value', recipe: (old) => ({ ...old }) },
])('a recipe that $title: nothing is written', async ({ recipe }) => {
  const store = await memory();
  const before = await store.get('1');
  expect((await change(store, '1', recipe)).version).toBe(before?.version);
  expect((await store.get('1'))?.version).toBe(before?.version);
});

test.each<{ readonly title: string; readonly recipe: (draft: Note) => Note; readonly says: RegExp }>([
  {
    title: 'is not a function, but the members to change',
    recipe: { title: 'Tea' } as never,
    says: /^The recipe of change\(\) must be a function of the draft\.$/,
  },
  {
    title: 'returns a promise',
    recipe: (async () => Promise.resolve(note)) as never,
    says: /returned a promise\. It must be synchronous/,
  },
  {
    title: 'modifies and returns another value',
    recipe: ((draft: Note) => (draft.views += 1)) as never,
    says: /modified its draft and also returned another value/,
  },
  {
    title: 'throws',
    recipe: () => {
      throw new Error('its own');
    },
    says: /^its own$/,
  },
])('a recipe that $title: it rejects, and nothing is written', async ({ recipe, says }) => {
  const store = await memory();
  await expect(change(store, '1', recipe)).rejects.toThrow(says);
  expect((await store.get('1'))?.value).toEqual(note);
});

test('what others have written meanwhile stays: the recipe runs again, on the state that is current', async () => {
  const store = await memory(new Overtaken(3));
  let runs = 0;
  const { value } = await change(store, '1', (draft) => {
    runs++;
    draft.views++;
  });
  expect([value, runs]).toEqual([{ ...note, title: 'Tea', views: 1 }, 4]);
});

test('a write that the database drops is no lost race', async () => {
  const store = await memory(new MemoryStore<Note>());
  store.replace = () => Promise.resolve(undefined);
  const changing = change(store, '1', (draft) => void draft.views++);
  await expect(changing).rejects.toThrow('the resource is still in the state that was read');
});

test('a store is told what was read, so that it need not read it again', async () => {
  const store = await memory();
  const current = await store.get('1');
  const replace = jest.spyOn(store, 'replace');
  await change(store, '1', (draft) => void draft.views++);
  expect(replace.mock.calls).toEqual([['1', current?.version, { ...note, views: 1 }, { current }]]);
});

test.each(['get', 'replace'] as const)(
  'a store whose %s gives no state is named as faulty',
  async (method) => {
    const store = Object.assign(await memory(), { [method]: () => Promise.resolve({ value: note }) });
    const changing = change(store, '1', (draft) => void draft.views++);
    await expect(changing).rejects.toThrow(`${method} of the store`);
  },
);

test.each([
  {
    title: 'no such resource',
    store: () => Promise.resolve(new MemoryStore<Note>()),
    problem: { status: 404, code: 'target-not-found' },
  },
  {
    title: 'others keep changing it',
    store: () => memory(new Overtaken(Infinity)),
    problem: { status: 409, code: 'lost-race' },
  },
  {
    title: 'others keep changing it, and then delete it',
    store: async () => {
      const store = await memory();
      let lost = 0;
      store.replace = async (key) => {
        if (++lost === 16) await store.delete(key);
        return undefined;
      };
      return store;
    },
    problem: { status: 409, code: 'lost-race' },
  },
])('$title: $problem.code', async ({ store, problem }) => {
  const error: unknown = await change(await store(), '1', (draft) => void draft.views++).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ProblemError);
  expect(error).toMatchObject(problem);
});

test('what the columns of a row do not take is the refusal of the store', async () => {
  const db = new DatabaseSync(':memory:');
  db.exec(
    "CREATE TABLE n (id TEXT, views INTEGER NOT NULL, version TEXT); INSERT INTO n VALUES ('1', 0, 'v')",
  );
  const store = tableStore(db, { table: 'n', columns: { views: 'integer' }, key: 'id' });
  await expect(change(store, '1', () => ({ views: 1.5 }))).rejects.toMatchObject({
    status: 422,
    code: 'invalid-result',
  });
  expect((await change(store, '1', ({ views }) => ({ views: views + 1 }))).value).toEqual({ views: 1 });
});

describe('nothing is lost', () => {
  const incremented = (store: ResourceStore<Note>) => change(store, '1', (draft) => void draft.views++);

  test('by forty at once, beside forty requests', async () => {
    const store = await memory();
    const app = express().patch('/:id', patchHandler(store, [mergePatch()], { key: 'id' }));
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => [
        incremented(store),
        request(app)
          .patch('/1')
          .type('application/merge-patch+json')
          .send(JSON.stringify({ [`m${i}`]: i })),
      ]).flat(),
    );
    const value = (await store.get('1'))?.value;
    expect(value).toMatchObject({ views: 40 });
    expect(Object.keys(value ?? {})).toHaveLength(43);
  });

  test('by forty at once, through four stores over one table', async () => {
    const db = new DatabaseSync(':memory:');
    const stores = Array.from({ length: 4 }, () => new SqliteStore<Note>(db, { table: 'notes' }));
    await stores[0]?.setup?.();
    await stores[0]?.replace('1', null, note);
    await Promise.all(Array.from({ length: 10 }, () => stores.map(incremented)).flat());
    expect((await stores[0]?.get('1'))?.value.views).toBe(40);
  });
});
