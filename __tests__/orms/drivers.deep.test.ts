/** Drivers and pools that a write cannot use, or cannot use yet. */
import { EntitySchema } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import { randomUUID } from 'node:crypto';
import { drizzle as overD1 } from 'drizzle-orm/d1';
import { drizzle as overMysqlProxy } from 'drizzle-orm/mysql-proxy';
import { drizzle as overPgProxy } from 'drizzle-orm/pg-proxy';
import { drizzle as overSqliteProxy } from 'drizzle-orm/sqlite-proxy';
import { setTimeout } from 'node:timers/promises';
import express from 'express';
import supertest from 'supertest';
import { mergePatch, resource } from '../../lib';
import { drizzleRows, mikroormRows, prismaRows, rowStore } from '../../lib/rows';
import { describeOver, openDatabase, type TestDatabase } from './support/databases';
import { mariadbNotes, postgresNotes, sqliteNotes } from './support/drizzle-schema';
import { openMariadbClient, openPostgresClient } from './support/prisma';
import { write } from './support/written';

const MikroormNote = new EntitySchema({
  name: 'Note',
  properties: { id: { type: 'integer', primary: true }, title: { type: 'text' } },
});

const nothing = () => Promise.resolve({ rows: [] });

/** Their packages are not installed here: Drizzle knows its classes by this name. */
function createDatabase(kind: string) {
  class Database {
    select = nothing;
    update = nothing;
    insert = nothing;
    delete = nothing;
    transaction = nothing;
  }
  Object.defineProperty(Database, Symbol.for('drizzle:entityKind'), { value: kind });
  return new Database();
}

test.each([
  { driver: 'd1', db: overD1({} as never), table: sqliteNotes },
  { driver: 'pg-proxy', db: overPgProxy(nothing), table: postgresNotes },
  { driver: 'mysql-proxy', db: overMysqlProxy(nothing), table: mariadbNotes },
  { driver: 'sqlite-proxy', db: overSqliteProxy(nothing), table: sqliteNotes },
  { driver: 'neon-http', db: createDatabase('NeonHttpDatabase'), table: postgresNotes },
  { driver: 'xata-http', db: createDatabase('XataHttpDatabase'), table: postgresNotes },
])('Drizzle over $driver, which has no transactions, is a mistake at the start', ({ driver, db, table }) => {
  expect(() => drizzleRows(db, table)).toThrow(
    `uses ${driver}, which has no transactions, so a row cannot be locked until it is written`,
  );
});

describe('the version of a real client', () => {
  const prisma = openPostgresClient('postgresql://not-used');
  const tooOld = (client: object) => Object.defineProperty(client, '_clientVersion', { value: '5.22.0' });

  test('is found, and is one that is taken', () => {
    expect(Reflect.get(prisma, '_clientVersion')).toMatch(/^(?:6\.19|7)\./);
    expect(prismaRows(prisma, 'note')).toHaveProperty('save');
    expect(prismaRows(prisma.$extends({}), 'note')).toHaveProperty('save');
  });

  test('is also that of a client with extensions', () => {
    const extended = tooOld(openPostgresClient('postgresql://not-used')) as typeof prisma;
    expect(() => prismaRows(extended.$extends({}), 'note')).toThrow(
      'is Prisma 5.22.0. Use Prisma 6.19 or later.',
    );
  });
});

describe('MikroORM without transactions', () => {
  const open = (disableTransactions: boolean) =>
    MikroORM.initSync({
      ...{
        clientUrl: 'postgresql://not-used/not-used',
        entities: [MikroormNote],
        connect: false,
        disableTransactions,
      },
    });
  const message =
    'begins no transactions, so a row cannot be locked until it is written. ' +
    'Leave out disableTransactions in MikroORM.init(), and ignoreNestedTransactions in em.transactional().';

  test('is a mistake at the start, also in a fork', () => {
    const { em } = open(true);
    expect(() => mikroormRows(em, 'Note')).toThrow(message);
    expect(() => mikroormRows(em.fork(), 'Note')).toThrow(message);
    expect(mikroormRows(open(false).em, 'Note')).toHaveProperty('save');
  });

  test('is a mistake in one entity manager', () => {
    const em = open(false).em.fork({ disableTransactions: true });
    expect(() => mikroormRows(em, 'Note')).toThrow(message);
  });
});

