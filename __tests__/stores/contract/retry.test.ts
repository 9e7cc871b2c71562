import { randomUUID } from 'node:crypto';
import { Pool, type PoolClient } from 'pg';
import { rowStore, tableRows } from '../../../lib/rows';
import { retry } from '../../../lib/stores/contract/retry';
import { type SharedEngine, sharedPostgres } from '../../support/engines';

const temporary = new Error('temporary');

/** Fails as often as said, and takes this long each time, by the clock that `retry` reads. */
function failing(times: number, milliseconds: number) {
  let now = 0;
  let calls = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  return {
    calls: () => calls,
    act: () => {
      calls += 1;
      now += milliseconds;
      if (calls <= times) throw temporary;
      return calls;
    },
  };
}

afterEach(() => {
  jest.restoreAllMocks();
});

test.each([
  { what: 'one that takes longer than all retries may', times: 1, each: 5_000, limit: 1_000, calls: 2 },
  { what: 'three within the time', times: 3, each: 300, limit: 1_000, calls: 4 },
  { what: 'none', times: 0, each: 5_000, limit: 1_000, calls: 1 },
])('$what: it goes on', async ({ times, each, limit, calls }) => {
  const { act } = failing(times, each);
  expect(await retry(act, (error) => error === temporary, limit)).toBe(calls);
});

test.each([
  { what: 'no time: the first error', times: 9, each: 0, limit: 0, calls: 1 },
  { what: 'the time is over since the first error', times: 9, each: 600, limit: 1_000, calls: 3 },
])('$what is thrown', async ({ times, each, limit, calls }) => {
  const attempts = failing(times, each);
  await expect(retry(attempts.act, () => true, limit)).rejects.toBe(temporary);
  expect(attempts.calls()).toBe(calls);
});

test('an error that will not pass is thrown at once', async () => {
  const attempts = failing(9, 0);
  await expect(retry(attempts.act, () => false, 1_000)).rejects.toBe(temporary);
  expect(attempts.calls()).toBe(1);
});

describe('a deadlock of PostgreSQL, which reports it after a second (deadlock_timeout)', () => {
  let engine: SharedEngine;
  let pool: Pool;
  beforeAll(async () => {
    engine = await sharedPostgres();
    pool = new Pool({ connectionString: engine.urls[0] });
  });
  afterAll(async () => {
    await pool.end();
    await engine.close();
  });

  test('both writes are made: the one that was rolled back is run again', async () => {
    const table = `crossed_${randomUUID().slice(0, 8)}`;
    await pool.query(`CREATE TABLE ${table} (slug text PRIMARY KEY, title text, version text NOT NULL)`);
    await pool.query(`INSERT INTO ${table} VALUES ('a', 'old', 'v'), ('b', 'old', 'v')`);
    const runs: string[] = [];
    let arrived = 0;
    let bothHaveWritten: () => void = () => undefined;
    const both = new Promise<void>((resolve) => (bothHaveWritten = resolve));
    /** Each locks its own row, and then wants that of the other. */
    const storeThatWants = (other: string) =>
      rowStore({
        ...tableRows(pool, { table }),
        columns: { title: 'string' },
        key: 'slug',
        version: 'version',
        dialect: 'postgres',
        transaction: async (run) => {
          const client = await pool.connect();
          try {
            await client.query('BEGIN');
            await run(tableRows(client, { table }), client);
            await client.query('COMMIT');
          } catch (error) {
            await client.query('ROLLBACK');
            throw error;
          } finally {
            client.release();
          }
        },
        onWrite: async (client: PoolClient) => {
          runs.push(other);
          if (++arrived === 2) bothHaveWritten();
          await both;
          await client.query(`SELECT * FROM ${table} WHERE slug = $1 FOR UPDATE`, [other]);
        },
      });
    const written = await Promise.all([
      storeThatWants('b').replace('a', 'v', { title: 'of a' }),
      storeThatWants('a').replace('b', 'v', { title: 'of b' }),
    ]);
    expect(written.map((state) => state?.value)).toEqual([{ title: 'of a' }, { title: 'of b' }]);
    // The one that was rolled back began again.
    expect(runs.length).toBeGreaterThan(2);
  });
});
