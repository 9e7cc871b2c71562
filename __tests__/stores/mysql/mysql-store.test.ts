import { randomUUID } from 'node:crypto';
import { createPool as createCallbackPool } from 'mysql2';
import { createPool, type Pool, type PoolOptions } from 'mysql2/promise';
import { ConfigurationError } from '../../../lib/config/options-check';
import { MysqlStore, type MysqlPool } from '../../../lib/stores/mysql';
import { storeConformance } from '../../../lib/testing/store-conformance';
import { describePatchesOver } from '../../patch/tables/index';
import { isDeep } from '../../support/deep-scale';
import { describeMariadb, type SharedEngine, sharedMariadb } from '../../support/engines';
import { testCases } from '../../support/test-cases';
import { describeMissingTables } from '../sql/describe-missing-tables';

const outcome = { id: 'a', scope: 's', text: () => 'the text', keep: 10, total: 100, maxAge: 60 };
const newName = () => `t ${randomUUID()}`;

describeMariadb('MysqlStore', () => {
  let engine: SharedEngine;
  /** In latin1, which is the default of MariaDB: no table of the store may take anything from it. */
  let database: string;
  const pools: Pool[] = [];
  const openPool = (options: PoolOptions = {}, variant = '') => {
    const url = new URL(engine.urls[0]);
    url.pathname += variant;
    const pool = createPool({ uri: url.href, ...options });
    pools.push(pool);
    return pool;
  };
  /** A pool whose connections begin with a statement. */
  const openPoolWith = (first: string, options?: PoolOptions) => {
    const pool = openPool(options);
    pool.on('connection', (connection) => void connection.query(first));
    return pool;
  };
  const rowsOf = async (pool: Pool, sql: string) => {
    const [rows] = await pool.query(sql);
    return rows as Record<string, unknown>[];
  };

  let admin: Pool;
  beforeAll(async () => {
    engine = await sharedMariadb();
    database = new URL(engine.urls[0]).pathname.slice(1);
    admin = openPool({ multipleStatements: true });
    await admin.query(`SET GLOBAL max_connections = 1000;
      ALTER DATABASE ${database} CHARACTER SET latin1 COLLATE latin1_swedish_ci;
      CREATE DATABASE ${database}_general CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;
      CREATE DATABASE ${database}_unicode CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
  }, 60_000);
  afterAll(async () => {
    await admin.query(`DROP DATABASE ${database}_general; DROP DATABASE ${database}_unicode`);
    await Promise.all(pools.map((pool) => pool.end()));
    await engine.close();
  });

  const isolation = (level: string) => `SET SESSION TRANSACTION ISOLATION LEVEL ${level}`;

  describe.each<{ readonly what: string; readonly open: () => Pool }>(
    [
      { what: 'with a pool as it is by default', open: () => openPool() },
      { what: 'in a database of utf8mb4_general_ci', open: () => openPool({}, '_general') },
      { what: 'in a database of utf8mb4_unicode_ci', open: () => openPool({}, '_unicode') },
      { what: 'under SERIALIZABLE', open: () => openPoolWith(isolation('SERIALIZABLE')) },
      { what: 'under READ COMMITTED', open: () => openPoolWith(isolation('READ COMMITTED')) },
      {
        what: 'with a connection in latin1, and rows as it pleases your app',
        open: () =>
          openPoolWith(
            `SET time_zone = '-05:30', sql_mode = 'ANSI,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH'`,
            {
              ...{ charset: 'latin1_swedish_ci', rowsAsArray: true, nestTables: true, dateStrings: true },
              ...{ supportBigNumbers: true, bigNumberStrings: true, timezone: '+09:00', typeCast: false },
              ...{ namedPlaceholders: true, resetOnRelease: false, flags: ['-FOUND_ROWS'] },
            },
          ),
      },
      { what: 'with connections that are reset', open: () => openPool({ resetOnRelease: true }) },
    ].filter((_, i) => isDeep() || i === 0),
  )('keeps the contract of ResourceStore $what', ({ open }) => {
    let first: Pool | undefined;
    let second: Pool | undefined;
    const table = newName();
    const cases = storeConformance(() => {
      const waiting = [(first ??= open()), (second ??= open())];
      return {
        async open() {
          const pool = waiting.shift() ?? first;
          if (pool === undefined) throw new Error('no pool');
          const store = new MysqlStore(pool, { table });
          await store.setup();
          return store;
        },
      };
    });
    testCases(cases);

    test('and no case is skipped but for those of tables with columns', () => {
      const skipped = cases.flatMap(({ skip }) => skip ?? []);
      expect(skipped.filter((reason) => !reason.startsWith('the option members has no '))).toEqual([]);
    });
  });

  describe('of a table of its own', () => {
    let pool: Pool;
    beforeAll(() => {
      pool = openPool({ connectionLimit: 10 });
    });

    /** The pool, and the statements that were sent through it. */
    const counted = () => {
      const sent: string[] = [];
      const through: MysqlPool = {
        execute: (statement) => {
          sent.push(statement.sql);
          return pool.execute(statement);
        },
        getConnection: async () => {
          const connection = await pool.getConnection();
          return {
            execute: (statement) => {
              sent.push(statement.sql);
              return connection.execute(statement);
            },
            beginTransaction: () => (sent.push('BEGIN'), connection.beginTransaction()),
            commit: () => (sent.push('COMMIT'), connection.commit()),
            rollback: () => (sent.push('ROLLBACK'), connection.rollback()),
            release: () => {
              connection.release();
            },
            destroy: () => {
              connection.destroy();
            },
          };
        },
      };
      return { sent, pool: through };
    };
    const opened = async (table = newName()) => {
      const store = new MysqlStore<unknown>(pool, { table });
      await store.setup();
      return { store, table };
    };

    test('a Pool that takes callbacks serves as well', async () => {
      const url = new URL(engine.urls[0]);
      const callbacks = createCallbackPool(url.href);
      try {
        const store = new MysqlStore(callbacks, { table: newName() });
        await store.setup();
        const made = await store.replace('key', null, 1, { outcome });
        expect(await store.get('key', { outcome })).toEqual({ ...made, outcome: 'the text', value: 1 });
      } finally {
        callbacks.end();
      }
    });

    test.each([
      { what: 'a table', name: () => ({ table: newName() }) },
      { what: 'a database and a table', name: () => ({ schema: newName(), table: newName() }) },
    ])('setup of $what succeeds for eight at once, and again', async ({ name }) => {
      const store = new MysqlStore(pool, name());
      await Promise.all(Array.from({ length: 8 }, () => store.setup()));
      await store.setup();
      expect(await store.replace('key', null, 1, { outcome })).toBeDefined();
    });

    test('setup of what is there needs no right to create', async () => {
      const [user, table] = [`u${randomUUID().slice(0, 8)}`, newName()];
      await new MysqlStore(pool, { table }).setup();
      await admin.query(
        `CREATE USER ${user}@'%'; GRANT SELECT, INSERT, UPDATE, DELETE ON ${database}.* TO ${user}@'%'`,
      );
      const limited = openPool({ user, password: '' });
      await expect(new MysqlStore(limited, { table: newName() }).setup()).rejects.toMatchObject({
        code: 'ER_TABLEACCESS_DENIED_ERROR',
      });
      const store = new MysqlStore(limited, { table });
      await store.setup();
      const made = await store.replace('key', null, 1, { outcome });
      expect(
        await store.replace('key', made?.version ?? '', 2, { outcome: { ...outcome, id: 'b' } }),
      ).toBeDefined();
    });

    test.each(['', '_outcomes'])(
      'setup says at start that a table of the name, with %p behind it, has other columns',
      async (suffix) => {
        const table = newName();
        await pool.query(`CREATE TABLE \`${table}${suffix}\` (id int)`);
        await expect(new MysqlStore(pool, { table }).setup()).rejects.toMatchObject({
          code: 'ER_BAD_FIELD_ERROR',
        });
      },
    );

    test('a migration by hand may run what setup runs', async () => {
      const name = { schema: newName(), table: newName() };
      await admin.query(MysqlStore.setupSql(name));
      expect(await new MysqlStore(pool, name).replace('key', null, 1, { outcome })).toBeDefined();
    });

    describeMissingTables({
      name: 'MysqlStore',
      fault: (table) => new RegExp(`^Table '[^']*\\.${table}' doesn't exist$`),
      deletesOutcomes: false,
      open: () => {
        const table = newName();
        const exec = (sql: string) => pool.query(sql);
        return {
          store: new MysqlStore(pool, { table }),
          table,
          quoted: (name) => `\`${name}\``,
          exec,
          addTrigger: (table, into) =>
            exec(`CREATE TRIGGER \`on ${table}\` AFTER INSERT ON \`${table}\`
              FOR EACH ROW INSERT INTO \`${into}\` VALUES (1)`),
        };
      },
    });

    test('without setup, the error names the database', async () => {
      const name = { schema: newName(), table: newName() };
      await expect(new MysqlStore(pool, name).get('key')).rejects.toMatchObject({
        code: 'PATCH_OPTIONS_MISSING_TABLE',
        message: expect.stringContaining(`the table "${name.schema}.${name.table}":`) as string,
      });
    });

    test('an outcome is a row, and goes with its resource, also where your app deletes or renames that', async () => {
      const { store, table } = await opened();
      const made = await store.replace('key', null, 1, { outcome });
      await store.replace('key', made?.version ?? '', 2, { outcome: { ...outcome, id: 'b', scope: 't' } });
      const rows = await rowsOf(pool, `SELECT * FROM \`${table}_outcomes\` ORDER BY number`);
      expect(rows).toMatchObject([
        { key: Buffer.from('key'), number: 1, scope: 's', scope_number: 1, id: 'a', outcome: 'the text' },
        { key: Buffer.from('key'), number: 2, scope: 't', scope_number: 1, id: 'b', outcome: 'the text' },
      ]);
      await pool.query(`UPDATE \`${table}\` SET \`key\` = 'renamed'`);
      expect((await store.get('renamed', { outcome }))?.outcome).toBe('the text');
      await pool.query(`DELETE FROM \`${table}\``);
      expect(await rowsOf(pool, `SELECT * FROM \`${table}_outcomes\``)).toEqual([]);
    });

    test('what is over its age is forgotten at the next write, and one of the same id is kept anew', async () => {
      const { store, table } = await opened();
      let seen = await store.replace('key', null, 0, { outcome });
      for (const id of ['b', 'c']) {
        seen = await store.replace('key', seen?.version ?? '', id, { outcome: { ...outcome, id } });
      }
      await pool.query(
        `UPDATE \`${table}_outcomes\` SET expires = expires - INTERVAL 2 MINUTE WHERE id <> 'b'`,
      );
      expect((await store.get('key', { outcome }))?.outcome).toBeUndefined();
      await store.replace('key', seen?.version ?? '', 'again', {
        outcome: { ...outcome, id: 'c', text: () => 'new' },
      });
      const rows = await rowsOf(
        pool,
        `SELECT id, number, outcome FROM \`${table}_outcomes\` ORDER BY number`,
      );
      expect(rows).toEqual([
        { id: 'b', number: 2, outcome: 'the text' },
        { id: 'c', number: 4, outcome: 'new' },
      ]);
    });

    test('one round trip to read, one to write, and five to write with an outcome', async () => {
      const { sent, pool: through } = counted();
      const store = new MysqlStore(through, { table: newName() });
      await store.setup();
      sent.length = 0;
      const made = await store.replace('key', null, 1);
      await store.get('key');
      const second = await store.replace('key', made?.version ?? '', 2);
      await store.get('key', { outcome });
      await store.delete('gone');
      expect(sent).toHaveLength(5);
      sent.length = 0;
      await store.replace('key', second?.version ?? '', 3, { outcome });
      expect(sent.map((text) => text.trim().split(/\s/)[0])).toEqual([
        'SELECT',
        'BEGIN',
        'UPDATE',
        'INSERT',
        'COMMIT',
      ]);
    });

    test('what is read in one turn is one statement, whatever the keys, for up to 32 of them', async () => {
      const { sent, pool: through } = counted();
      const store = new MysqlStore(through, { table: newName() });
      await store.setup();
      const keys = [
        ...[
          '',
          'a',
          'A',
          'a ',
          'á',
          'a\u0301',
          'NULL',
          '"',
          '\\',
          "'",
          '?',
          ':a',
          'ß',
          'ss',
          'SS',
          'ﬀ',
          'ff',
        ],
        ...['😀', '😁', '\n', '\t', 'İ', 'i', 'ı', 'Ａ', '\u00ad', '\u200b', 'K', 'k', '\u2126', 'Ω'],
      ];
      for (const key of keys) await store.replace(key, null, { key });
      sent.length = 0;
      const found = await Promise.all([...keys, 'absent', 'a\0'].map((key) => store.get(key)));
      expect(found.map((stored) => stored?.value)).toEqual([
        ...keys.map((key) => ({ key })),
        undefined,
        undefined,
      ]);
      expect(sent).toHaveLength(1);

      sent.length = 0;
      await Promise.all(Array.from({ length: 65 }, (_, i) => store.get(String(i))));
      expect(sent).toHaveLength(3);
      expect(new Set(sent).size).toBe(2);
    });

    test('whose client has gone reads nothing', async () => {
      const { sent, pool: through } = counted();
      const reason = new Error('gone');
      const store = new MysqlStore(through, { table: newName() });
      await expect(store.get('a', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
      expect(sent).toEqual([]);
    });

    test('your app lists with its own query, on the columns that are documented', async () => {
      const { store, table } = await opened();
      const made = await store.replace('a', null, { title: 'é😀' });
      const rows = await rowsOf(
        openPool({ timezone: 'Z' }),
        `SELECT CONVERT(\`key\` USING utf8mb4) AS \`key\`, JSON_VALUE(value, '$.title') AS title, version, modified FROM \`${table}\` WHERE \`key\` = 'a'`,
      );
      expect(rows).toEqual([{ key: 'a', title: 'é😀', version: made?.version, modified: made?.modified }]);
      expect(Math.abs(Date.now() - (made?.modified?.getTime() ?? 0))).toBeLessThan(60_000);
    });

    test('a version that your app has written by hand is told apart to the byte', async () => {
      const { store, table } = await opened();
      await store.replace('a', null, 1);
      await pool.query(`UPDATE \`${table}\` SET version = 'Mine'`);
      expect((await store.get('a'))?.version).toBe('Mine');
      for (const version of ['mine', 'Mine ', 'Miné', '']) {
        expect(await store.replace('a', version, 2)).toBeUndefined();
        expect(await store.replace('a', version, 2, { outcome })).toBeUndefined();
        expect(await store.delete('a', version)).toBe(false);
      }
      expect(await store.replace('a', 'Mine', 2, { outcome })).toBeDefined();
    });

    test('a value that the server would not take is a 413 problem, and the pool serves on', async () => {
      const { store } = await opened();
      await admin.query('SET GLOBAL max_allowed_packet = 1048576');
      try {
        const small = new MysqlStore<string>(openPool(), { table: newName() });
        await small.setup();
        await expect(small.replace('a', null, 'x'.repeat(1_000_000))).rejects.toMatchObject({
          status: 413,
          code: 'limit-result',
        });
        const made = await small.replace('a', null, 'x'.repeat(980_000), { outcome });
        expect((await small.get('a', { outcome }))?.value).toBe(made?.value);
      } finally {
        await admin.query('SET GLOBAL max_allowed_packet = 16777216');
      }
      const long = '😀'.repeat(3_000_000);
      await store.replace('long', null, long);
      expect((await store.get('long'))?.value === long).toBe(true);
    });

    test('a connection that is killed in the middle fails its own request alone, and leaves nothing half done', async () => {
      const { store, table } = await opened();
      const made = await store.replace('key', null, 0);
      const few = openPool({ connectionLimit: 2 });
      const cut: MysqlPool = {
        execute: (statement) => few.execute(statement),
        getConnection: async () => {
          const connection = await few.getConnection();
          return {
            execute: async (statement) => {
              if (statement.sql.startsWith('INSERT')) await admin.query(`KILL ${connection.threadId}`);
              return connection.execute(statement);
            },
            beginTransaction: () => connection.beginTransaction(),
            commit: () => connection.commit(),
            rollback: () => connection.rollback(),
            release: () => {
              connection.release();
            },
            destroy: () => {
              connection.destroy();
            },
          };
        },
      };
      const torn = new MysqlStore(cut, { table });
      for (let time = 0; time < 5; time++) {
        const replaced = torn.replace('key', made?.version ?? '', 1, { outcome });
        await expect(replaced).rejects.toThrow(/closed|lost|reset|ended|EPIPE|killed/i);
        expect(await store.get('key', { outcome })).toEqual({ ...made, value: 0 });
      }
      expect(
        await new MysqlStore(few, { table }).replace('key', made?.version ?? '', 1, { outcome }),
      ).toBeDefined();
    });

    test('a write with autocommit off is an error, and no success', async () => {
      const { table } = await opened();
      const store = new MysqlStore(openPoolWith('SET autocommit = 0'), { table });
      await expect(store.replace('a', null, 1)).rejects.toMatchObject({ code: 'PATCH_OPTIONS_AUTOCOMMIT' });
      await expect(store.replace('b', null, 1, { outcome })).rejects.toMatchObject({
        code: 'PATCH_OPTIONS_AUTOCOMMIT',
      });
      const other = new MysqlStore(pool, { table });
      expect([await other.get('a'), await other.get('b')]).toEqual([undefined, undefined]);
    });

    test('setup with autocommit off is an error', async () => {
      const { table } = await opened();
      const store = new MysqlStore(openPoolWith('SET autocommit = 0'), { table });
      await expect(store.setup()).rejects.toMatchObject({ code: 'PATCH_OPTIONS_AUTOCOMMIT' });
      await expect(store.setup()).rejects.toThrow('keep reading the state of its first read');
    });

    test.each(['n'.repeat(47), 'Ü'.repeat(23), '日'.repeat(15), 'a b`c"d', ' n', '\u00a0'])(
      'the table may have the name %p',
      async (name) => {
        const { store } = await opened(name);
        expect(await store.replace('key', null, 1, { outcome })).toBeDefined();
        await pool.query('DROP TABLE ??, ??', [`${name}_outcomes`, name]);
      },
    );

    test('modified is read where a trigger of the app inserts into a table with row ids', async () => {
      const { store, table } = await opened();
      const audit = newName();
      await admin.query(`CREATE TABLE \`${audit}\` (id int PRIMARY KEY AUTO_INCREMENT, at text)`);
      for (const event of ['INSERT', 'UPDATE']) {
        await admin.query(`CREATE TRIGGER \`${event} ${table}\` AFTER ${event} ON \`${table}\`
          FOR EACH ROW INSERT INTO \`${audit}\` (at) VALUES ('x')`);
      }
      const made = await store.replace('key', null, 1);
      expect(await store.get('key')).toEqual(made);
      const next = await store.replace('key', made?.version ?? '', 2, { outcome });
      expect(await store.get('key')).toEqual(next);
      expect(Math.abs(Date.now() - (next?.modified?.getTime() ?? 0))).toBeLessThan(60_000);
    });

    test('a second unique index that refuses a write is an error, and no key that exists', async () => {
      const { store, table } = await opened();
      await pool.query(`ALTER TABLE \`${table}\` ADD title varchar(50) AS (JSON_VALUE(value, '$.title')) PERSISTENT,
        ADD UNIQUE uq (title)`);
      const key = '\xe9\u{1f600}'.repeat(150);
      await store.replace(key, null, { title: `'PRIMARY'` });
      const twice = store.replace('b', null, { title: `'PRIMARY'` });
      await expect(twice).rejects.toMatchObject({ code: 'ER_DUP_ENTRY' });
      expect(await store.replace(key, null, { title: 'other' })).toBeUndefined();
      expect(await store.replace(key, null, { title: 'other' }, { outcome })).toBeUndefined();
      const inGerman = new MysqlStore(openPoolWith(`SET lc_messages = 'de_DE'`), { table });
      expect(await inGerman.replace(key, null, { title: 'other' })).toBeUndefined();
    });

    test('a server that is read-only says so, and is written to again when it no longer is', async () => {
      const { store, table } = await opened();
      const user = `u${randomUUID().slice(0, 8)}`;
      await admin.query(
        `CREATE USER ${user}@'%'; GRANT SELECT, INSERT, UPDATE, DELETE ON ${database}.* TO ${user}@'%'`,
      );
      const limited = new MysqlStore(openPool({ user, password: '' }), { table });
      await admin.query('SET GLOBAL read_only = 1');
      try {
        for (const context of [{}, { outcome }]) {
          await expect(limited.replace('a', null, 1, context)).rejects.toMatchObject({ errno: 1290 });
        }
      } finally {
        await admin.query('SET GLOBAL read_only = 0');
      }
      expect(await limited.replace('a', null, 1, { outcome })).toBeDefined();
      expect((await store.get('a'))?.value).toBe(1);
    });

    test('a fault of the pool passes through as it is', async () => {
      const ended = createPool(engine.urls[0]);
      await ended.end();
      const store = new MysqlStore(ended, { table: 'notes' });
      await expect(store.get('key')).rejects.toThrow('Pool is closed');
      await expect(store.replace('key', null, 1, { outcome })).rejects.toThrow('Pool is closed');
    });
  });

  if (isDeep()) {
    describe('PATCH over it', () => {
      const table = newName();
      let pool: Pool;
      beforeAll(async () => {
        pool = openPool();
        await new MysqlStore(pool, { table }).setup();
      });

      describePatchesOver(() => Promise.resolve(new MysqlStore(pool, { table })));
    });
  }
});