for (const name of ['PostgreSQL', 'MariaDB'] as const) {
  describeOver[name](`Prisma over ${name}`, () => {
    let database: TestDatabase;
    // What is called here both clients have.
    const open = {
      PostgreSQL: openPostgresClient,
      MariaDB: openMariadbClient as unknown as typeof openPostgresClient,
    };
    beforeAll(async () => {
      database = await openDatabase(name);
    });
    afterAll(() => database.close());

    const columns = { title: 'string' } as const;
    const patch = (app: express.Express, slug: string) =>
      supertest(app)
        .patch(`/${slug}`)
        .set('Content-Type', 'application/merge-patch+json')
        .send(JSON.stringify({ title: 'b' }));

    test('the client of a transaction has the version of the client', async () => {
      const prisma = open[name](database.url);
      const readVersion = (client: object): unknown => Reflect.get(client, '_clientVersion');
      expect(await prisma.$transaction((tx) => Promise.resolve(readVersion(tx)))).toBe(readVersion(prisma));
      await prisma.$disconnect();
    });

    test('a pool whose connections are all in use: 503 with Retry-After, and nothing is written', async () => {
      const prisma = open[name](database.url);
      const slug = randomUUID();
      await prisma.note.create({ data: { slug, title: 'a' } });
      const store = rowStore({ ...prismaRows(prisma, 'note', { maxWait: 100 }), columns, key: 'slug' });
      const app = express();
      const note = resource(store, [mergePatch()], { key: 'slug' });
      app.patch('/:slug', note.patch);
      const seen = await store.get(slug);
      let end: (value?: unknown) => void = () => undefined;
      const over = new Promise((resolve) => (end = resolve));
      const patience = { maxWait: 60_000, timeout: 60_000 };
      let held = 0;
      const holding = Array.from({ length: 10 }, () =>
        prisma.$transaction(async (tx) => {
          await tx.note.count();
          held += 1;
          await over;
        }, patience),
      );
      while (held < 10) await setTimeout(10);
      const writing = write(store, slug, seen, { title: 'b' });
      await expect(writing).rejects.toMatchObject({
        status: 503,
        code: 'write-timeout',
        headers: { 'Retry-After': '1' },
        cause: { code: 'PATCH_OPTIONS_WRITE_TIMEOUT', cause: { code: 'P2028' } },
      });
      end();
      await Promise.all(holding);
      expect((await patch(app, slug)).status).toBe(204);
      expect((await store.get(slug))?.value).toEqual({ title: 'b' });
      await prisma.$disconnect();
    });

    test("Prisma's own timeout is an answer 503, too, and the write is rolled back", async () => {
      const prisma = open[name](database.url);
      const slug = randomUUID();
      await prisma.note.create({ data: { slug, title: 'a' } });
      let isOver = false;
      const store = rowStore({
        ...prismaRows(prisma, 'note', { timeout: 200 }),
        ...{ columns, key: 'slug' },
        onWrite: () => setTimeout(isOver ? 0 : 600),
      });
      await expect(write(store, slug, await store.get(slug), { title: 'b' })).rejects.toMatchObject({
        status: 503,
        code: 'write-timeout',
      });
      isOver = true;
      expect((await store.get(slug))?.value).toEqual({ title: 'a' });
      expect((await write(store, slug, await store.get(slug), { title: 'b' })).value).toEqual({ title: 'b' });
      await prisma.$disconnect();
    });

    test('the time limit of the store holds whatever Prisma allows', async () => {
      const prisma = open[name](database.url);
      const slug = randomUUID();
      await prisma.note.create({ data: { slug, title: 'a' } });
      const store = rowStore({
        ...prismaRows(prisma, 'note', { maxWait: 60_000, timeout: 60_000 }),
        ...{ columns, key: 'slug', timeout: 300 },
        onWrite: () => setTimeout(1_000),
      });
      await expect(write(store, slug, await store.get(slug), { title: 'b' })).rejects.toMatchObject({
        status: 503,
        cause: { code: 'PATCH_OPTIONS_WRITE_TIMEOUT' },
      });
      // The row is free again, for the app as well.
      await prisma.note.update({ where: { slug }, data: { title: 'by the app' } });
      expect((await store.get(slug))?.value).toEqual({ title: 'by the app' });
      await prisma.$disconnect();
    });
  });
}
