/** Tables of MariaDB as apps have them: collations that fold, modes that cut off, pools that are set up otherwise, snapshots. */
import { randomUUID } from 'node:crypto';
import { createPool as createCallbackPool } from 'mysql2';
import { createPool, type Pool, type PoolOptions } from 'mysql2/promise';
import { ConfigurationError } from '../../lib/config/options-check';
import { rowStore, tableRows, tableStore, versionTrigger } from '../../lib/rows';
import { describeMariadb, type Engine, startMariadb } from '../support/engines';

const columns = {
  title: 'string',
  age: 'integer?',
  price: 'decimal?',
  serial: 'bigint?',
  extra: 'json?',
  tags: 'string[]?',
  done: 'boolean',
  flag: 'boolean?',
  due: 'date?',
  seen: 'date?',
  kind: 'string?',
} as const;
const declared = { columns, key: 'slug', outcomes: 'outcomes' } as const;

const full = {
  ...{ title: `it's "x" \\ ? :a \`é😀`, age: -7, price: '12.50', serial: '9007199254740993' },
  ...{ extra: { b: [1, null, '1'], a: '"\\' }, tags: ['1', '"'], done: true, flag: false },
  ...{ due: '2026-11-22T12:00:00.125Z', seen: '2026-01-02T03:04:05.000Z', kind: 'a' },
};

