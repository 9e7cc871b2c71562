import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { rowStore, tableRows } from '../../../lib/rows';
import { retry } from '../../../lib/stores/contract/retry';
import { openPostgresPool } from '../../support/engines';
import { change } from '../../support/written';

const temporary = new Error('temporary');

/** Fails as often as said. */
function failing(times: number) {
  let calls = 0;
  return {
    calls: () => calls,
    act: () => {
      calls += 1;
      if (calls <= times) throw temporary;
      return calls;
    },
  };
}

test.each([{ times: 0 }, { times: 3 }, { times: 19 }])(
  'after $times failures it goes on',
  async ({ times }) => {
    expect(await retry(failing(times).act, (error) => error === temporary)).toBe(times + 1);
  },
);

test('the error of the 20th try is thrown', async () => {
  const attempts = failing(99);
  await expect(retry(attempts.act, () => true)).rejects.toBe(temporary);
  expect(attempts.calls()).toBe(20);
});

test('an error that will not pass is thrown at once', async () => {
  const attempts = failing(9);
  await expect(retry(attempts.act, () => false)).rejects.toBe(temporary);
  expect(attempts.calls()).toBe(1);
});

describe('a deadlock of PostgreSQL, which reports it after a second (deadlock_timeout)', () => {
  let pool: Pool;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ pool, close } = await openPostgresPool());
  });
  afterAll(() => close());

  test('both writes are made: the one that was rolled back is run again', async () => {
    const table = `crossed_${randomUUID().slice(0, 8)}`;
    await pool.query(`CREATE TABLE ${table} (slug text PRIMARY KEY, title text)`);
    await pool.query(`INSERT INTO ${table} VALUES ('a', 'old'), ('b', 'old')`);
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
        onWrite: async (client: PoolClient) => {
          runs.push(other);
          if (++arrived === 2) bothHaveWritten();
          await both;
          await client.query(`SELECT * FROM ${table} WHERE slug = $1 FOR UPDATE`, [other]);
        },
      });
    const written = await Promise.all([
      change(storeThatWants('b'), 'a', { title: 'of a' }),
      change(storeThatWants('a'), 'b', { title: 'of b' }),
    ]);
    expect(written.map(({ value }) => value)).toEqual([{ title: 'of a' }, { title: 'of b' }]);
    // The one that was rolled back began again.
    expect(runs.length).toBeGreaterThan(2);
  });
});
