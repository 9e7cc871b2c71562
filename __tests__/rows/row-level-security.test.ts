/** What policies of PostgreSQL do not let a write do is refused, and changes nothing. */
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { rowStore, tableRows, tableStore } from '../../lib/rows';
import { type SharedEngine, sharedPostgres } from '../support/engines';
import { columns, createPolicies, policed, sendPoliced } from './row-level-security';

const role = `role_${randomUUID().slice(0, 8)}`;
let engine: SharedEngine;
let owner: Pool;
let pool: Pool;

beforeAll(async () => {
  engine = await sharedPostgres();
  const [connectionString] = engine.urls;
  owner = new Pool({ connectionString, max: 1 });
  await owner.query('CREATE TABLE notes (slug text PRIMARY KEY, title text, body text, version text)');
  await owner.query(`CREATE ROLE ${role}; ${createPolicies(role)}`);
  pool = new Pool({ connectionString, options: `-c role=${role}` });
});
afterAll(async () => {
  await pool.end();
  await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  await owner.end();
  await engine.close();
});

const table = { table: 'notes' };
const declared = { columns, key: 'slug' } as const;
const inTransaction = () =>
  rowStore({
    ...tableRows(pool, table),
    ...declared,
    transaction: async (run) => {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        await run(tableRows(client, table), client);
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      } finally {
        client.release();
      }
    },
  });

describe.each([
  { what: 'tableStore', open: () => tableStore(pool, { ...table, ...declared }) },
  { what: 'rowStore in a transaction', open: inTransaction },
])('$what', ({ open }) => {
  test.each(policed)('$what: $method of $row with $sent is answered $status', async (about) => {
    const { row, sent, status, error } = about;
    const slug = randomUUID();
    const read = () => owner.query('SELECT * FROM notes WHERE slug = $1', [slug]);
    if (row !== undefined) await owner.query(`INSERT INTO notes VALUES ($1, 'a', $2, 'v1')`, [slug, row]);
    const { rows: before } = await read();
    expect(await sendPoliced(open() as never, slug, about)).toEqual({
      status,
      errors: error === undefined ? [] : [expect.stringMatching(error)],
    });
    const { rows: after } = await read();
    const written = [{ ...before[0], ...sent, version: expect.any(String) as unknown }];
    expect(after).toEqual(status === 204 ? written : before);
  });
});
