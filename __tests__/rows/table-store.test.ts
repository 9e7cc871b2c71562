import { randomUUID } from 'node:crypto';
import express from 'express';
import { Client } from 'pg';
import request from 'supertest';
import { mergePatch, ProblemError, resource } from '../../lib';
import { storeConformance } from '../../lib/testing';
import { rowStore, tableRows, tableStore, versionTrigger, type Row, type Rows } from '../../lib/rows';
import type { Dialect } from '../../lib/rows/rows';
import { describeOver, type TestDatabase, testEngines, unmarked } from './databases';
import { isDeep } from '../support/deep-scale';
import { DatabaseSync } from '../support/sqlite';
import { testCases } from '../support/test-cases';

const ddl = {
  postgres: (table: string) => `
    CREATE TABLE ${table} (
      "id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, "slug" text NOT NULL UNIQUE, "title" text NOT NULL,
      "email" text UNIQUE, "age" integer CHECK ("age" < 200), "price" numeric(8, 2), "serial" bigint, "tags" text[],
      "extra" jsonb, "done" boolean NOT NULL DEFAULT false, "due" timestamptz,
      "createdAt" timestamptz NOT NULL DEFAULT now(), "secret" text DEFAULT 'hidden', "outcomes" text,
      "updatedAt" timestamptz, "version" text NOT NULL DEFAULT gen_random_uuid());`,
  sqlite: (table: string) => `
    CREATE TABLE ${table} (
      "id" INTEGER PRIMARY KEY AUTOINCREMENT, "slug" text NOT NULL UNIQUE, "title" text NOT NULL,
      "email" text UNIQUE, "age" integer CHECK ("age" < 200), "price" text, "serial" integer, "tags" text,
      "extra" text, "done" integer NOT NULL DEFAULT 0, "due" text,
      "createdAt" text NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')), "secret" text DEFAULT 'hidden',
      "outcomes" text, "updatedAt" text, "version" text DEFAULT (lower(hex(randomblob(16)))));`,
  // A VARBINARY tells every two keys apart.
  mysql: (table: string) => `
    CREATE TABLE ${table} (
      "id" bigint PRIMARY KEY AUTO_INCREMENT, "slug" varbinary(1024) NOT NULL UNIQUE, "title" longtext NOT NULL,
      "email" varchar(200) UNIQUE, "age" integer CHECK ("age" < 200), "price" numeric(8, 2), "serial" bigint, "tags" json,
      "extra" json, "done" boolean NOT NULL DEFAULT false, "due" datetime(3),
      "createdAt" datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3), "secret" varchar(20) DEFAULT 'hidden',
      "outcomes" longtext, "updatedAt" datetime(3), "version" varchar(36) NOT NULL DEFAULT (uuid()))`,
};

const keyType = { postgres: 'text', sqlite: 'text', mysql: 'varbinary(1024)' };

/** SQLite has no type for dates. */
const asText = (dialect: Dialect) => dialect === 'sqlite' && { as: 'iso' as const };

const columnsOf = (dialect: Dialect) =>
  ({
    title: 'string',
    email: 'string?',
    age: 'integer?',
    price: 'decimal?',
    serial: 'bigint?',
    tags: 'string[]?',
    extra: 'json?',
    done: 'boolean',
    due: { kind: 'date?', ...asText(dialect) },
    slug: { kind: 'string', readOnly: true },
    createdAt: { kind: 'date', readOnly: true, ...asText(dialect) },
  }) as const;

const declaredOver = (dialect: Dialect) => ({
  columns: columnsOf(dialect),
  ...({ key: 'slug', modified: 'updatedAt', outcomes: 'outcomes' } as const),
});

const first = {
  ...{
    title: 'Buy milk',
    email: 'a@b.example',
    age: 7,
    price: '12.50',
    serial: '9007199254740993',
    tags: ['a', 'b'],
  },
  ...{ extra: { b: [1, null], a: 'x' }, done: true, due: '2026-11-22T12:00:00.000Z' },
};

test('a misspelt column is an error also where SQLite would read its name as a text', async () => {
  const db = new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: true });
  db.exec(
    "CREATE TABLE notes (slug text, title text, version text); INSERT INTO notes VALUES ('a', 'a', 'v')",
  );
  const options = { table: 'notes', key: 'slug' } as const;
  const store = tableStore(db, { ...options, columns: { titel: 'string' } });
  await expect(store.get('a')).rejects.toMatchObject({
    code: 'PATCH_OPTIONS_MISSING_COLUMN',
    cause: expect.objectContaining({
      message: expect.stringContaining('no such column') as unknown,
    }) as unknown,
  });
  db.close();
});

