import { randomUUID } from 'node:crypto';
import express from 'express';
import request from 'supertest';
import { mergePatch, ProblemError, resource } from '../../lib';
import { isThenable } from '../../lib/config/object';
import { storeConformance } from '../../lib/testing';
import { rowStore, tableRows, tableStore, type TableStoreOptions } from '../../lib/rows';
import type { BuilderRows, Dialect } from '../../lib/rows/rows';
import { describeOver, replaceFunctions, type TestDatabase, testEngines } from './databases';
import { isDeep } from '../support/deep-scale';
import { DatabaseSync } from '../support/sqlite';
import { testCases, testSomeCases } from '../support/test-cases';
import { change, create, replaceAt, stateOf, written } from '../support/written';

const ddl = {
  postgres: (table: string) => `
    CREATE TABLE ${table} (
      "id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, "slug" text NOT NULL UNIQUE, "title" text NOT NULL,
      "email" text UNIQUE, "age" integer CHECK ("age" < 200), "price" numeric(8, 2), "serial" bigint, "tags" text[],
      "extra" jsonb, "done" boolean NOT NULL DEFAULT false, "due" timestamptz,
      "createdAt" timestamptz NOT NULL DEFAULT now(), "secret" text DEFAULT 'hidden', "outcomes" text,
      "updatedAt" timestamptz);`,
  sqlite: (table: string) => `
    CREATE TABLE ${table} (
      "id" INTEGER PRIMARY KEY AUTOINCREMENT, "slug" text NOT NULL UNIQUE, "title" text NOT NULL,
      "email" text UNIQUE, "age" integer CHECK ("age" < 200), "price" text, "serial" integer, "tags" text,
      "extra" text, "done" integer NOT NULL DEFAULT 0, "due" text,
      "createdAt" text NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')), "secret" text DEFAULT 'hidden',
      "outcomes" text, "updatedAt" text);`,
  // A VARBINARY tells every two keys apart.
  mysql: (table: string) => `
    CREATE TABLE ${table} (
      "id" bigint PRIMARY KEY AUTO_INCREMENT, "slug" varbinary(1024) NOT NULL UNIQUE, "title" longtext NOT NULL,
      "email" varchar(200) UNIQUE, "age" integer CHECK ("age" < 200), "price" numeric(8, 2), "serial" bigint, "tags" json,
      "extra" json, "done" boolean NOT NULL DEFAULT false, "due" datetime(3),
      "createdAt" datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3), "secret" varchar(20) DEFAULT 'hidden',
      "outcomes" longtext, "updatedAt" datetime(3))`,
};

const keyType = { postgres: 'text', sqlite: 'text', mysql: 'varbinary(1024)' };

