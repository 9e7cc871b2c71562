/** Pools of mysql2 that would change what is written, or read what is stale, and what tableStore leaves prepared on a connection. */
import { createPool, type Pool, type PoolOptions } from 'mysql2/promise';
import { ConfigurationError } from '../../lib/config/options-check';
import { rowStore, tableRows, tableStore } from '../../lib/rows';
import { readExactly, runMysql } from '../../lib/rows/sql/mysql-rows';
import { describeMariadb, type SharedEngine, sharedMariadb } from '../support/engines';
import { change, create, replaceAt, stateOf, written } from '../support/written';

const columns = { title: 'string?', extra: 'json?' } as const;
const row = { columns, key: 'slug' } as const;
const declared = { table: 'notes', ...row } as const;

describeMariadb('a pool of mysql2', () => {
  let engine: SharedEngine;
  let pool: Pool;
  const pools: Pool[] = [];
  const openPool = (options: PoolOptions = {}, first?: string) => {
    const opened = createPool({ uri: engine.urls[0], ...options });
    if (first !== undefined) opened.on('connection', (connection) => void connection.query(first));
    pools.push(opened);
    return opened;
  };
  beforeAll(async () => {
    engine = await sharedMariadb();
    pool = openPool();
    await pool.query(
      `CREATE TABLE notes (slug varchar(64) COLLATE utf8mb4_bin PRIMARY KEY, title text, extra json)`,
    );
  });
  afterAll(async () => {
    await Promise.all(pools.map((opened) => opened.end()));
    await engine.close();
  });
  beforeEach(async () => {
    await pool.query('DELETE FROM notes');
    await pool.query(`INSERT INTO notes VALUES ('a', 'é', '{"e":"é😀"}')`);
  });

  test.each<{
    readonly what: string;
    readonly charset: string;
    readonly options?: PoolOptions;
    readonly first?: string;
  }>([
    { what: 'latin1', charset: 'latin1', options: { charset: 'latin1' } },
    { what: `mysql2's utf8`, charset: 'utf8mb3', options: { charset: 'utf8' } },
    { what: 'a character set that the app sets', charset: 'latin1', first: 'SET NAMES latin1' },
    {
      what: 'that of a database, by SET CHARACTER SET',
      charset: 'latin1',
      first: 'SET character_set_connection = latin1',
    },
    { what: 'results in another', charset: 'latin1', first: 'SET character_set_results = latin1' },
  ])(
    'in $what is refused, by reads and writes, and nothing is written',
    async ({ charset, options, first }) => {
      const other = openPool(options, first);
      const refusal = {
        code: 'PATCH_OPTIONS_CHARSET',
        message: expect.stringContaining(`is ${charset},`) as string,
      };
      const inRows = rowStore({ ...tableRows(other, { table: 'notes' }), ...row });
      for (const store of [tableStore(other, declared), inRows]) {
        await expect(store.get('a')).rejects.toMatchObject(refusal);
        const current = await stateOf(tableStore(pool, declared), 'a');
        const next = { title: 'x', extra: 1 };
        await expect(replaceAt(store, 'a', current, next)).rejects.toMatchObject(refusal);
        await expect(store.replace('😀', null, { title: 'x', extra: 1 })).rejects.toThrow(
          `Set charset: 'utf8mb4' in createPool() of mysql2, and send neither SET NAMES nor SET CHARACTER SET.`,
        );
        await expect(store.delete('a')).rejects.toMatchObject(refusal);
      }
      const [rows] = await pool.query('SELECT * FROM notes');
      expect(rows).toEqual([{ slug: 'a', title: 'é', extra: { e: 'é😀' } }]);
    },
  );

  test.each<{ readonly what: string; readonly options?: PoolOptions; readonly first?: string }>([
    { what: 'by default' },
    { what: 'for utf8mb4', options: { charset: 'utf8mb4' } },
    { what: 'not to convert results', first: 'SET character_set_results = NULL' },
  ])('that is set up $what keeps every key and member', async ({ options, first }) => {
    const store = tableStore(openPool(options, first), declared);
    const seen = await store.get('a');
    expect(seen?.value).toEqual({ title: 'é', extra: { e: 'é😀' } });
    await store.replace('😀', null, { title: '😁', extra: null });
    expect(await store.get('😁')).toBeUndefined();
    expect((await store.get('😀'))?.value.title).toBe('😁');
  });

  test('in latin1, JSON is decoded as it was sent', async () => {
    const text = `SELECT extra FROM notes WHERE slug = ?`;
    for (const charset of ['latin1', 'utf8', 'utf8mb4']) {
      await pool.query(`UPDATE notes SET extra = '{"e":"é"}'`);
      expect(await runMysql(openPool({ charset }), { text, values: ['a'] })).toEqual([
        { extra: '{"e":"é"}' },
      ]);
    }
  });

  test('with autocommit off is refused by the first read, and by the first write', async () => {
    const refusal = {
      code: 'PATCH_OPTIONS_AUTOCOMMIT',
      message: expect.stringContaining('keep reading') as string,
    };
    const off = () => tableStore(openPool({}, 'SET autocommit = 0'), declared);
    await expect(off().get('a')).rejects.toMatchObject(refusal);
    const current = await stateOf(tableStore(pool, declared), 'a');
    const next = { title: 'x', extra: 1 };
    await expect(replaceAt(off(), 'a', current, next)).rejects.toMatchObject(refusal);
    await expect(off().replace('new', null, next)).rejects.toMatchObject(refusal);
    await expect(off().delete('a')).rejects.toMatchObject(refusal);
  });

  test('is asked once, and again only after an error', async () => {
    const sent: string[] = [];
    const counted = {
      query: () => undefined,
      getConnection: () => pool.getConnection(),
      execute: (statement: { readonly sql: string }) => {
        sent.push(statement.sql);
        if (sent.length === 1) return Promise.reject(new Error('gone'));
        return pool.execute(statement as never);
      },
    };
    const store = tableStore(counted as never, declared);
    await expect(store.get('a')).rejects.toThrow('gone');
    await Promise.all([store.get('a'), store.get('a')]);
    await store.get('a');
    expect(sent.filter((text) => text.includes('@@'))).toHaveLength(2);
    expect(sent).toHaveLength(5);
  });

  const wide = Array.from({ length: 7 }, (_, i) => `c${i}`);
  const integers = Object.fromEntries(wide.map((name) => [name, 'integer?' as const]));
  const none = Object.fromEntries(wide.map((name) => [name, null as number | null]));

  test.each([
    {
      what: 'tableStore',
      open: (few: Pool) => tableStore(few, { ...declared, table: 'wide', columns: integers }),
    },
    {
      what: 'tableRows',
      open: (few: Pool) => rowStore({ ...tableRows(few, { table: 'wide' }), ...row, columns: integers }),
    },
  ])(
    'keeps at most a hundred statements prepared by $what, whatever columns are written',
    async ({ open }) => {
      await pool.query(
        `CREATE OR REPLACE TABLE wide (slug varchar(64) PRIMARY KEY, ${wide.map((name) => `${name} int`).join(', ')})`,
      );
      const few = openPool({ connectionLimit: 1 });
      const store = open(few);
      /** On the one connection of the pool: those of the other test files are counted with all others of the engine. */
      const countPrepared = async () => {
        const count = async (name: string) => {
          const [rows] = await few.query(`SHOW SESSION STATUS LIKE 'Com_stmt_${name}'`);
          return Number((rows as { Value: string }[])[0]?.Value);
        };
        return (await count('prepare')) - (await count('close'));
      };
      let seen = await create(store, 'a', none);
      for (let set = 1; set < 2 ** wide.length; set++) {
        const changed = wide.filter((_, i) => ((set >> i) & 1) === 1).map((name) => [name, set]);
        const next = { ...seen.value, ...Object.fromEntries(changed) } as typeof none;
        seen = written(await replaceAt(store, 'a', seen, next));
        expect(seen.value).toEqual(next);
      }
      expect(await countPrepared()).toBeGreaterThan(50);
      expect(await countPrepared()).toBeLessThanOrEqual(110);
      // One that was closed is prepared anew.
      await change(store, 'a', { ...seen.value, c0: -1 });
    },
  );
});

test('JSON of MySQL is decoded as UTF-8, and that of MariaDB as the column of text that it is', () => {
  const asked: unknown[] = [];
  const field = (type: string) => ({
    type,
    ...(type === 'BLOB' && { extendedFormat: 'json' }),
    string: (encoding?: string) => (asked.push(encoding), '{}'),
  });
  for (const type of ['JSON', 'BLOB', 'NEWDECIMAL']) readExactly(field(type), () => 'never');
  expect(asked).toEqual(['utf8', undefined, undefined]);
});

test.each([tableStore, (db: never) => tableRows(db, { table: 'notes' })])(
  'a pool or connection of npm mariadb is refused, by %p',
  (make) => {
    const method = () => undefined;
    const client = { execute: method, query: method, getConnection: method, batch: method, escapeId: method };
    for (const given of [client, { ...client, prepare: method, importFile: method }]) {
      expect(() => make(given as never, declared)).toThrow(ConfigurationError);
      expect(() => make(given as never, declared)).toThrow('[store-client-unknown]');
    }
  },
);