describe('one connection of PostgreSQL, on which the app may have a transaction open', () => {
  const pg = new Client();
  const { query } = pg;
  test.each([
    { db: pg, what: 'a Client of pg', columns: { tags: 'string[]' }, isTaken: false },
    { db: pg, what: 'a Client of pg', columns: { tags: { kind: 'string[]?' } }, isTaken: false },
    { db: pg, what: 'a Client of pg', columns: { title: 'string' }, isTaken: true },
    { db: { query }, what: 'nothing but query()', columns: { tags: 'string[]' }, isTaken: false },
    { db: { query, connect: pg.connect }, what: 'a pool', columns: { tags: 'string[]' }, isTaken: true },
  ] as const)('$what with the columns $columns is taken: $isTaken', ({ db, columns, isTaken }) => {
    const open = () => tableStore(db, { table: 'notes', columns, key: 'slug' });
    if (isTaken) expect(open()).toBeDefined();
    else
      expect(open).toThrow(
        'is one connection of pg, on which your app may have a transaction open. Pass new Pool(): a list',
      );
  });
});

/** MySQL returns no row: here one writer at a time needs no transaction all the same. */
const passThrough = (rows: Rows) => ({
  transaction: (run: (inside: Rows, tx: unknown) => Promise<void>) => run(unmarked(rows), undefined),
});

