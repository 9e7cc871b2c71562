import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { ConfigurationError } from '../../../lib/config/options-check';
import { PostgresStore } from '../../../lib/stores/postgres/postgres-store';
import { isDeep } from '../../support/deep-scale';
import { type SharedEngine, sharedPostgres } from '../../support/engines';
import { describePatchesOver } from '../../patch/tables/index';
import { describeTables } from '../sql/describe-tables';
import { describeContract, ways } from './describe-contract';

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedPostgres();
});
afterAll(() => engine.close());

const outcome = { id: 'a', scope: 's', text: () => 'the text', keep: 10, total: 100, maxAge: 60 };

describeContract(isDeep() ? ways : ways.slice(0, 1), () => engine);

describe('PostgresStore', () => {
  let pool: Pool;
  beforeAll(() => {
    pool = new Pool({ connectionString: engine.urls[0], max: 10 });
    pool.on('error', () => undefined); // the engine may stop before the last connection has ended
  });
  afterAll(() => pool.end());

  /** The pool, and the statements that were sent through it. */
  const counted = () => {
    const sent: { name?: string; text: string }[] = [];
    const query = (statement: { name?: string; text: string; values?: string[] }) => {
      sent.push(statement);
      return pool.query(statement);
    };
    return { sent, pool: { query } };
  };
  const newName = () => `t ${randomUUID()}`;

  test('a table may begin with pg_, as a schema may not', async () => {
    const store = new PostgresStore(pool, { table: `pg_${randomUUID()}` });
    await store.setup();
    expect(await store.replace('key', null, 1, { outcome })).toBeDefined();
  });

  test.each([
    { encoding: 'LATIN1', end: '22P05' },
    { encoding: 'EUC_JIS_2004', end: '22P05' },
    { encoding: 'SQL_ASCII', end: 'set up' },
  ])('setup in a database in $encoding: $end', async ({ encoding, end }) => {
    const database = `d${randomUUID()}`;
    await pool.query(`CREATE DATABASE "${database}" ENCODING ${encoding} TEMPLATE template0`);
    const url = new URL(engine.urls[0]);
    url.pathname = database;
    const elsewhere = new Pool({ connectionString: url.href });
    try {
      await elsewhere.query(PostgresStore.setupSql({ table: 'there' }));
      for (const table of ['missing', 'there']) {
        const setup = new PostgresStore(elsewhere, { table }).setup();
        const codeOf = (error: unknown) => (error as { code: string }).code;
        expect(await setup.then(() => 'set up', codeOf)).toBe(end);
      }
    } finally {
      await elsewhere.end();
      await pool.query(`DROP DATABASE "${database}"`);
    }
  });

  test.each([
    { what: 'a table', name: () => ({ table: newName() }) },
    { what: 'a schema and a table', name: () => ({ schema: newName(), table: newName() }) },
  ])('setup of $what succeeds for eight at once, and again', async ({ name }) => {
    const store = new PostgresStore(pool, name());
    await Promise.all(Array.from({ length: 8 }, () => store.setup()));
    await store.setup();
    expect(await store.replace('key', null, 1)).toBeDefined();
  });

  test('setup of what is there needs no right to create', async () => {
    const [role, table] = [`r${randomUUID()}`, newName()];
    await new PostgresStore(pool, { table }).setup();
    await pool.query(
      `CREATE ROLE "${role}"; GRANT SELECT, INSERT, UPDATE, DELETE ON "${table}" TO "${role}"`,
    );
    const limited = new Pool({ connectionString: engine.urls[0], options: `-c role=${role}` });
    try {
      await expect(new PostgresStore(limited, { table: newName() }).setup()).rejects.toMatchObject({
        code: '42501',
      });
      const store = new PostgresStore(limited, { table });
      await store.setup();
      expect(await store.replace('key', null, 1)).toBeDefined();
    } finally {
      await limited.end();
    }
  });

  test('setup in a schema that is there needs no right to create schemas', async () => {
    const [role, schema, table] = [`r${randomUUID()}`, newName(), newName()];
    await pool.query(`CREATE ROLE "${role}"; CREATE SCHEMA "${schema}" AUTHORIZATION "${role}"`);
    const limited = new Pool({ connectionString: engine.urls[0], options: `-c role=${role}` });
    try {
      const store = new PostgresStore(limited, { schema, table });
      await store.setup();
      expect(await store.replace('key', null, 1, { outcome })).toBeDefined();
      await limited.query(`DROP TABLE "${schema}"."${table}"`);
      await store.setup();
      expect(await store.replace('key', null, 1, { outcome })).toBeDefined();
      await expect(new PostgresStore(limited, { schema: newName(), table }).setup()).rejects.toMatchObject({
        code: '42501',
      });
    } finally {
      await limited.end();
    }
  });

  describeTables({
    name: 'PostgresStore',
    fault: (table) => new RegExp(`^relation "${table}" does not exist$`),
    columnFault: (column) => `column "${column}" does not exist`,
    setupSql: (table) => PostgresStore.setupSql({ table }),
    open: () => {
      const table = newName();
      const exec = (sql: string) => pool.query(sql);
      return {
        store: new PostgresStore(pool, { table }),
        table,
        quoted: (name) => `"${name}"`,
        exec,
        addTrigger: (table, into) =>
          exec(`CREATE FUNCTION "on ${table}"() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN INSERT INTO "${into}" VALUES (1); RETURN NEW; END $$;
            CREATE TRIGGER t AFTER INSERT ON "${table}" FOR EACH ROW EXECUTE FUNCTION "on ${table}"()`),
      };
    },
  });

  test('without setup, the error names the schema, in which a migration may run what setup runs', async () => {
    const name = { schema: newName(), table: newName() };
    await expect(new PostgresStore(pool, name).get('key')).rejects.toMatchObject({
      code: 'PATCH_OPTIONS_MISSING_TABLE',
      message: expect.stringContaining(`the table "${name.schema}.${name.table}":`) as string,
      cause: { code: '42P01' },
    });
    await pool.query(PostgresStore.setupSql(name));
    expect(await new PostgresStore(pool, name).replace('key', null, 1)).toBeDefined();
  });

  test('one round trip to read, one to write, each a statement prepared under its name', async () => {
    const { sent, pool } = counted();
    const store = new PostgresStore(pool, { table: newName() });
    await store.setup();
    sent.length = 0;
    const made = await store.replace('key', null, 1);
    await store.get('key');
    await store.replace('key', made?.version ?? '', 2);
    await store.delete('key');
    const other = await store.replace('other', null, 1, { outcome });
    const current = await store.get('other', { outcome });
    await store.replace('other', other?.version ?? '', 2, {
      outcome: { ...outcome, id: 'b' },
      ...(current && { current }),
    });
    expect(sent).toHaveLength(7);
    expect(new Set(sent.map(({ name }) => name)).size).toBe(5);
    for (const { name = '' } of sent) expect(name).toMatch(/^patch-options-.{22}$/);
  });

  test('what is read in one turn is one statement, whatever the keys, for up to 32 of them', async () => {
    const { sent, pool } = counted();
    const store = new PostgresStore(pool, { table: newName() });
    await store.setup();
    const keys = [
      '',
      'a',
      'A',
      'NULL',
      'null',
      '"',
      '\\',
      '\\"',
      '{}',
      'a,b',
      '{"a","b"}',
      ' a ',
      "'",
      '$1',
      'ä',
      '😀',
      '\n',
    ];
    for (const key of keys) await store.replace(key, null, { key });
    sent.length = 0;
    const found = await Promise.all([...keys, 'absent', 'a', 'a\0'].map((key) => store.get(key)));
    expect(found.map((stored) => stored?.value)).toEqual([
      ...keys.map((key) => ({ key })),
      undefined,
      { key: 'a' },
      undefined,
    ]);
    expect(sent).toHaveLength(1);

    sent.length = 0;
    await Promise.all(Array.from({ length: 65 }, (_, i) => store.get(String(i))));
    expect(sent).toHaveLength(3);
  });

  test('a fault is told to all who read in that turn', async () => {
    const store = new PostgresStore(pool, { table: newName() });
    const reads = await Promise.allSettled([store.get('a'), store.get('b')]);
    const cause = { code: '42P01' };
    expect(reads).toMatchObject([{ reason: { cause } }, { reason: { cause } }]);
  });

  test('whose client has gone reads nothing', async () => {
    const { sent, pool } = counted();
    const reason = new Error('gone');
    const store = new PostgresStore(pool, { table: newName() });
    await expect(store.get('a', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(sent).toEqual([]);
  });

  test('prepare: false names no statement', async () => {
    const { sent, pool } = counted();
    const store = new PostgresStore(pool, { table: newName(), prepare: false });
    await store.setup();
    await store.replace('key', null, 1);
    expect(sent.map(({ name }) => name)).toEqual(sent.map(() => undefined));
  });

  test('two stores over one pool do not meet in the names of their statements', async () => {
    const single = new Pool({ connectionString: engine.urls[0], max: 1 });
    const stores = [newName(), newName()].map((table) => new PostgresStore(single, { table }));
    for (const store of stores) {
      await store.setup();
      await store.replace('key', null, stores.indexOf(store));
    }
    const values = await Promise.all(stores.map(async (store) => (await store.get('key'))?.value));
    await single.end();
    expect(values).toEqual([0, 1]);
  });

  test('what your app has set for dates and time zones changes nothing', async () => {
    const elsewhere = new Pool({
      connectionString: engine.urls[0],
      options: '-c timezone=Asia/Kolkata -c datestyle=SQL',
    });
    const store = new PostgresStore(elsewhere, { table: newName() });
    await store.setup();
    const made = await store.replace('key', null, 1);
    await elsewhere.end();
    expect(Math.abs(Date.now() - (made?.modified?.getTime() ?? 0))).toBeLessThan(60_000);
  });

  test('your app lists with its own query, on the columns that are documented', async () => {
    const table = newName();
    const store = new PostgresStore(pool, { table });
    await store.setup();
    const made = await store.replace('a', null, { title: 'first' });
    const { rows } = await pool.query(`SELECT key, value, version, modified FROM "${table}" ORDER BY key`);
    expect(rows).toEqual([
      { key: 'a', value: '{"title":"first"}', version: made?.version, modified: made?.modified },
    ]);
  });

  test('a fault of the engine passes through as it is', async () => {
    const ended = new Pool({ connectionString: engine.urls[0] });
    await ended.end();
    const store = new PostgresStore(ended, { table: 'notes' });
    await expect(store.get('key')).rejects.toThrow('Cannot use a pool after calling end on the pool');
  });
});

describe('PATCH over PostgresStore', () => {
  let pool: Pool;
  beforeAll(async () => {
    pool = new Pool({ connectionString: engine.urls[0] });
    pool.on('error', () => undefined); // the engine may stop before the last connection has ended
    await new PostgresStore(pool, { table: 'patched' }).setup();
  });
  afterAll(() => pool.end());

  describePatchesOver(() => Promise.resolve(new PostgresStore(pool, { table: 'patched' })), 1);
});

describe('PostgresStore refuses at start', () => {
  const pool = { query: () => Promise.resolve({ rows: [] }) };

  test.each<{
    readonly title: string;
    readonly given?: unknown;
    readonly options?: object;
    readonly message: string;
  }>([
    {
      title: 'a URL',
      given: 'postgres://localhost',
      message: `pool: a string must have a method query`,
    },
    { title: 'no table', options: {}, message: 'table: undefined must be a non-empty string' },
    {
      title: 'a name that PostgreSQL would cut',
      options: { table: 'é'.repeat(32) },
      message: 'is longer than 63 bytes',
    },
    {
      title: "PostgreSQL's own names",
      options: { table: 'notes', schema: 'pg_notes' },
      message: 'a prefix that the database reserves',
    },
    { title: 'a NUL in the schema', options: { table: 'notes', schema: 'a\0b' }, message: 'schema: ' },
    {
      title: 'a flag as text',
      options: { table: 'notes', prepare: 'false' },
      message: `prepare: a string must be a boolean`,
    },
    {
      title: 'a misspelt option',
      options: { table: 'notes', shema: 'app' },
      message: `Did you mean 'schema'?`,
    },
  ])('$title', ({ given = pool, options = { table: 'notes' }, message }) => {
    const make = () => new PostgresStore(given as Pool, options as { table: string });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(message);
  });

  test('every mistake at once, and in setupSql too', () => {
    expect(() => PostgresStore.setupSql({ table: '', schema: '' })).toThrow(/table: ''[^]*schema: ''/);
  });
});
