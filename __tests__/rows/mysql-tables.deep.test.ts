/** Tables of MariaDB as apps have them: collations that fold, modes that cut off, pools that are set up otherwise, snapshots. */
import { randomUUID } from 'node:crypto';
import { createPool as createCallbackPool } from 'mysql2';
import { createPool, type Pool, type PoolConnection, type PoolOptions } from 'mysql2/promise';
import { ConfigurationError } from '../../lib/config/options-check';
import { rowStore, tableRows, tableStore } from '../../lib/rows';
import { describeMariadb, type Engine, startMariadb } from '../support/engines';
import { change, create, replaceAt, stateOf } from '../support/written';

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
      kind enum('a', 'b'), outcomes longtext)`);
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
    const made = await create(store, 'a', full);
    expect(made.value).toEqual(full);
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
    expect((await change(store, 'a', next)).value).toEqual(next);
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
      await change(store, slug, { ...seen?.value, due } as never);
      const [rows] = await own.query(`SELECT due FROM ${table} WHERE slug = ?`, [slug]);
      expect(rows).toEqual([{ due: new Date(due) }]);
    }
  });

  test('dates as text without a zone cannot be read, and the reason names the option', async () => {
    await openStore().replace('a', null, full);
    await expect(openStore(openPool({ dateStrings: true })).get('a')).rejects.toThrow('dateStrings');
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
        const made = await create(store, 'a', full);
        const refusal = { status: 422, problem: { errors: [{ pointer: `/${member}` }] } };
        const next = { ...full, [member]: value } as never;
        await expect(change(store, 'a', next)).rejects.toMatchObject(refusal);
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
      await expect(create(store, slug, full)).rejects.toMatchObject({ status: 409 });
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
    const made = await create(store, key, { title: 'x', done: false });
    expect(made.value).toEqual({ title: 'x', done: false });
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
      await change(store, key, { title: `${title}!` });
    }
    const titles = (await rowsOf(`SELECT title FROM ${table} ORDER BY id`)).map((row) => row['title']);
    expect(titles).toEqual(['even!', 'odd!']);
  });

  describe.each(['REPEATABLE READ', 'READ COMMITTED', 'SERIALIZABLE'])(
    'over a connection with a transaction of the app, %s',
    (level) => {
      const told: unknown[] = [];
      beforeEach(() => {
        told.length = 0;
      });
      /** Runs the app's transaction, which can read before it lets the store write. */
      const within = async (
        act: (store: ReturnType<typeof joined>, connection: PoolConnection) => Promise<void>,
      ) => {
        const connection = await pool.getConnection();
        try {
          await connection.query(`SET TRANSACTION ISOLATION LEVEL ${level}`);
          await connection.beginTransaction();
          await act(joined(connection), connection);
          await connection.commit();
        } catch (error) {
          await connection.rollback();
          throw error;
        } finally {
          connection.release();
        }
      };
      const joined = (connection: PoolConnection) =>
        tableStore(connection, {
          ...{ table, ...declared },
          onWrite: (_tx, { after }) => void told.push(after?.title),
        });

      test('that has read before it writes: the write is on what is newest, and reads back as written', async () => {
        await create(openStore(), 'a', full);
        await within(async (store, connection) => {
          await connection.query(`SELECT * FROM ${table}`);
          const changed = await change(store, 'a', { ...full, title: 'new' });
          expect(changed.value.title).toBe('new');
          expect(await store.get('a')).toEqual(changed);
        });
        expect((await stateOf(openStore(), 'a')).value.title).toBe('new');
        expect(told).toEqual(['new']);
      });

      test('that another has overtaken since its snapshot writes nothing', async () => {
        const made = await create(openStore(), 'a', full);
        await within(async (store, connection) => {
          // Under SERIALIZABLE this would keep the other from writing.
          if (level !== 'SERIALIZABLE') await connection.query(`SELECT * FROM ${table}`);
          await change(openStore(), 'a', { ...full, title: 'faster' });
          expect(await replaceAt(store, 'a', made, { ...full, title: 'slower' })).toMatchObject({
            current: { value: { title: 'faster' } },
          });
        });
        expect((await stateOf(openStore(), 'a')).value.title).toBe('faster');
        expect(told).toEqual([]);
      });

      test('of 20 that count at once none is lost', async () => {
        await create(openStore(), 'a', { ...full, age: 20 });
        const count = async () => {
          for (let isDone = false; !isDone;) {
            const seen = await stateOf(openStore(), 'a');
            await within(async (store, connection) => {
              await connection.query(`SELECT * FROM ${table}`);
              const next = { ...seen.value, age: (seen.value.age ?? 0) + 1 };
              const result = await replaceAt(store, 'a', seen, next);
              isDone = result !== undefined && 'value' in result;
            }).catch((error: unknown) => {
              // All that have read may be each other's deadlock, which is the app's to run again.
              expect(JSON.stringify(error)).toMatch(/1213/);
              isDone = false;
            });
          }
        };
        await Promise.all(Array.from({ length: 8 }, count));
        expect((await stateOf(openStore(), 'a')).value.age).toBe(28);
      });
    },
  );

  test.each(['READ COMMITTED', 'REPEATABLE READ'])(
    'a transaction of the option, %s: of 20 that count at once none is lost',
    async (level) => {
      const store = rowStore({
        ...tableRows(pool, { table }),
        ...declared,
        transaction: async (run) => {
          const connection = await pool.getConnection();
          try {
            await connection.query(`SET TRANSACTION ISOLATION LEVEL ${level}`);
            await connection.beginTransaction();
            await connection.query(`SELECT * FROM ${table}`);
            await run(tableRows(connection, { table }), connection);
            await connection.commit();
          } catch (error) {
            await connection.rollback();
            throw error;
          } finally {
            connection.release();
          }
        },
      });
      await create(store, 'a', { ...full, age: 20 });
      const count = async () => {
        for (;;) {
          const seen = await stateOf(store, 'a');
          const result = await replaceAt(store, 'a', seen, { ...seen.value, age: (seen.value.age ?? 0) + 1 });
          if (result !== undefined && 'value' in result) return;
        }
      };
      await Promise.all(Array.from({ length: 20 }, count));
      expect((await stateOf(store, 'a')).value.age).toBe(40);
    },
  );

  test('a write with autocommit off is an error', async () => {
    const off = openStore(openPoolWith('SET autocommit = 0', { connectionLimit: 1 }));
    await expect(create(off, 'a', full)).rejects.toMatchObject({ code: 'PATCH_OPTIONS_AUTOCOMMIT' });
  });

  test('names that have to be quoted, whatever quotes mean', async () => {
    const odd = 'odd `"\'?; --';
    await pool.query(
      `CREATE TABLE \`odd \`\`"'?; --\` (\`the \`\`key\`\`\` varbinary(100) PRIMARY KEY, \`a'?"\` text)`,
    );
    for (const mode of ['ANSI_QUOTES', 'STRICT_TRANS_TABLES']) {
      const store = tableStore(openPoolWith(`SET sql_mode = '${mode}'`), {
        table: odd,
        columns: { a: { kind: 'string?', column: `a'?"` } },
        key: 'the `key`',
      });
      const made = await create(store, mode, { a: '?' });
      expect(made.value).toEqual({ a: '?' });
      expect(await store.get(mode)).toEqual(made);
    }
  });

  test('a Pool that takes callbacks serves as well', async () => {
    const url = new URL(engine.urls[0]);
    url.pathname = 'tables';
    const callbacks = createCallbackPool(url.href);
    try {
      const store = tableStore(callbacks, { table, ...declared });
      const made = await create(store, 'a', full);
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