describe('MysqlStore refuses at start', () => {
  const pool = { execute: () => undefined, getConnection: () => undefined };

  test.each<{
    readonly title: string;
    readonly given: unknown;
    readonly options: object;
    readonly message: string;
  }>([
    {
      title: 'a URL',
      given: 'mysql://localhost',
      options: { table: 'notes' },
      message: `pool: 'mysql://localhost' is not a pool of mysql2`,
    },
    {
      title: 'one connection',
      given: { execute: pool.execute },
      options: { table: 'notes' },
      message: 'is not a pool of mysql2',
    },
    {
      title: 'a pool of npm mariadb',
      given: { ...pool, query: pool.execute, batch: pool.execute, importFile: pool.execute },
      options: { table: 'notes' },
      message: 'is not a pool of mysql2. Pass createPool() of mysql2/promise.',
    },
    { title: 'no table', given: pool, options: {}, message: 'table: undefined must be a non-empty string' },
    {
      title: 'a name that has no room for what is made of it',
      given: pool,
      options: { table: 'n'.repeat(48) },
      message: 'longer than 47 bytes',
    },
    {
      title: 'a name that ends in a space',
      given: pool,
      options: { table: 'notes ' },
      message: 'ends in a space',
    },
    {
      title: 'a database whose name has an emoji',
      given: pool,
      options: { table: 'notes', schema: '😀' },
      message: 'beyond U+FFFF',
    },
    {
      title: 'a name of the engine',
      given: pool,
      options: { table: '#sql-1' },
      message: 'the database reserves',
    },
    {
      title: 'a misspelt option',
      given: pool,
      options: { table: 'notes', shema: 'app' },
      message: `Did you mean 'schema'?`,
    },
  ])('$title', ({ given, options, message }) => {
    const make = () => new MysqlStore(given as Pool, options as { table: string });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(message);
  });

  test('every mistake at once, and in setupSql too', () => {
    expect(() => MysqlStore.setupSql({ table: '', schema: '' })).toThrow(/table: ''[^]*schema: ''/);
  });
});
