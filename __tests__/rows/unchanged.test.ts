/** Where the database generates the version, a write that changes nothing must still be a statement. */
import type { Pool } from 'pg';
import { rowStore, tableRows } from '../../lib/rows';
import { openPostgresPool } from '../support/engines';

let pool: Pool;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ pool, close } = await openPostgresPool());
});
afterAll(() => close());

test.each([
  { what: 'beside a text', columns: { at: 'date', title: 'string' } },
  { what: 'alone', columns: { at: 'date' } },
  { what: 'with other kinds of which some is lost', columns: { at: 'date', price: 'decimal', data: 'json' } },
] as const)(
  'a column that is read with less than it stores, $what: it stays as it is',
  async ({ columns }) => {
    const table = `timed_${Object.keys(columns).join('_')}`;
    await pool.query(`CREATE TABLE ${table}
    (slug text PRIMARY KEY, at timestamptz, title text, price numeric, data json)`);
    const stored = '2026-11-22 10:00:00.123456+00';
    await pool.query(`INSERT INTO ${table} VALUES ('a', $1, 'x', '1.50', '{"a":  1}')`, [stored]);
    const store = rowStore({
      ...tableRows(pool, { table }),
      ...{ columns, key: 'slug', version: { generated: 'xmin' }, dialect: 'postgres' },
    });
    const before = await store.get('a');
    const written = await store.replace('a', before?.version ?? '', before?.value as never);
    expect(written?.value).toEqual(before?.value);
    expect(written?.version).not.toBe(before?.version);
    const { rows } = await pool.query<{ kept: boolean; data: string }>(
      `SELECT at = $1 AS kept, data::text AS data FROM ${table}`,
      [stored],
    );
    expect(rows).toEqual([{ kept: true, data: '{"a":  1}' }]);
  },
);