/** SQLite has no type for dates. */
const asText = (dialect: Dialect) => dialect === 'sqlite' && { storedAs: 'iso' as const };

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
  db.exec("CREATE TABLE notes (slug text, title text); INSERT INTO notes VALUES ('a', 'a')");
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
    const seen = `id, slug, title, email, age, tags, secret${more}`;
    const [row] = await database.sql(`SELECT ${seen} FROM ${table} WHERE slug = '${slug}'`);
    return row;
  };

  // The contract over MariaDB, and most of it over PostgreSQL, is among the deep tests.
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
        { versions: false, carrier: { wrap: (title: string) => ({ title }), unwrap: ({ title }) => title } },
      );
      if (dialect === 'sqlite') testCases(cases);
      else testSomeCases(cases, 0);
    });
  }

  test.each([
    { what: 'member', misspelt: { columns: { title: { kind: 'string', column: 'titel' } } } },
    { what: 'key', misspelt: { key: 'slog' } },
    { what: 'counter', misspelt: { counter: 'cuont' } },
    { what: 'column of outcomes', misspelt: { outcomes: 'outcoems' } },
    { what: 'time of the last write', misspelt: { modified: 'updtaedAt' } },
    { what: 'table', misspelt: { table: 'there_is_none' } },
  ] as const)(
    'a misspelt $what is told by the first request, with a code and the names',
    async ({ misspelt }) => {
      const declared = { table, key: 'slug', columns: { title: 'string' }, ...misspelt } as const;
      const store = tableStore(database.db, declared as TableStoreOptions);
      await database.sql(`INSERT INTO ${table} (slug, title) VALUES ('a', 'a')`);
      const [name] = Object.values(misspelt).flatMap((given) =>
        typeof given === 'string' ? [given] : ['titel'],
      );
      const error = {
        code: 'PATCH_OPTIONS_MISSING_COLUMN',
        message: expect.stringMatching(
          new RegExp(`columns .*\\b${'table' in misspelt ? 'title' : name}\\b.*Correct the names`),
        ) as unknown,
      };
      await expect(store.get('a')).rejects.toMatchObject(error);
      const current = { value: { title: 'a' }, handle: { slug: 'a', title: 'a' } };
      await expect(replaceAt(store, 'a', current as never, { title: 'x' } as never)).rejects.toMatchObject(
        error,
      );
      await expect(store.delete('a')).rejects.toMatchObject(error);
    },
  );

  test('a row is made, read, changed and deleted', async () => {
    const store = openStore();
    const made = await create(store, 'a', first as never);
    expect(made.value).toEqual({ ...first, slug: 'a', createdAt: expect.any(String) as string });
    expect(await store.get('a')).toEqual(made);
    const next = { ...made.value, title: 'Buy bread', tags: null };
    const changed = await change(store, 'a', next as never);
    expect(changed.value).toEqual(next);
    expect(changed.modified?.getTime()).toBeGreaterThanOrEqual(made.modified?.getTime() ?? NaN);
    expect(await store.get('a')).toEqual(changed);
    expect(await rowOf('a')).toMatchObject({ title: 'Buy bread', tags: null, secret: 'hidden' });
    expect(await replaceAt(store, 'a', made, made.value)).toEqual({ current: changed });
    expect(await store.delete('a', '', { current: made })).toEqual({ current: changed });
    expect(await store.delete('a', '', { current: changed })).toBe(true);
    expect(await store.get('a')).toBeUndefined();
    expect(await replaceAt(store, 'a', changed, made.value)).toEqual({ current: undefined });
    await create(store, 'a', first as never);
    expect(await store.delete('a')).toBe(true);
    expect(await store.delete('a')).toBe(false);
  });

  test.each([
    { type: 'integer', key: '007' },
    { type: 'integer', key: '8.4', only: 'mysql' },
    { type: 'char(20)', key: 'a ', only: 'mysql' },
  ])('a key that the database stores otherwise: $key as $type', async ({ type, key, only }) => {
    if (only !== undefined && only !== dialect) return;
    await database.sql(`CREATE TABLE keys_${table} ("id" ${type} PRIMARY KEY, "title" text)`);
    const store = tableStore(database.db, {
      ...{ table: `keys_${table}`, columns: { title: 'string' }, key: 'id' },
    } as const);
    await expect(store.replace(key, null, { title: 'x' })).rejects.toMatchObject({
      status: 422,
      code: 'invalid-key',
    });
    const kept = await database.sql(`SELECT id FROM keys_${table}`);
    expect(kept).toEqual([]);
    expect((await create(store, '7', { title: 'x' })).value).toEqual({ title: 'x' });
  });

  test('a column without a default that is not listed is a fault of the app, not of the client', async () => {
    await database.sql(`CREATE TABLE posts_${table} (
      "slug" ${keyType[dialect]} PRIMARY KEY, "title" varchar(20), "author_id" integer NOT NULL)`);
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
      { of: 'the client', outcomes: 'text', title: 'x'.repeat(21), status: 422 },
      // Only an error that names the column can show that it is not the client's.
      ...(dialect === 'postgres'
        ? [{ of: 'the store', outcomes: 'text CHECK (length(outcomes) < 2)', title: 'x', status: undefined }]
        : []),
    ])('a column that is too short for what comes of $of', async ({ of, outcomes, title, status }) => {
      const name = `short_${table}_${of.replace(' ', '_')}`;
      await database.sql(`CREATE TABLE ${name} ("slug" ${keyType[dialect]} PRIMARY KEY, "title" varchar(20),
        "outcomes" ${outcomes})`);
      await database.sql(`INSERT INTO ${name} VALUES ('a', 'old', NULL)`);
      const store = tableStore(database.db, {
        ...{ table: name, columns: { title: 'string' }, key: 'slug', outcomes: 'outcomes' },
      } as const);
      const outcome = { id: 'i', scope: 's', text: () => 't', keep: 3, total: 5, maxAge: 60 };
      const refusal: unknown = await change(store, 'a', { title }, { outcome }).catch(
        (error: unknown) => error,
      );
      expect(refusal).toBeInstanceOf(Error);
      expect((refusal as ProblemError).status).toBe(status);
      expect(await database.sql(`SELECT title, outcomes FROM ${name}`)).toEqual([
        { title: 'old', outcomes: null },
      ]);
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
    const made = await create(store, 'a', { title: 'a' } as never);
    expect(made.value).toMatchObject({ title: 'a', done: false, email: null, tags: null });
    const full = await change(store, 'a', { ...made.value, age: 7 } as never);
    const { age, ...without } = full.value;
    expect(age).toBe(7);
    expect((await change(store, 'a', without as never)).value.age).toBeNull();
    expect(await rowOf('a')).toMatchObject({ age: null });
  });

  test.each([
    { what: 'the key', value: { slug: 'b' }, pointer: '/slug' },
    { what: 'a generated column', value: { createdAt: '2026-11-22T12:00:00Z' }, pointer: '/createdAt' },
    { what: 'the primary key', value: { id: 777 }, pointer: '/id' },
    { what: 'a column that is not named', value: { secret: 'x' }, pointer: '/secret' },
    { what: 'a column of the store', value: { outcomes: 'x' }, pointer: '/outcomes' },
    { what: 'NUL', value: { title: 'a\0' }, pointer: '/title' },
    { what: 'a lone surrogate', value: { title: '\ud800' }, pointer: '/title' },
    { what: 'NULL where there is none', value: { title: null }, pointer: '/title' },
    { what: 'what a constraint refuses', value: { age: 200 }, pointer: '/age' },
  ])('$what is out of reach: 422, and nothing is written', async ({ value, pointer }) => {
    const store = openStore();
    const made = await create(store, 'a', first as never);
    const before = await rowOf('a');
    await expect(change(store, 'a', { ...made.value, ...value } as never)).rejects.toMatchObject({
      status: 422,
      code: 'invalid-result',
      problem: { errors: [{ pointer }] },
    });
    expect(await rowOf('a')).toEqual(before);
  });

  test('a value that must be unique is 409, and nothing is written', async () => {
    const store = openStore();
    await store.replace('a', null, first as never);
    const other = await create(store, 'b', { title: 'b' } as never);
    const refusal = {
      status: 409,
      code: 'unique-violation',
      problem: expect.objectContaining(dialect === 'postgres' ? { pointer: '/email' } : {}) as object,
    };
    const twice = { ...other.value, email: first.email, title: 'of two members' };
    await expect(change(store, 'b', twice as never)).rejects.toMatchObject(refusal);
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
        "author_id" integer, UNIQUE ("tenant", "mail"),
        CONSTRAINT "author_${table}" FOREIGN KEY ("author_id") REFERENCES users_${table} ("id"))`);
    const store = tableStore(database.db, {
      ...{ table: `posts_${table}`, key: 'slug' },
      columns: { mail: 'string?', age: 'integer?', author: { kind: 'integer?', column: 'author_id' } },
    } as const);
    const none = { mail: null, age: null, author: null };
    await store.replace('a', null, { ...none, mail: 'a' });
    await create(store, 'b', none);
    const writing = (changes: object) => change(store, 'b', { ...none, ...changes });
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
        CREATE TABLE users_${table} ("slug" text PRIMARY KEY, "title" text);
        CREATE TABLE posts_${table} (
          "slug" text PRIMARY KEY, "title" text ${dialect === 'postgres' ? `UNIQUE ${deferred}` : 'UNIQUE'},
          "author" text REFERENCES users_${table} ("slug") ${deferred})`);
      const options = { key: 'slug' } as const;
      const users = tableStore(database.db, {
        ...{ ...options, table: `users_${table}`, columns: { title: 'string' } },
      } as const);
      const posts = tableStore(database.db, {
        ...{ ...options, table: `posts_${table}`, columns: { title: 'string', author: 'string?' } },
      } as const);
      await users.replace('ann', null, { title: 'Ann' });
      const made = await create(posts, 'a', { title: 'a', author: 'ann' });
      await create(posts, 'b', { title: 'b', author: null });
      const missing = { title: 'c', author: 'bob' };
      const refusal = { status: 422, code: 'invalid-result' };
      await expect(change(posts, 'a', missing)).rejects.toMatchObject(refusal);
      await expect(posts.replace('c', null, missing)).rejects.toMatchObject(refusal);
      await expect(change(posts, 'a', { title: 'b', author: 'ann' })).rejects.toMatchObject({
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

  test('a write of the app is noticed: of a listed column, as another state', async () => {
    const store = openStore();
    const made = await create(store, 'a', first as never);
    await database.sql(`UPDATE ${table} SET secret = 'of the app' WHERE slug = 'a'`);
    expect(await store.get('a')).toEqual(made);
    const changed = await change(store, 'a', { ...made.value, age: 8 });
    expect(await rowOf('a')).toMatchObject({ age: 8, secret: 'of the app' });
    await database.sql(`UPDATE ${table} SET title = 'of the app' WHERE slug = 'a'`);
    const seen = await stateOf(store, 'a');
    expect(seen.value).toEqual({ ...changed.value, title: 'of the app' });
    expect(await replaceAt(store, 'a', changed, { ...changed.value, age: 9 })).toEqual({ current: seen });
    expect(await rowOf('a')).toMatchObject({ age: 8, title: 'of the app' });
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
    const made = await create(store, 'a', first as never);
    const changed = await change(store, 'a', { ...made.value, title: 'loud' });
    expect(changed.value.title).toBe('LOUD');
    expect(await store.get('a')).toEqual(changed);
  });

  test('a serial id as key, and a counter that the app has already', async () => {
    await database.sql(`ALTER TABLE ${table} ADD COLUMN revision integer NOT NULL DEFAULT 1`);
    await database.sql(`INSERT INTO ${table} (slug, title) VALUES ('a', 'a')`);
    const id = Number((await rowOf('a'))?.['id']);
    const { insert, ...rows } = tableRows(database.db, { table });
    expect(insert).toBeDefined();
    const store = rowStore({
      ...rows,
      columns: { title: 'string' },
      key: (key) => (/^[1-9]\d*$/.test(key) ? { id: Number(key) } : undefined),
      counter: 'revision',
    });
    const revision = async () => Number((await rowOf('a', ', revision'))?.['revision']);
    const found = await stateOf(store, String(id));
    expect(found.value).toEqual({ title: 'a' });
    expect((await change(store, String(id), { title: 'b' })).value).toEqual({ title: 'b' });
    expect(await revision()).toBe(2);
    for (const key of [`0${id}`, `${id}.0`, 'x', '99999999999999999999'])
      expect(await store.get(key)).toBeUndefined();
    expect(await store.replace('999', null, { title: 'new' })).toBeUndefined();
    await database.sql(`UPDATE ${table} SET title = 'c', revision = revision + 1 WHERE id = ${id}`);
    expect(await replaceAt(store, String(id), found, { title: 'd' })).toMatchObject({
      current: { value: { title: 'c' } },
    });
    expect(await revision()).toBe(3);
  });

  test('a composite key of a tenant and a slug', async () => {
    await database.sql(`ALTER TABLE ${table} ADD COLUMN tenant integer`);
    await database.sql(
      `INSERT INTO ${table} (slug, title, tenant) VALUES ('a', 'of one', 1), ('b', 'of two', 2)`,
    );
    const store = rowStore({
      ...tableRows(database.db, { table }),
      columns: { title: 'string', slug: 'string' },
      key: (key) => {
        const [, tenant, slug] = /^(\d+)\/(.+)$/.exec(key) ?? [];
        return slug === undefined ? undefined : { tenant: Number(tenant), slug };
      },
    });
    expect((await store.get('1/a'))?.value).toEqual({ title: 'of one', slug: 'a' });
    expect(await store.get('1/b')).toBeUndefined();
    const made = await create(store, '2/c', { title: 'new', slug: 'c' });
    expect(made.value).toEqual({ title: 'new', slug: 'c' });
    expect(await rowOf('c', ', tenant')).toMatchObject({ tenant: 2 });
    await expect(change(store, '2/c', { title: 'x', slug: 'd' })).rejects.toMatchObject({
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
    expect((await change(store, 'a', { title: 'new' })).value).toEqual({ title: 'new' });
    expect((await create(store, 'c', { title: 'made' })).value).toEqual({ title: 'made' });
    expect(await store.replace('b', null, { title: 'x' }).catch(String)).toMatch(/unique/);
  });

  test('soft deletes: a row that has been deleted is not found, and stays in the table', async () => {
    await database.sql(
      `ALTER TABLE ${table} ADD COLUMN deleted_at ${dialect === 'postgres' ? 'timestamptz' : 'datetime'}`,
    );
    const softly = (rows: BuilderRows): BuilderRows => ({
      ...rows,
      delete: (where) => rows.update(where, { deleted_at: new Date() }),
    });
    const store = rowStore({
      ...replaceFunctions(tableRows(database.db, { table }), softly),
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

  test.each(['', 'return=minimal', 'return=representation'])(
    'a write after which find no longer shows the row is acknowledged, without a body or a tag (Prefer: %s)',
    async (preference) => {
      await database.sql(`ALTER TABLE ${table} ADD COLUMN archived boolean NOT NULL DEFAULT false`);
      await database.sql(`INSERT INTO ${table} (slug, title) VALUES ('a', 'kept')`);
      const visible = (rows: BuilderRows): BuilderRows => ({
        ...rows,
        find: (where, columns, ...rest) => {
          const shown = (row: unknown) => (Number(Object(row).archived) === 0 ? row : undefined);
          const found = rows.find(where, [...columns, 'archived'], ...rest);
          return isThenable(found)
            ? found.then((list) => [list].flat().filter(shown))
            : [found].flat().filter(shown);
        },
      });
      const writes: unknown[] = [];
      const store = rowStore({
        ...replaceFunctions(tableRows(database.db, { table }), visible),
        columns: { title: 'string', archived: 'boolean', slug: { kind: 'string', readOnly: true } },
        key: 'slug',
        onWrite: (_tx, { after }) => void writes.push(after),
      });
      const note = resource(store, [mergePatch()], { key: 'slug', stateMembers: ['/slug'] });
      const app = express();
      app.route('/notes/:slug').get(note.get).patch(note.patch);
      const answer = await request(app)
        .patch('/notes/a')
        .set('Prefer', preference)
        .type('application/merge-patch+json')
        .send({ title: 'last', archived: true });
      expect(answer.status).toBe(204);
      expect(answer.headers).not.toHaveProperty('etag');
      expect(answer.headers).not.toHaveProperty('preference-applied', 'return=representation');
      await request(app).get('/notes/a').expect(404);
      const row = await rowOf('a', ', archived');
      expect({ ...row, archived: Number(row?.['archived']) }).toMatchObject({ title: 'last', archived: 1 });
      expect(writes).toEqual([undefined]);
    },
  );

  test('what a write refuses is told apart', async () => {
    const authors = `authors_${table}`;
    const textType = dialect === 'sqlite' ? 'text CHECK (length("name") < 6)' : 'varchar(5)';
    await database.sql(`CREATE TABLE ${authors} (id integer PRIMARY KEY);
      CREATE TABLE limited_${table} ("slug" ${keyType[dialect]} PRIMARY KEY, "name" ${textType},
        "price" numeric(4, 2), "age" integer CHECK ("age" < 200), "author" integer,
        CONSTRAINT limited_${table}_fk FOREIGN KEY ("author") REFERENCES ${authors} (id))`);
    if (dialect === 'sqlite') await database.sql('PRAGMA foreign_keys = ON');
    const store = tableStore(database.db, {
      table: `limited_${table}`,
      columns: { name: 'string?', price: 'number?', age: 'integer?', author: 'integer?' },
      key: 'slug',
    });
    const empty = { name: null, price: null, age: null, author: null };
    await create(store, 'a', empty);
    const fault = async (changes: object) => {
      const error: unknown = await change(store, 'a', { ...empty, ...changes }).catch((e: unknown) => e);
      return error instanceof ProblemError ? (error.problem as { errors?: unknown }).errors : error;
    };
    const rule = 'violates a rule of the table';
    const isSqlite = dialect === 'sqlite';
    expect(await fault({ age: 300 })).toEqual([{ pointer: '/age', detail: rule }]);
    const tooLong = isSqlite ? rule : 'is too long';
    expect(await fault({ name: 'abcdef' })).toEqual([{ pointer: '/name', detail: tooLong }]);
    const missing = 'refers to something that does not exist, or other resources refer to it';
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
        const seen = await stateOf(store, 'a');
        const result = await replaceAt(store, 'a', seen, { ...seen.value, age: (seen.value.age ?? 0) + 1 });
        if (result !== undefined && 'value' in result) return;
      }
    };
    await Promise.all(Array.from({ length: 20 }, count));
    expect((await store.get('a'))?.value.age).toBe(20);
  });

  test('a statement that meets other rows too is an error, and rolled back', async () => {
    const careless = (rows: BuilderRows): BuilderRows => ({
      ...rows,
      update: (_where, set) => rows.update({ title: 'a' }, set),
    });
    await create(openStore(), 'a', { title: 'a' } as never);
    await create(openStore(), 'b', { title: 'a' } as never);
    const wrong = rowStore({
      ...replaceFunctions(tableRows(database.db, { table }), careless),
      ...({ columns: { title: 'string' }, key: 'slug' } as const),
    });
    await expect(change(wrong, 'b', { title: 'c' })).rejects.toThrow('matched 2 rows');
    expect([await rowOf('a'), await rowOf('b')]).toMatchObject([{ title: 'a' }, { title: 'a' }]);
  });

  if (dialect === 'sqlite') {
    test('a write waits for the transaction of the app that is open on the handle, and is not undone by it', async () => {
      const store = openStore();
      const made = await create(store, 'a', first as never);
      await database.sql('BEGIN');
      const writing = replaceAt(store, 'a', made, { ...made.value, title: 'kept' });
      await database.sql(`UPDATE ${table} SET done = 0`);
      await database.sql('ROLLBACK');
      expect(written(await writing).value.title).toBe('kept');
      expect(await rowOf('a')).toMatchObject({ title: 'kept' });
    });
  }
  test('names that SQL has to quote', async () => {
    const odd = `odd "${table}"; --`;
    const quoted = `"${odd.replaceAll('"', '""')}"`;
    await database.sql(`CREATE TABLE ${quoted} ("the ""key""" ${keyType[dialect]} PRIMARY KEY, "a'b" text)`);
    const store = tableStore(database.db, {
      table: odd,
      columns: { a: { kind: 'string?', column: "a'b" } },
      key: 'the "key"',
    });
    const made = await create(store, "it's", { a: 'x' });
    expect(made.value).toEqual({ a: 'x' });
    expect(await store.get("it's")).toEqual(made);
    expect((await change(store, "it's", { a: 'y' })).value).toEqual({ a: 'y' });
    expect(await store.delete("it's")).toBe(true);
  });
});