describeOver(testEngines, 'tableStore', ({ dialect, open }) => {
  let database: TestDatabase;
  let table: string;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    table = `notes_${randomUUID().slice(0, 8)}`;
    await database.sql(ddl[dialect](table));
  });
  const openStore = () => tableStore(database.db, { table, ...declaredOver(dialect) });
  const rowOf = async (slug: string, more = '') => {
    const seen = `id, slug, title, email, age, tags, secret, version${more}`;
    const [row] = await database.sql(`SELECT ${seen} FROM ${table} WHERE slug = '${slug}'`);
    return row;
  };

  // The contract over MariaDB is among the deep tests.
  if (dialect !== 'mysql' || isDeep()) {
    describe('keeps the contract of ResourceStore', () => {
      const cases = storeConformance(
        () => ({
          open: () =>
            tableStore(database.db, {
              ...{ table, key: 'slug', modified: 'updatedAt', outcomes: 'outcomes' },
              columns: { title: 'string' },
            }),
        }),
        { carrier: { wrap: (title: string) => ({ title }), unwrap: ({ title }) => title } },
      );
      testCases(cases);
    });
  }

  test.each([
    { what: 'version', table: undefined, version: 'versoin', title: 'title' },
    { what: 'member', table: undefined, title: 'titel' },
    { what: 'table', table: 'there_is_none', title: 'title' },
  ])('a misspelt $what is told by the first request, with a code and the names', async (misspelt) => {
    const store = tableStore(database.db, {
      ...{ table: misspelt.table ?? table, key: 'slug', version: misspelt.version },
      columns: { title: { kind: 'string', column: misspelt.title } },
    });
    const error = {
      code: 'PATCH_OPTIONS_MISSING_COLUMN',
      message: expect.stringContaining(`${misspelt.version}, slug, ${misspelt.title}. Correct`) as unknown,
    };
    await expect(store.get('a')).rejects.toMatchObject(error);
    await expect(store.replace('a', 'v', { title: 'x' })).rejects.toMatchObject(error);
  });

  test('a row is made, read, changed and deleted', async () => {
    const store = openStore();
    const made = await store.replace('a', null, first as never);
    expect(made?.value).toEqual({ ...first, slug: 'a', createdAt: expect.any(String) as string });
    expect(await store.get('a')).toEqual(made);
    const changed = await store.replace('a', made?.version ?? '', {
      ...made?.value,
      title: 'Buy bread',
      tags: null,
    } as never);
    expect(changed?.value).toEqual({ ...made?.value, title: 'Buy bread', tags: null });
    expect(changed?.version).not.toBe(made?.version);
    expect(changed?.modified?.getTime()).toBeGreaterThanOrEqual(made?.modified?.getTime() ?? NaN);
    expect(await rowOf('a')).toMatchObject({ title: 'Buy bread', tags: null, secret: 'hidden' });
    expect(await store.replace('a', made?.version ?? '', made?.value as never)).toBeUndefined();
    expect(await store.delete('a', made?.version)).toBe(false);
    expect(await store.delete('a')).toBe(true);
    expect(await store.get('a')).toBeUndefined();
  });

  test.each([
    { type: 'integer', key: '007' },
    { type: 'integer', key: '8.4', only: 'mysql' },
    { type: 'char(20)', key: 'a ', only: 'mysql' },
  ])('a key that the database stores otherwise: $key as $type', async ({ type, key, only }) => {
    if (only !== undefined && only !== dialect) return;
    await database.sql(
      `CREATE TABLE keys_${table} ("id" ${type} PRIMARY KEY, "title" text, "version" varchar(36))`,
    );
    const store = tableStore(database.db, {
      ...{ table: `keys_${table}`, columns: { title: 'string' }, key: 'id' },
    } as const);
    await expect(store.replace(key, null, { title: 'x' })).rejects.toMatchObject({
      status: 422,
      code: 'invalid-key',
    });
    const kept = await database.sql(`SELECT id FROM keys_${table}`);
    expect(kept).toEqual([]); // rolled back, or deleted again
    expect((await store.replace('7', null, { title: 'x' }))?.value).toEqual({ title: 'x' });
  });

  test('a version that the database generates changes with every write, also with one that changes nothing', async () => {
    const generated = () =>
      tableStore(database.db, {
        ...{ table, columns: { title: 'string', extra: 'json?' }, key: 'slug' },
        version: { generated: dialect === 'postgres' ? 'xmin' : 'version' },
      } as const);
    if (dialect === 'mysql') {
      expect(generated).toThrow('needs an update that returns the row');
      return;
    }
    await database.sql(versionTrigger({ table, engine: dialect }));
    const store = generated();
    const made = await store.replace('a', null, { title: 'x', extra: [1] });
    const changed = await store.replace('a', made?.version ?? '', { title: 'y', extra: [1] });
    expect(changed?.value).toEqual({ title: 'y', extra: [1] });
    const same = await store.replace('a', changed?.version ?? '', { title: 'y', extra: [1] });
    expect(same?.value).toEqual({ title: 'y', extra: [1] });
    expect(new Set([made, changed, same].map((state) => state?.version)).size).toBe(3);
    expect(await store.get('a')).toEqual(same);
    expect(await store.replace('a', changed?.version ?? '', { title: 'z', extra: null })).toBeUndefined();
  });

  test('a column without a default that is not listed is a fault of the app, not of the client', async () => {
    await database.sql(`CREATE TABLE posts_${table} (
      "slug" ${keyType[dialect]} PRIMARY KEY, "title" varchar(20), "author_id" integer NOT NULL, "version" varchar(36))`);
    const store = tableStore(database.db, {
      ...{ table: `posts_${table}`, columns: { title: 'string' }, key: 'slug' },
    } as const);
    const refusal: unknown = await store.replace('a', null, { title: 'x' }).catch((error: unknown) => error);
    expect(refusal).not.toBeInstanceOf(ProblemError);
    expect(refusal).toMatchObject({ message: expect.stringContaining('author_id') as string });
  });

  // SQLite has no limits of length.
  if (dialect !== 'sqlite') {
    test.each([
      { of: 'the store', version: 'varchar(20)', title: 'x', status: undefined },
      { of: 'the client', version: 'varchar(36)', title: 'x'.repeat(21), status: 422 },
      { of: 'both', version: 'varchar(20)', title: 'x'.repeat(21), status: undefined },
    ])('a column that is too short for what comes of $of', async ({ version, title, status }) => {
      const name = `short_${table}_${version.slice(8, 10)}_${String(title.length)}`;
      await database.sql(`CREATE TABLE ${name} ("slug" ${keyType[dialect]} PRIMARY KEY, "title" varchar(20),
      "version" ${version} NOT NULL)`);
      await database.sql(`INSERT INTO ${name} VALUES ('a', 'old', 'v1')`);
      const store = tableStore(database.db, {
        ...{ table: name, columns: { title: 'string' }, key: 'slug' },
      } as const);
      const refusal: unknown = await store.replace('a', 'v1', { title }).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(Error);
      expect((refusal as ProblemError).status).toBe(status);
      expect(await store.get('a')).toMatchObject({ version: 'v1', value: { title: 'old' } });
    });
  }

  test('a row that others refer to: a 409 problem, and it stays', async () => {
    const store = openStore();
    await store.replace('a', null, first as never);
    await database.sql(`CREATE TABLE comments_${table} (
      "note" ${keyType[dialect]} NOT NULL REFERENCES ${table} ("slug")); INSERT INTO comments_${table} VALUES ('a')`);
    await expect(store.delete('a')).rejects.toMatchObject({ status: 409, code: 'still-referenced' });
    expect(await rowOf('a')).toBeDefined();
  });

  test('members that were taken out are cleared, and defaults are read back', async () => {
    const store = openStore();
    const made = await store.replace('a', null, { title: 'a' } as never);
    expect(made?.value).toMatchObject({ title: 'a', done: false, email: null, tags: null });
    const full = await store.replace('a', made?.version ?? '', { ...made?.value, age: 7 } as never);
    const { age, ...without } = full?.value ?? {};
    expect(age).toBe(7);
    expect((await store.replace('a', full?.version ?? '', without as never))?.value.age).toBeNull();
    expect(await rowOf('a')).toMatchObject({ age: null });
  });

  test.each([
    { what: 'the key', value: { slug: 'b' }, pointer: '/slug' },
    { what: 'a generated column', value: { createdAt: '2026-11-22T12:00:00Z' }, pointer: '/createdAt' },
    { what: 'the primary key', value: { id: 777 }, pointer: '/id' },
    { what: 'a column that is not named', value: { secret: 'x' }, pointer: '/secret' },
    { what: 'the version', value: { version: 'x' }, pointer: '/version' },
    { what: 'NUL', value: { title: 'a\0' }, pointer: '/title' },
    { what: 'a lone surrogate', value: { title: '\ud800' }, pointer: '/title' },
    { what: 'NULL where there is none', value: { title: null }, pointer: '/title' },
    { what: 'what a constraint refuses', value: { age: 200 }, pointer: '/age' },
  ])('$what is out of reach: 422, and nothing is written', async ({ value, pointer }) => {
    const store = openStore();
    const made = await store.replace('a', null, first as never);
    const before = await rowOf('a');
    await expect(
      store.replace('a', made?.version ?? '', { ...made?.value, ...value } as never),
    ).rejects.toMatchObject({
      status: 422,
      code: 'invalid-result',
      problem: { errors: [{ pointer }] },
    });
    expect(await rowOf('a')).toEqual(before);
  });

  test('a value that must be unique is 409, and nothing is written', async () => {
    const store = openStore();
    await store.replace('a', null, first as never);
    const other = await store.replace('b', null, { title: 'b' } as never);
    const refusal = {
      status: 409,
      code: 'unique-violation',
      problem: expect.objectContaining(dialect === 'postgres' ? { pointer: '/email' } : {}) as object,
    };
    const twice = { ...other?.value, email: first.email, title: 'of two members' };
    await expect(store.replace('b', other?.version ?? '', twice as never)).rejects.toMatchObject(refusal);
    await expect(store.replace('c', null, { title: 'c', email: first.email } as never)).rejects.toMatchObject(
      refusal,
    );
    expect(await store.get('c')).toBeUndefined();
  });

  test('what a constraint of one column refuses is named by PostgreSQL, of several members', async () => {
    await database.sql(`
      CREATE TABLE users_${table} ("id" integer PRIMARY KEY);
      CREATE TABLE posts_${table} (
        "slug" ${keyType[dialect]} PRIMARY KEY, "tenant" integer DEFAULT 1, "mail" varchar(40), "age" integer CHECK ("age" < 200),
        "author_id" integer, "version" varchar(36), UNIQUE ("tenant", "mail"),
        CONSTRAINT "author_${table}" FOREIGN KEY ("author_id") REFERENCES users_${table} ("id"))`);
    const store = tableStore(database.db, {
      ...{ table: `posts_${table}`, key: 'slug' },
      columns: { mail: 'string?', age: 'integer?', author: { kind: 'integer?', column: 'author_id' } },
    } as const);
    const none = { mail: null, age: null, author: null };
    await store.replace('a', null, { ...none, mail: 'a' });
    const made = await store.replace('b', null, none);
    const writing = (change: object) => store.replace('b', made?.version ?? '', { ...none, ...change });
    const refusal: unknown = await writing({ mail: 'a', age: 7 }).catch((error: unknown) => error);
    expect((refusal as ProblemError).problem).toMatchObject({ status: 409 });
    expect((refusal as ProblemError).problem).not.toHaveProperty('pointer');
    await expect(writing({ mail: 'a' })).rejects.toMatchObject({ problem: { pointer: '/mail' } });
    await expect(writing({ mail: 'b', age: 200 })).rejects.toMatchObject({
      status: 422,
      problem: { errors: [dialect === 'postgres' ? { pointer: '/age' } : {}] },
    });
    await expect(writing({ author: 7 })).rejects.toMatchObject({
      status: 422,
      problem: { errors: [{ pointer: '/author' }] },
    });
  });

  if (dialect !== 'mysql') {
    // InnoDB checks each row at once.
    test('what a constraint refuses only when the statement is committed is refused likewise', async () => {
      const deferred = 'DEFERRABLE INITIALLY DEFERRED';
      await database.sql(`
        CREATE TABLE users_${table} ("slug" text PRIMARY KEY, "title" text, "version" text);
        CREATE TABLE posts_${table} (
          "slug" text PRIMARY KEY, "title" text ${dialect === 'postgres' ? `UNIQUE ${deferred}` : 'UNIQUE'},
          "author" text REFERENCES users_${table} ("slug") ${deferred}, "version" text)`);
      const options = { key: 'slug' } as const;
      const users = tableStore(database.db, {
        ...{ ...options, table: `users_${table}`, columns: { title: 'string' } },
      } as const);
      const posts = tableStore(database.db, {
        ...{ ...options, table: `posts_${table}`, columns: { title: 'string', author: 'string?' } },
      } as const);
      await users.replace('ann', null, { title: 'Ann' });
      const made = await posts.replace('a', null, { title: 'a', author: 'ann' });
      await posts.replace('b', null, { title: 'b', author: null });
      const version = made?.version ?? '';
      const missing = { title: 'c', author: 'bob' };
      const refusal = { status: 422, code: 'invalid-result' };
      await expect(posts.replace('a', version, missing)).rejects.toMatchObject(refusal);
      await expect(posts.replace('c', null, missing)).rejects.toMatchObject(refusal);
      await expect(posts.replace('a', version, { title: 'b', author: 'ann' })).rejects.toMatchObject({
        status: 409,
        code: 'unique-violation',
        problem: { pointer: '/title' },
      });
      await expect(users.delete('ann')).rejects.toMatchObject({ status: 409, code: 'still-referenced' });
      expect(await posts.get('a')).toEqual(made);
      expect(await posts.get('c')).toBeUndefined();
      expect(await users.get('ann')).toBeDefined();
    });
  }

  test('a write of the app that changes the version is noticed, and with the trigger every write is', async () => {
    const store = openStore();
    const made = await store.replace('a', null, first as never);
    await database.sql(`UPDATE ${table} SET title = 'unnoticed' WHERE slug = 'a'`);
    expect((await store.get('a'))?.version).toBe(made?.version);
    for (let time = 0; time < 2; time++) {
      await database.sql(versionTrigger({ table, engine: dialect }));
    }
    await database.sql(`UPDATE ${table} SET title = 'noticed' WHERE slug = 'a'`);
    const seen = await store.get('a');
    expect(seen?.version).not.toBe(made?.version);
    const written = await store.replace('a', seen?.version ?? '', { ...seen?.value, age: 8 } as never);
    expect(await store.get('a')).toEqual(written);
    await database.sql(`INSERT INTO ${table} (slug, title, version) VALUES ('b', 'b', NULL)`);
    expect((await store.get('b'))?.version).toMatch(/./);
  });

  test('what a trigger makes of a write is what comes back', async () => {
    const triggers = {
      sqlite: `CREATE TRIGGER ${table}_up AFTER UPDATE OF title ON ${table} BEGIN
        UPDATE ${table} SET title = upper(NEW.title) WHERE id = NEW.id; END`,
      postgres: `CREATE FUNCTION ${table}_up() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN NEW.title := upper(NEW.title); RETURN NEW; END $$;
        CREATE TRIGGER up BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${table}_up();`,
      mysql: `CREATE TRIGGER ${table}_up BEFORE UPDATE ON ${table} FOR EACH ROW SET NEW.title = upper(NEW.title)`,
    };
    await database.sql(triggers[dialect]);
    const store = openStore();
    const made = await store.replace('a', null, first as never);
    const written = await store.replace('a', made?.version ?? '', { ...made?.value, title: 'loud' } as never);
    expect(written?.value.title).toBe('LOUD');
    expect(await store.get('a')).toEqual(written);
  });

  test('a serial id as key, and a counter that the app has already', async () => {
    await database.sql(`ALTER TABLE ${table} ADD COLUMN revision integer NOT NULL DEFAULT 1`);
    await database.sql(`INSERT INTO ${table} (slug, title) VALUES ('a', 'a')`);
    const id = Number((await rowOf('a'))?.['id']);
    const { insert, ...rows } = tableRows(database.db, { table });
    expect(insert).toBeDefined();
    const store = rowStore({
      ...rows,
      ...passThrough(rows),
      columns: { title: 'string' },
      key: (key) => (/^[1-9]\d*$/.test(key) ? { id: Number(key) } : undefined),
      version: { counter: 'revision', id: 'id' },
    });
    const found = await store.get(String(id));
    expect(found).toEqual({ value: { title: 'a' }, version: `${id}.1` });
    const written = await store.replace(String(id), `${id}.1`, { title: 'b' });
    expect(written).toEqual({ value: { title: 'b' }, version: `${id}.2` });
    for (const key of [`0${id}`, `${id}.0`, 'x', '99999999999999999999'])
      expect(await store.get(key)).toBeUndefined();
    expect(await store.replace('999', null, { title: 'new' })).toBeUndefined();
    await database.sql(`UPDATE ${table} SET title = 'c', revision = revision + 1 WHERE id = ${id}`);
    expect(await store.replace(String(id), `${id}.2`, { title: 'd' })).toBeUndefined();
  });

  test('a composite key of a tenant and a slug', async () => {
    await database.sql(`ALTER TABLE ${table} ADD COLUMN tenant integer`);
    await database.sql(
      `INSERT INTO ${table} (slug, title, tenant) VALUES ('a', 'of one', 1), ('b', 'of two', 2)`,
    );
    const store = rowStore({
      ...tableRows(database.db, { table }),
      ...passThrough(tableRows(database.db, { table })),
      columns: { title: 'string', slug: 'string' },
      key: (key) => {
        const [, tenant, slug] = /^(\d+)\/(.+)$/.exec(key) ?? [];
        return slug === undefined ? undefined : { tenant: Number(tenant), slug };
      },
    });
    expect((await store.get('1/a'))?.value).toEqual({ title: 'of one', slug: 'a' });
    expect(await store.get('1/b')).toBeUndefined();
    const made = await store.replace('2/c', null, { title: 'new', slug: 'c' });
    expect(made?.value).toEqual({ title: 'new', slug: 'c' });
    expect(await rowOf('c', ', tenant')).toMatchObject({ tenant: 2 });
    await expect(store.replace('2/c', made?.version ?? '', { title: 'x', slug: 'd' })).rejects.toMatchObject({
      problem: { errors: [{ pointer: '/slug', detail: 'is read-only' }] },
    });
  });

  test('two text columns, joined as the option key of a resource joins them', async () => {
    await database.sql(`ALTER TABLE ${table} ADD COLUMN org varchar(40)`);
    await database.sql(
      `INSERT INTO ${table} (slug, title, org) VALUES ('7', 'a', 'acme'), ('8', 'b', 'a/b')`,
    );
    const store = tableStore(database.db, {
      ...{ table, columns: { title: 'string' }, key: ['org', 'slug'] },
    });
    const note = resource(store, [mergePatch()], { key: ['org', 'slug'], create: true });
    const app = express();
    app.route('/:org/notes/:slug').get(note.get).put(note.put).patch(note.patch).delete(note.delete);
    const server = request(app);
    const type = 'application/merge-patch+json';
    await server.patch('/acme/notes/7').type(type).send('{"title":"x"}').expect(204);
    await server.patch('/a%2Fb/notes/8').type(type).send('{"title":"y"}').expect(204);
    await server.get('/a/notes/b%2F8').expect(404);
    await server.put('/other/notes/%C3%A9').send({ title: 'new' }).expect(201);
    await server.delete('/acme/notes/7').expect(204);
    const rows = await database.sql(
      `SELECT org, slug, title FROM ${table} WHERE org IS NOT NULL ORDER BY slug`,
    );
    // MariaDB returns a VARBINARY as bytes.
    expect(rows.map((row) => ({ ...row, slug: String(row['slug']) }))).toEqual([
      { org: 'a/b', slug: '8', title: 'y' },
      { org: 'other', slug: 'é', title: 'new' },
    ]);
    expect((await server.get('/a%2Fb/notes/8')).body).toEqual({ title: 'y' });
  });

  test('a boolean and NULL in the key, as of rows that are not archived', async () => {
    await database.sql(`ALTER TABLE ${table} ADD COLUMN archived boolean NOT NULL DEFAULT false`);
    await database.sql(
      `INSERT INTO ${table} (slug, title, archived) VALUES ('a', 'kept', false), ('b', 'archived', true)`,
    );
    const store = tableStore(database.db, {
      table,
      columns: { title: 'string' },
      key: (slug) => ({ slug, archived: false, due: null }),
    });
    const seen = await store.get('a');
    expect(seen?.value).toEqual({ title: 'kept' });
    expect(await store.get('b')).toBeUndefined();
    expect((await store.replace('a', seen?.version ?? '', { title: 'new' }))?.value).toEqual({
      title: 'new',
    });
    expect((await store.replace('c', null, { title: 'made' }))?.value).toEqual({ title: 'made' });
    expect(await store.replace('b', null, { title: 'x' }).catch(String)).toMatch(/unique/);
  });

  test('soft deletes: a row that has been deleted is not found, and stays in the table', async () => {
    await database.sql(
      `ALTER TABLE ${table} ADD COLUMN deleted_at ${dialect === 'postgres' ? 'timestamptz' : 'datetime'}`,
    );
    const all = tableRows(database.db, { table });
    const rows = {
      ...all,
      delete: (where: Row) => all.update(where, { deleted_at: new Date(), version: randomUUID() }, []),
    };
    const store = rowStore({
      ...rows,
      ...passThrough(rows),
      columns: { title: 'string', slug: { kind: 'string', readOnly: true } },
      key: (slug) => ({ slug, deleted_at: null }),
    });
    const app = express();
    const note = resource(store, [mergePatch()], { key: 'slug', create: true });
    app.route('/notes/:slug').get(note.get).put(note.put).patch(note.patch).delete(note.delete);
    const server = request(app);
    const send = (title: string) =>
      server.patch('/notes/a').type('application/merge-patch+json').send({ title });
    await server.put('/notes/a').send({ title: 'made' }).expect(201);
    await send('changed').expect(204);
    await server.delete('/notes/a').set('If-Match', '"another"').expect(412);
    await server.delete('/notes/a').expect(204);
    await server.get('/notes/a').expect(404);
    await send('lost').set('If-Match', '*').expect(412);
    await server.delete('/notes/a').expect(404);
    // Its key is still taken.
    await server.put('/notes/a').send({ title: 'again' }).expect(409);
    const row = await rowOf('a', ', deleted_at');
    expect(row).toMatchObject({ title: 'changed', deleted_at: expect.anything() as unknown });
  });

  test('what a write refuses is told apart', async () => {
    const authors = `authors_${table}`;
    const textType = dialect === 'sqlite' ? 'text CHECK (length("name") < 6)' : 'varchar(5)';
    await database.sql(`CREATE TABLE ${authors} (id integer PRIMARY KEY);
      CREATE TABLE limited_${table} ("slug" ${keyType[dialect]} PRIMARY KEY, "name" ${textType},
        "price" numeric(4, 2), "age" integer CHECK ("age" < 200), "author" integer, "version" text,
        CONSTRAINT limited_${table}_fk FOREIGN KEY ("author") REFERENCES ${authors} (id))`);
    if (dialect === 'sqlite') await database.sql('PRAGMA foreign_keys = ON');
    const store = tableStore(database.db, {
      table: `limited_${table}`,
      columns: { name: 'string?', price: 'number?', age: 'integer?', author: 'integer?' },
      key: 'slug',
    });
    const empty = { name: null, price: null, age: null, author: null };
    const made = await store.replace('a', null, empty);
    const fault = async (change: object) => {
      const error: unknown = await store
        .replace('a', made?.version ?? '', { ...empty, ...change })
        .catch((e) => e);
      return error instanceof ProblemError ? (error.problem as { errors?: unknown }).errors : error;
    };
    const rule = 'violates a rule of the table';
    const isSqlite = dialect === 'sqlite';
    expect(await fault({ age: 300 })).toEqual([{ pointer: '/age', detail: rule }]);
    const tooLong = isSqlite ? rule : 'is too long';
    expect(await fault({ name: 'abcdef' })).toEqual([{ pointer: '/name', detail: tooLong }]);
    const missing = 'refers to something that does not exist, or others refer to it';
    expect(await fault({ author: 7 })).toEqual([{ pointer: '/author', detail: missing }]);
    if (!isSqlite) {
      expect(await fault({ price: 100 })).toEqual([{ pointer: '/price', detail: 'is out of range' }]);
    }
  });

  test('of 20 at once that count, none is lost', async () => {
    const store = tableStore(database.db, {
      table,
      columns: { title: 'string', age: 'integer?' },
      key: 'slug',
    });
    await store.replace('a', null, { title: 'a', age: 0 });
    const count = async () => {
      for (;;) {
        const seen = await store.get('a');
        if (seen === undefined) throw new Error('gone');
        const next = { ...seen.value, age: (seen.value.age ?? 0) + 1 };
        if (await store.replace('a', seen.version, next, { current: seen })) return;
      }
    };
    await Promise.all(Array.from({ length: 20 }, count));
    expect((await store.get('a'))?.value.age).toBe(20);
  });

  test('a statement that meets other rows too is an error', async () => {
    const rows = tableRows(database.db, { table });
    const store = openStore();
    await store.replace('a', null, { title: 'a' } as never);
    const seen = await store.replace('b', null, { title: 'b' } as never);
    const careless: Rows = {
      ...rows,
      update: (_where: Row, set: Row) => rows.update({ title: 'a' }, set, ['slug', 'version']),
    };
    const wrong = rowStore({
      ...careless,
      ...passThrough(careless),
      ...({ columns: { title: 'string' }, key: 'slug' } as const),
    });
    await database.sql(`UPDATE ${table} SET title = 'a'`);
    await expect(wrong.replace('b', seen?.version ?? '', { title: 'c' })).rejects.toThrow('matched 2 rows');
  });

  if (dialect === 'sqlite') {
    test('a write waits for the transaction of the app that is open on the handle, and is not undone by it', async () => {
      const store = openStore();
      const made = await store.replace('a', null, first as never);
      await database.sql('BEGIN');
      const writing = store.replace('a', made?.version ?? '', { ...made?.value, title: 'kept' } as never);
      await database.sql(`UPDATE ${table} SET done = 0`);
      await database.sql('ROLLBACK');
      expect((await writing)?.value.title).toBe('kept');
      expect(await rowOf('a')).toMatchObject({ title: 'kept' });
    });
  }
  if (dialect === 'postgres') {
    test('xmin as the version: every write of the app is noticed', async () => {
      const { insert, ...rows } = tableRows(database.db, { table });
      expect(insert).toBeDefined();
      const generated = {
        columns: { title: 'string' },
        key: 'slug',
        version: { generated: 'xmin' },
      } as const;
      const store = rowStore({ ...rows, ...generated });
      await openStore().replace('a', null, first as never);
      const seen = await store.get('a');
      await database.sql(`UPDATE ${table} SET title = 'of the app'`);
      expect(await store.replace('a', seen?.version ?? '', { title: 'x' })).toBeUndefined();
      const now = await store.get('a');
      const written = await store.replace('a', now?.version ?? '', { title: 'y' });
      expect(written).toEqual(await store.get('a'));
      expect(written?.version).not.toBe(now?.version);
    });
  }

  test('names that SQL has to quote', async () => {
    const odd = `odd "${table}"; --`;
    const quoted = `"${odd.replaceAll('"', '""')}"`;
    await database.sql(
      `CREATE TABLE ${quoted} ("the ""key""" ${keyType[dialect]} PRIMARY KEY, "a'b" text, "version" text)`,
    );
    const store = tableStore(database.db, {
      table: odd,
      columns: { a: { kind: 'string?', column: "a'b" } },
      key: 'the "key"',
    });
    const made = await store.replace("it's", null, { a: 'x' });
    expect(made?.value).toEqual({ a: 'x' });
    expect(await store.get("it's")).toEqual(made);
  });
});
