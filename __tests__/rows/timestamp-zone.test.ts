/** TIMESTAMP columns of MariaDB, in sessions whose time zone is, or is not, the one of the driver. */
import { createPool, type Pool, type PoolOptions, type RowDataPacket } from 'mysql2/promise';
import { rowStore, type RowStoreOptions, tableRows, tableStore } from '../../lib/rows';
import { describeMariadb, type SharedEngine, sharedMariadb } from '../support/engines';
import { change, replaceAt } from '../support/written';

interface Case {
  readonly driver: PoolOptions;
  readonly session: string;
  readonly column?: 'at' | 'wall';
  readonly kind?: 'string?';
  readonly storedAs?: 'sql';
  /** How much later or earlier it would be read; undefined if it is served. */
  readonly off?: string;
}

type Options = Pick<RowStoreOptions, 'columns' | 'key' | 'modified'>;

const cases: readonly Case[] = [
  { driver: { timezone: 'Z' }, session: '+08:00', off: '8 h later' },
  { driver: { timezone: 'Z' }, session: '-03:30', off: '3.5 h earlier' },
  { driver: { timezone: '+01:00' }, session: '+00:00', off: '1 h earlier' },
  { driver: { timezone: 'Z' }, session: '+00:00' },
  { driver: { timezone: '+08:00' }, session: '+08:00' },
  { driver: { timezone: 'Z' }, session: '+08:00', column: 'wall' },
  { driver: { dateStrings: true }, session: '+08:00', storedAs: 'sql', off: '8 h later' },
  { driver: { dateStrings: true }, session: '+00:00', storedAs: 'sql' },
  { driver: { dateStrings: true }, session: '+08:00', storedAs: 'sql', column: 'wall' },
  // The driver reads a datetime as a Date there, which would show nothing of the text.
  {
    driver: { dateStrings: ['TIMESTAMP'], timezone: '+08:00' },
    session: '+08:00',
    storedAs: 'sql',
    off: '8 h later',
  },
  // What a text says is the app's.
  { driver: { dateStrings: true }, session: '+08:00', kind: 'string?' },
];

describeMariadb('a TIMESTAMP', () => {
  let engine: SharedEngine;
  let utc: Pool;
  const pools: Pool[] = [];
  const openPool = ({ driver, session }: Pick<Case, 'driver' | 'session'>) => {
    const pool = createPool({ uri: engine.urls[0], ...driver });
    pool.on('connection', (connection) => void connection.query(`SET time_zone = '${session}'`));
    pools.push(pool);
    return pool;
  };
  beforeAll(async () => {
    engine = await sharedMariadb();
    utc = openPool({ driver: { timezone: 'Z' }, session: '+00:00' });
    await utc.query(
      `CREATE TABLE seen (slug varchar(64) PRIMARY KEY, title text, at timestamp(3) NULL, wall datetime(3))`,
    );
  });
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await engine.close();
  });
  beforeEach(async () => {
    await utc.query(`REPLACE INTO seen VALUES ('a', 't', '2026-07-16 08:00:00', '2026-07-16 08:00:00')`);
  });
  const readAt = async (column: string) => {
    const [rows] = await utc.query<RowDataPacket[]>(`SELECT ${column} AS seen FROM seen WHERE slug = 'a'`);
    return rows.map((row) => (row['seen'] as Date).toISOString()).join();
  };
  const open = {
    tableStore: (pool: Pool, options: Options) => tableStore(pool, { table: 'seen', ...options }),
    tableRows: (pool: Pool, options: Options) =>
      rowStore({ ...tableRows(pool, { table: 'seen' }), ...options }),
  };
  const declared = { key: 'slug' } as const;

  describe.each(['tableStore', 'tableRows'] as const)('through %s', (through) => {
    test.each(cases.map((one) => ({ ...one, title: JSON.stringify(one) })))(
      '$title',
      async ({ driver, session, column = 'at', kind = 'date?' as const, storedAs, off }) => {
        const columns: Options['columns'] = { seen: { kind, column, ...(storedAs && { storedAs }) } };
        const store = open[through](openPool({ driver, session }), { ...declared, columns });
        const next = { seen: kind === 'date?' ? '2026-07-16T10:00:00.000Z' : '2026-07-16 18:00:00.000' };
        if (off !== undefined) {
          const refusal = {
            code: 'PATCH_OPTIONS_TIME_ZONE',
            message: expect.stringMatching(
              new RegExp(`column at is a TIMESTAMP, .* read ${off} .*SET time_zone = '\\+00:00'`),
            ) as unknown,
          };
          await expect(store.get('a')).rejects.toMatchObject(refusal);
          const current = { value: {}, handle: { slug: 'a', [column]: null } };
          await expect(replaceAt(store, 'a', current, next)).rejects.toMatchObject(refusal);
          await expect(store.replace('b', null, next as never)).rejects.toMatchObject(refusal);
          await expect(store.delete?.('a')).rejects.toMatchObject(refusal);
          expect(await readAt(column)).toBe('2026-07-16T08:00:00.000Z');
          return;
        }
        const seen = kind === 'date?' ? '2026-07-16T08:00:00.000Z' : '2026-07-16 16:00:00';
        expect((await store.get('a'))?.value).toEqual({ seen });
        await change(store, 'a', next);
        expect(await readAt(column)).toBe('2026-07-16T10:00:00.000Z');
      },
    );
  });

  test('that is only the time of the last write is refused, too', async () => {
    const options: Options = { ...declared, columns: { title: 'string' }, modified: 'at' };
    const pool = openPool({ driver: { timezone: 'Z' }, session: '+08:00' });
    await expect(open.tableStore(pool, options).get('a')).rejects.toThrow('column at is a TIMESTAMP');
  });

  test('that is not listed is nothing to the store', async () => {
    const options: Options = { ...declared, columns: { title: 'string', wall: 'date?' } };
    const pool = openPool({ driver: { timezone: 'Z' }, session: '+08:00' });
    expect((await open.tableStore(pool, options).get('a'))?.value).toMatchObject({ title: 't' });
  });

  test('is asked about once for a store, and again only after an error', async () => {
    const pool = openPool({ driver: { timezone: 'Z' }, session: '+00:00' });
    const questions: string[] = [];
    let isGone = true;
    const counted = {
      query: () => undefined,
      getConnection: () => pool.getConnection(),
      execute: (statement: { readonly sql: string }) => {
        if (!statement.sql.includes('information_schema')) return pool.execute(statement as never);
        questions.push(statement.sql);
        if (!isGone) return pool.execute(statement as never);
        isGone = false;
        return Promise.reject(new Error('gone'));
      },
    };
    const store = tableStore(counted as never, {
      ...{ table: 'seen', ...declared, columns: { at: 'date?' } },
    });
    await expect(store.get('a')).rejects.toThrow('gone');
    await Promise.all([store.get('a'), store.get('a')]);
    await change(store, 'a', { at: null });
    expect(questions).toHaveLength(2);
  });
});