describeMariadb('tables of MariaDB', () => {
  let engine: Engine;
  let pool: Pool;
  let table: string;
  const pools: Pool[] = [];
  const openPool = (options: PoolOptions = {}) => {
    const url = new URL(engine.urls[0]);
    url.pathname = 'tables';
    const opened = createPool({ uri: url.href, ...options });
    // A TIMESTAMP is read right where the session has the zone of the driver.
    if (options.timezone !== undefined) {
      const zone = options.timezone.replace('Z', '+00:00');
      opened.on('connection', (connection) => void connection.query(`SET time_zone = '${zone}'`));
    }
    pools.push(opened);
    return opened;
  };
  const openPoolWith = (first: string, options?: PoolOptions) => {
    const opened = openPool(options);
    opened.on('connection', (connection) => void connection.query(first));
    return opened;
  };
  const rowsOf = async (sql: string) => (await pool.query(sql))[0] as Record<string, unknown>[];

  beforeAll(async () => {
    engine = await startMariadb();
    const admin = createPool(engine.urls[0]);
    await admin.query('CREATE DATABASE tables CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci');
    await admin.query('SET GLOBAL max_connections = 1000');
    await admin.end();
    pool = openPool();
  });
  afterAll(async () => {
    await Promise.all(pools.map((opened) => opened.end()));
    await engine.close();
  });
  beforeEach(async () => {
    table = `t_${randomUUID().slice(0, 8)}`;
    await pool.query(`CREATE TABLE ${table} (
      id bigint PRIMARY KEY AUTO_INCREMENT, slug varchar(100) NOT NULL UNIQUE, title varchar(60) NOT NULL,
      age tinyint CHECK (age <> 13), price decimal(8, 2), serial bigint, extra json, tags json,
      done boolean NOT NULL DEFAULT false, flag bit(1), due datetime(3), seen timestamp(3) NULL,
      kind enum('a', 'b'), outcomes longtext, version varchar(36) NOT NULL DEFAULT (uuid()))`);
  });
  const openStore = (db: Pool = pool) => tableStore(db, { table, ...declared });

  test.each<{ readonly what: string; readonly open: () => Pool }>([
    { what: 'by default', open: () => openPool() },
    {
      what: 'for exact numbers, in another time zone',
      open: () => openPool({ supportBigNumbers: true, bigNumberStrings: true, timezone: '+09:00' }),
    },
    {
      what: 'for numbers that are rounded',
      open: () => openPool({ decimalNumbers: true, jsonStrings: true }),
    },
    { what: 'for no types', open: () => openPool({ typeCast: false, timezone: 'Z' }) },
    {
      what: 'for rows in other shapes',
      open: () =>
        openPool({ rowsAsArray: true, nestTables: true, namedPlaceholders: true, flags: ['-FOUND_ROWS'] }),
    },
    {
      what: 'for another SQL',
      open: () =>
        openPoolWith(`SET sql_mode = 'ANSI,NO_BACKSLASH_ESCAPES,NO_ZERO_DATE'`, { timezone: '-05:30' }),
    },
    { what: 'to reset connections', open: () => openPool({ resetOnRelease: true, connectionLimit: 2 }) },
  ])('what is written is read, by a pool that is set up $what', async ({ open }) => {
    const store = openStore(open());
    const made = await store.replace('a', null, full);
    expect(made?.value).toEqual(full);
    expect(await store.get('a')).toEqual(made);
    const next = {
      ...full,
      title: '\\',
      age: null,
      price: '0.00',
      extra: '1',
      done: false,
      flag: true,
      due: null,
    };
    const written = await store.replace('a', made?.version ?? '', next);
    expect(written?.value).toEqual(next);
    expect((await openStore().get('a'))?.value).toMatchObject({
      ...next,
      seen: expect.any(String) as string,
    });
  });

  test('a date is the instant that the app reads and writes by the same pool', async () => {
    for (const timezone of ['Z', '+09:00', '-05:30'] as const) {
      const own = openPool({ timezone });
      const slug = `of ${timezone}`;
      await own.query(`INSERT INTO ${table} (slug, title, due) VALUES (?, 'x', ?)`, [
        slug,
        new Date(full.due),
      ]);
      const store = openStore(own);
      const seen = await store.get(slug);
      expect(seen?.value.due).toBe(full.due);
      const due = '2027-06-07T08:09:10.011Z';
      await store.replace(slug, seen?.version ?? '', { ...seen?.value, due } as never);
      const [rows] = await own.query(`SELECT due FROM ${table} WHERE slug = ?`, [slug]);
      expect(rows).toEqual([{ due: new Date(due) }]);
    }
  });

  test('dates as text without a zone cannot be read, and the reason names the option', async () => {
    await openStore().replace('a', null, full);
    const seen = await openStore(openPool({ dateStrings: true })).get('a');
    expect(seen?.unreadable?.map(({ reason }) => reason.message)).toEqual(
      expect.arrayContaining([expect.stringContaining('dateStrings')]),
    );
  });

  describe.each([{ mode: '' }, { mode: 'STRICT_TRANS_TABLES' }, { mode: 'NO_AUTO_VALUE_ON_ZERO' }])(
    'under sql_mode = "$mode" what does not fit is refused, and not cut off',
    ({ mode }) => {
      test.each([
        { member: 'title', value: 'x'.repeat(61) },
        { member: 'age', value: 128 },
        { member: 'age', value: 13 },
        { member: 'price', value: '1000000.00' },
        { member: 'kind', value: 'c' },
        { member: 'kind', value: '' },
        { member: 'seen', value: '2200-01-01T00:00:00Z' },
      ])('$member: $value', async ({ member, value }) => {
        const own = openPoolWith(`SET sql_mode = '${mode}'`, { connectionLimit: 1 });
        const store = openStore(own);
        const made = await store.replace('a', null, full);
        const refusal = { status: 422, problem: { errors: [{ pointer: `/${member}` }] } };
        const next = { ...full, [member]: value } as never;
        await expect(store.replace('a', made?.version ?? '', next)).rejects.toMatchObject(refusal);
        await expect(store.replace('b', null, next)).rejects.toMatchObject({ status: 422 });
        expect([await store.get('a'), await store.get('b')]).toEqual([made, undefined]);
        expect((await own.query('SELECT @@sql_mode AS mode'))[0]).toEqual([{ mode }]);
      });
    },
  );

  test('keys that the collation takes for one are not: absent, and not to be made', async () => {
    const store = openStore();
    for (const slug of ['strasse', 'é', 'tab']) await store.replace(slug, null, { ...full, title: slug });
    for (const slug of ['straße', 'STRASSE', 'strasse ', 'e', 'É', 'e\u0301', 'tab  ']) {
      expect(await store.get(slug)).toBeUndefined();
      expect(await store.delete(slug)).toBe(false);
      await expect(store.replace(slug, null, full as never)).rejects.toMatchObject({ status: 409 });
    }
    expect((await rowsOf(`SELECT slug, title FROM ${table} ORDER BY id`)).map(({ title }) => title)).toEqual([
      'strasse',
      'é',
      'tab',
    ]);
  });

  test('a UUID in BINARY(16) as key', async () => {
    await pool.query(`ALTER TABLE ${table} ADD COLUMN uid binary(16) UNIQUE, MODIFY slug varchar(100) NULL`);
    const store = tableStore(pool, {
      table,
      columns: { title: 'string', done: 'boolean' },
      key: (key) =>
        /^[0-9a-f-]{36}$/.test(key) ? { uid: Buffer.from(key.replaceAll('-', ''), 'hex') } : undefined,
    });
    const key = randomUUID();
    const made = await store.replace(key, null, { title: 'x', done: false });
    expect(made?.value).toEqual({ title: 'x', done: false });
    expect(await store.get(key)).toEqual(made);
    expect(await store.get(randomUUID())).toBeUndefined();
    expect(await store.delete(key)).toBe(true);
  });

  test('ids beyond 2^53 are told apart', async () => {
    await pool.query(
      `INSERT INTO ${table} (id, slug, title) VALUES (9007199254740992, 'a', 'even'), (9007199254740993, 'b', 'odd')`,
    );
    const store = tableStore(pool, {
      table,
      columns: { title: 'string' },
      key: (key) => (/^[1-9]\d{0,18}$/.test(key) ? { id: BigInt(key) } : undefined),
    });
    for (const [key, title] of [
      ['9007199254740992', 'even'],
      ['9007199254740993', 'odd'],
    ] as const) {
      const seen = await store.get(key);
      expect(seen?.value.title).toBe(title);
      expect(await store.replace(key, seen?.version ?? '', { title: `${title}!` })).toBeDefined();
    }
    const titles = (await rowsOf(`SELECT title FROM ${table} ORDER BY id`)).map((row) => row['title']);
    expect(titles).toEqual(['even!', 'odd!']);
  });

  describe.each(['REPEATABLE READ', 'READ COMMITTED', 'SERIALIZABLE'])(
    'in a transaction of the app, %s',
    (level) => {
      const told: unknown[] = [];
      const transacted = (
        before: (connection: Awaited<ReturnType<Pool['getConnection']>>) => Promise<unknown>,
      ) =>
        rowStore({
          ...tableRows(pool, { table }),
          ...declared,
          transaction: async (run) => {
            const connection = await pool.getConnection();
            try {
              await connection.query(`SET TRANSACTION ISOLATION LEVEL ${level}`);
              await connection.beginTransaction();
              await before(connection);
              await run(tableRows(connection, { table }), connection);
              await connection.commit();
            } catch (error) {
              await connection.rollback();
              throw error;
            } finally {
              connection.release();
            }
          },
          onWrite: (_tx, { after }) => void told.push(after?.title),
        });
      beforeEach(() => {
        told.length = 0;
      });

      test('that has read before it writes: the write is on what is newest, and reads back as written', async () => {
        const store = transacted((connection) => connection.query(`SELECT * FROM ${table}`));
        const made = await store.replace('a', null, full);
        const written = await store.replace('a', made?.version ?? '', { ...full, title: 'new' });
        expect(written?.value.title).toBe('new');
        expect(await store.get('a')).toEqual(written);
        expect(told).toEqual([full.title, 'new']);
      });

      test('that another has overtaken since its snapshot writes nothing', async () => {
        const other = openStore();
        const made = await other.replace('a', null, full);
        let overtaken = false;
        const store = transacted(async (connection) => {
          if (level !== 'SERIALIZABLE') await connection.query(`SELECT * FROM ${table}`);
          if (overtaken) return;
          overtaken = true;
          await other.replace('a', made?.version ?? '', { ...full, title: 'faster' });
        });
        expect(await store.replace('a', made?.version ?? '', { ...full, title: 'slower' })).toBeUndefined();
        expect((await store.get('a'))?.value.title).toBe('faster');
        expect(told).toEqual([]);
      });

      test('of 20 that count at once none is lost', async () => {
        const store = transacted((connection) => connection.query(`SELECT * FROM ${table}`));
        await openStore().replace('a', null, { ...full, age: 20 });
        const count = async () => {
          for (;;) {
            const seen = await store.get('a');
            const next = { ...seen?.value, age: (seen?.value.age ?? 0) + 1 } as never;
            try {
              if (await store.replace('a', seen?.version ?? '', next)) return;
            } catch (error) {
              // Under SERIALIZABLE those that have all read may be each other's deadlock for longer than the store tries.
              expect(JSON.stringify(error)).toMatch(/1213/);
            }
          }
        };
        await Promise.all(Array.from({ length: 20 }, count));
        expect((await store.get('a'))?.value.age).toBe(40);
      });
    },
  );

  test('a write with autocommit off is an error, and so is a store over a connection, where a transaction may be open', async () => {
    const off = openStore(openPoolWith('SET autocommit = 0', { connectionLimit: 1 }));
    await expect(off.replace('a', null, full as never)).rejects.toMatchObject({
      code: 'PATCH_OPTIONS_AUTOCOMMIT',
    });
    const connection = await pool.getConnection();
    const opening = () => tableStore(connection, { table, ...declared });
    expect(opening).toThrow('is one connection of mysql2, on which your app may have a transaction open');
    connection.release();
  });

  test('the trigger is made by statements that are sent one by one, and fires for every write of the app', async () => {
    const printed = versionTrigger({ table, schema: 'tables', engine: 'mysql' });
    const statements = printed.split(/;\n/).filter((text) => text !== '');
    expect(statements).toHaveLength(5);
    for (const text of [...statements, ...statements]) await pool.query(text);
    const versions = new Set<unknown>();
    const look = async () => {
      const [row] = await rowsOf(`SELECT version FROM ${table} WHERE slug = 'a'`);
      expect(row?.['version']).toMatch(/^[0-9a-f-]{36}$/);
      versions.add(row?.['version']);
    };
    for (const write of [
      `INSERT INTO ${table} (slug, title, version) VALUES ('a', 'x', '')`,
      `UPDATE ${table} SET title = 'y'`,
      `INSERT INTO ${table} (slug, title) VALUES ('a', 'z') ON DUPLICATE KEY UPDATE title = 'w'`,
      `UPDATE ${table} SET version = ''`,
      `REPLACE INTO ${table} (slug, title) VALUES ('a', 'v')`,
    ]) {
      await pool.query(write);
      await look();
    }
    expect(versions.size).toBe(5);
    const store = openStore();
    const seen = await store.get('a');
    const written = await store.replace('a', seen?.version ?? '', { ...seen?.value, age: 8 } as never);
    expect(await store.get('a')).toEqual(written);
  });

  test('names that have to be quoted, whatever quotes mean', async () => {
    const odd = 'odd `"\'?; --';
    await pool.query(
      `CREATE TABLE \`odd \`\`"'?; --\` (\`the \`\`key\`\`\` varbinary(100) PRIMARY KEY, \`a'?"\` text, version varchar(36))`,
    );
    for (const mode of ['ANSI_QUOTES', 'STRICT_TRANS_TABLES']) {
      const store = tableStore(openPoolWith(`SET sql_mode = '${mode}'`), {
        table: odd,
        columns: { a: { kind: 'string?', column: `a'?"` } },
        key: 'the `key`',
      });
      const made = await store.replace(mode, null, { a: '?' });
      expect(made?.value).toEqual({ a: '?' });
      expect(await store.get(mode)).toEqual(made);
    }
  });

  test('a Pool that takes callbacks serves as well', async () => {
    const url = new URL(engine.urls[0]);
    url.pathname = 'tables';
    const callbacks = createCallbackPool(url.href);
    try {
      const store = tableStore(callbacks, { table, ...declared });
      const made = await store.replace('a', null, full);
      expect(await store.get('a')).toEqual(made);
    } finally {
      callbacks.end();
    }
  });
});

test.each([
  { what: 'a pool of mysql', db: { query: () => undefined, escapeId: () => undefined } },
  { what: 'an address', db: 'mysql://127.0.0.1' },
])('$what is refused', ({ db }) => {
  expect(() => tableRows(db as never, { table: 'notes' })).toThrow(ConfigurationError);
  expect(() => tableRows(db as never, { table: 'notes' })).toThrow('createPool() of mysql2');
});
