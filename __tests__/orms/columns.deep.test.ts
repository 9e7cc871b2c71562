/** What each ORM knows of its columns, leaves to the database, and refuses: `kinds.deep.test.ts` has every kind. */
import { randomUUID } from 'node:crypto';
import { types } from 'pg';
import { type ColumnKind, prismaRows, rowStore } from '../../lib/rows';
import { openMariadbClient, openPostgresClient, openSqliteClient } from './support/prisma';
import { describeEachOrm } from './support/each-orm';
import { blocksBelow, runBlock } from './support/page';
import { write } from './support/written';

interface Kind {
  readonly column: string;
  readonly kind: ColumnKind;
}

/** Its oid, which pg does not name. */
const numericArray = 1231;

/** By the number of a type. */
interface Parsers {
  readonly getTypeParser: (oid: number) => unknown;
  readonly setTypeParser: (oid: number, parser: unknown) => void;
}
const parsers = types as Parsers;

/** Where the driver reads numeric[] as doubles. */
const roundingLists = ['Knex', 'Kysely', 'MikroORM'].map((orm) => `${orm} over PostgreSQL`);

describeEachOrm((opened, about) => {
  const storeOf = ({ column, kind }: Kind) =>
    rowStore({
      ...opened().rows,
      columns: { title: 'string', member: { kind, column } },
      key: 'slug',
    });
  const name = `${about.orm} over ${about.database}`;

  test('a write leaves the columns alone that are not listed', async () => {
    const store = storeOf({ column: 'body', kind: 'string?' });
    const slug = randomUUID();
    const made = await write(store, slug, null, { title: 'a', member: 'b' });
    await write(store, slug, made, { title: 'b', member: null });
    const rows = await opened().sql(`SELECT secret FROM notes WHERE slug = '${slug}'`);
    expect(rows).toEqual([{ secret: 'hidden' }]);
  });

  test('a serial id is the key, by its name', async () => {
    const slug = randomUUID();
    await write(storeOf({ column: 'body', kind: 'string?' }), slug, null, { title: 'a', member: null });
    const rows = await opened().sql(`SELECT id FROM notes WHERE slug = '${slug}'`);
    const id = Number((rows as { id: unknown }[])[0]?.id);
    const store = rowStore({
      ...opened().rows,
      columns: { id: { kind: 'integer', readOnly: true }, title: 'string' },
      key: 'id',
    });
    const made = await store.get(String(id));
    expect(made?.value).toEqual({ id, title: 'a' });
    const changed = await write(store, String(id), made, { id, title: 'b' });
    expect(changed.value).toEqual({ id, title: 'b' });
    for (const other of [`0${id}`, `${id}.0`, 'x', '']) expect(await store.get(other)).toBeUndefined();
    expect(await store.delete(String(id), '', { current: changed })).toBe(true);
  });

  test('a creation leaves to the database what is left out', async () => {
    const store = storeOf({ column: 'facts', kind: 'json' });
    const made = await write(store, randomUUID(), null, { title: 'a' } as never);
    expect(made.value).toEqual({ title: 'a', member: {} });
  });

  test('a misspelt column is found when the store is made, where the ORM knows its columns', () => {
    const opening = () => storeOf({ column: 'slog', kind: 'string' });
    if (['Knex', 'Kysely'].includes(about.orm)) expect(opening).not.toThrow();
    else
      expect(opening).toThrow(
        "columns.member.column: 'slog' is not a column that the ORM knows. Did you mean 'slug'?",
      );
  });

  test("version: 'xmin' is for the builders on PostgreSQL, and a mistake elsewhere", async () => {
    const opening = () =>
      rowStore({ ...opened().rows, columns: { title: 'string' }, key: 'slug', version: 'xmin' });
    if (about.database !== 'PostgreSQL' || !['Drizzle', 'Knex', 'Kysely'].includes(about.orm)) {
      expect(opening).toThrow("version: 'xmin' needs an UPDATE that returns the row");
      return;
    }
    const slug = randomUUID();
    await opened().sql(`INSERT INTO notes (slug, title) VALUES ('${slug}', 'a')`);
    const store = opening();
    const changed = await write(store, slug, await store.get(slug), { title: 'b' });
    const [row] = await opened().sql(`SELECT title, xmin FROM notes WHERE slug = '${slug}'`);
    expect(row).toEqual({ title: 'b', xmin: changed.version });
  });

  if (about.database === 'PostgreSQL' && !roundingLists.includes(name)) {
    test('a list of decimals is read exactly', async () => {
      const store = storeOf({ column: 'prices', kind: 'decimal[]' });
      const exact = ['12345678901234567890.123456789', '0.0000001', '1000000000000000000000'];
      const slug = randomUUID();
      const made = await write(store, slug, null, { title: 'a', member: exact });
      expect(made.value.member).toEqual(exact);
      expect(await store.get(slug)).toEqual(made);
    });
  }

  if (roundingLists.includes(name)) {
    test('a list of decimals is not read from doubles, nor written, and is exact with the type parser of the page', async () => {
      const store = storeOf({ column: 'prices', kind: 'decimal[]' });
      const slug = randomUUID();
      const exact = '12345678901234567890.123';
      const inTable = async () =>
        (await opened().sql(`SELECT prices::text FROM notes WHERE slug = '${slug}'`))[0]?.['prices'];
      await expect(store.replace(slug, null, { title: 'a', member: [exact] })).rejects.toMatchObject({
        status: 422,
        cause: { code: 'PATCH_OPTIONS_COLUMN_VALUE' },
      });
      expect(await store.get(slug)).toBeUndefined();

      await opened().sql(`INSERT INTO notes (slug, title, prices) VALUES ('${slug}', 'a', '{${exact}}')`);
      const cannotBeShown = {
        code: 'PATCH_OPTIONS_COLUMN_VALUE',
        message: expect.stringContaining('The column prices') as unknown,
      };
      await expect(store.get(slug)).rejects.toMatchObject(cannotBeShown);
      await expect(store.delete(slug)).resolves.toBe(true);
      await opened().sql(`INSERT INTO notes (slug, title, prices) VALUES ('${slug}', 'a', '{${exact}}')`);
      const asDoubles = parsers.getTypeParser(numericArray);
      try {
        runBlock(blocksBelow('columns', 'Lists', 'ts')[0] ?? '', {}, 'numericArray');
        const seen = await store.get(slug);
        expect(seen?.value.member).toEqual([exact]);
        await write(store, slug, seen, { title: 'a', member: [exact, '0.10'] });
        expect(await inTable()).toBe(`{${exact},0.10}`);
      } finally {
        parsers.setTypeParser(numericArray, asDoubles);
      }
    });
  }

  const refusals: readonly {
    column: string;
    kind: ColumnKind;
    member: unknown;
    except?: readonly string[];
  }[] = [
    { column: 'state', kind: 'string?', member: 'nope' },
    { column: 'age', kind: 'string?', member: 'x' },
    { column: 'uid', kind: 'string?', member: 'x', except: ['MariaDB'] },
    { column: 'price', kind: 'string?', member: 'x' },
    ...(about.orm === 'Prisma'
      ? ([
          { column: 'state', kind: 'integer?', member: 7 },
          { column: 'tags', kind: 'string?[]', member: ['a', null], except: ['MariaDB'] },
        ] as const)
      : []),
  ];
  if (about.database !== 'SQLite') {
    test.each(refusals.filter(({ except = [] }) => !except.includes(about.database)))(
      'what the ORM or the database refuses is 422 with the pointer: $member in $column',
      async ({ column, kind, member }) => {
        const store = storeOf({ column, kind });
        const slug = randomUUID();
        const refusal = { status: 422, problem: { errors: [{ pointer: '/member' }] } };
        await expect(store.replace(slug, null, { title: 'a', member })).rejects.toMatchObject({
          status: 422,
        });
        const plain = storeOf({ column: 'body', kind: 'string?' });
        await write(plain, slug, null, { title: 'a', member: null });
        const writing = write(store, slug, await store.get(slug), { title: 'a', member });
        await expect(writing).rejects.toMatchObject(refusal);
      },
    );
  }

  if (about.orm === 'Prisma') {
    const open = {
      PostgreSQL: (url: string) => prismaRows(openPostgresClient(url), 'note'),
      MariaDB: (url: string) => prismaRows(openMariadbClient(url), 'note'),
      SQLite: (url: string) => prismaRows(openSqliteClient(url), 'note'),
    };
    test('NULL in a Json column needs Prisma.DbNull, and the error says so', async () => {
      const rows = open[about.database](opened().url);
      const store = rowStore({ ...rows, columns: { title: 'string', extra: 'json?' }, key: 'slug' });
      const slug = randomUUID();
      const made = await write(store, slug, null, { title: 'a', extra: 1 });
      await expect(write(store, slug, made, { title: 'a', extra: null })).rejects.toThrow(
        "prismaRows(prisma, 'note', { dbNull: Prisma.DbNull })",
      );
      expect(await store.get(slug)).toEqual(made);
    });
  }
});
