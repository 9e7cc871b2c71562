/** Prisma over SQLite, where the statements of all requests share one connection: a write neither waits for them nor undoes them. */
import { randomUUID } from 'node:crypto';
import { prismaRows, rowStore } from '../../lib/rows';
import { Prisma, type PrismaClient } from './generated/sqlite/client';
import { describeOver, openDatabase, type TestDatabase } from './support/databases';
import { openSqliteClient } from './support/prisma';
import { write } from './support/written';

const columns = { title: 'string', age: 'integer?', done: 'boolean', facts: 'json', due: 'date?' } as const;
const first = { title: 'a', age: 0, done: false, facts: { a: [1] }, due: '2026-11-29T00:00:00.000Z' };

describeOver.SQLite('Prisma over SQLite', () => {
  let database: TestDatabase;
  let prisma: PrismaClient;
  const statements: string[] = [];
  beforeAll(async () => {
    database = await openDatabase('SQLite');
    prisma = openSqliteClient(database.url);
  });
  afterAll(async () => {
    await prisma.$disconnect();
    await database.close();
  });
  beforeEach(() => (statements.length = 0));

  const openStore = (dbNull = true) => {
    // Which of the client's functions run, by an extension, as an app has them.
    const seen = prisma.$extends({
      query: {
        $allOperations: ({ operation, args, query }) => {
          statements.push(operation);
          return query(args);
        },
      },
    });
    const client = new Proxy(seen, {
      get: (target, name) => {
        if (name === '$transaction') statements.push('$transaction');
        return Reflect.get(target, name) as unknown;
      },
    });
    return rowStore({
      ...prismaRows(client, 'note', dbNull ? { dbNull: Prisma.DbNull } : {}),
      ...{ columns, key: 'slug', outcomes: 'outcomes' },
    });
  };

  test('a change of exact columns is one UPDATE, and so are a creation and a deletion', async () => {
    const store = openStore();
    const slug = randomUUID();
    await prisma.note.create({ data: { ...first, slug, due: new Date(first.due) } });
    const seen = await store.get(slug);
    statements.length = 0;
    const changed = await write(store, slug, seen, { ...first, title: 'b', age: 1, done: true });
    expect(changed.value).toEqual({ ...first, title: 'b', age: 1, done: true });
    expect(statements).toEqual(['update', 'findFirst']);
    statements.length = 0;
    expect(await store.delete(slug, '', { current: changed })).toBe(true);
    expect(statements).toEqual(['delete']);
  });

  test('on the condition of every column, outcomes included', async () => {
    const store = openStore();
    const slug = randomUUID();
    const made = await write(store, slug, null, first);
    const others: readonly object[] = [
      { title: 'x' },
      { age: null },
      { facts: { a: [2] } },
      { due: null },
      { outcomes: '[]' },
    ];
    for (const data of others) {
      const seen = await store.get(slug);
      await prisma.note.update({ where: { slug }, data });
      const result = await store.replace(slug, '', { ...first, done: true }, { current: seen as never });
      expect([data, result]).toEqual([data, { current: await store.get(slug) }]);
      expect(await store.delete(slug, '', { current: seen as never })).toEqual({
        current: await store.get(slug),
      });
    }
    expect(made.value).toEqual(first);
  });

  test.each([{ dbNull: true }, { dbNull: false }])(
    'a Json column that is NULL, with DbNull: $dbNull',
    async ({ dbNull }) => {
      const nullable = { title: 'string', extra: 'json?' } as const;
      const options = dbNull ? { dbNull: Prisma.DbNull } : {};
      const store = rowStore({ ...prismaRows(prisma, 'note', options), columns: nullable, key: 'slug' });
      const slug = randomUUID();
      await prisma.note.create({ data: { slug, title: 'a' } });
      const seen = await store.get(slug);
      expect((await write(store, slug, seen, { title: 'b', extra: null })).value).toEqual({
        title: 'b',
        extra: null,
      });
      await prisma.note.update({ where: { slug }, data: { extra: 1 } });
      const result = await store.replace(slug, '', { title: 'c', extra: null }, { current: seen as never });
      expect(result).toEqual({ current: await store.get(slug) });
    },
  );

  test('a date that is not spelled as Prisma writes it matches no condition: the change needs a transaction', async () => {
    const store = openStore();
    const slug = randomUUID();
    await database.sql(`INSERT INTO notes (slug, title, due) VALUES ('${slug}', 'a', '2026-11-29 10:00:00')`);
    const seen = await store.get(slug);
    const changed = await write(store, slug, seen, { ...(seen?.value as typeof first), title: 'b' });
    expect(changed.value).toMatchObject({ title: 'b', due: '2026-11-29T10:00:00.000Z' });
    expect(statements).toContain('$transaction');
  });

  test('a transaction of the app is used for each write, and its functions receive the key alone', async () => {
    const deleted: object[] = [];
    const rows = (db: Pick<PrismaClient, '$queryRawUnsafe'>) => ({
      ...prismaRows(db as PrismaClient, 'note'),
      delete: async (where: object) => {
        deleted.push(where);
        return (await prisma.note.deleteMany({ where })).count;
      },
    });
    const store = rowStore({
      ...{ ...rows(prisma), columns, key: 'slug' },
      transaction: (run) => prisma.$transaction((tx) => run(rows(tx), tx)),
    });
    const slug = randomUUID();
    const made = await write(store, slug, null, first);
    expect(await store.delete(slug, '', { current: made })).toBe(true);
    expect(deleted).toEqual([{ slug }]);
  });

  test('a write that the database refuses undoes nothing of other requests', async () => {
    const exact = { title: 'string', age: 'integer?' } as const;
    const store = rowStore({ ...prismaRows(prisma, 'note'), columns: exact, key: 'slug' });
    const first = { title: 'a', age: 0 };
    const slugs = [randomUUID(), randomUUID()] as const;
    for (const slug of slugs) await write(store, slug, null, first);
    const seen = await store.get(slugs[0]);
    const refused = async (): Promise<void> => {
      for (let times = 0; times < 50; times++) {
        const changing = store.replace(slugs[0], '', { ...first, age: 200 }, { current: seen as never });
        await expect(changing).rejects.toMatchObject({ status: 422 });
        const existing = await store.replace(slugs[0], null, first);
        expect(existing).toHaveProperty('current');
      }
    };
    let acknowledged = 0;
    const own = async (): Promise<void> => {
      for (let times = 0; times < 100; times++) {
        await prisma.note.update({ where: { slug: slugs[1] }, data: { age: { increment: 1 } } });
        acknowledged += 1;
      }
    };
    await Promise.all([refused(), own()]);
    expect((await prisma.note.findUniqueOrThrow({ where: { slug: slugs[1] } })).age).toBe(acknowledged);
  });
});
