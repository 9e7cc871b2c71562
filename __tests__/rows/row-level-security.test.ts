/** What policies of PostgreSQL do not let a write do is refused, and changes nothing. */
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { tableStore } from '../../lib/rows';
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
  await owner.query('CREATE TABLE notes (slug text PRIMARY KEY, title text, body text)');
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

describe.each([
  { what: 'its content', version: {} },
  { what: 'xmin', version: { version: 'xmin' } as const },
])('a row whose state is $what', ({ version }) => {
  test.each(policed)('$what: $method of $row with $sent is answered $status', async (about) => {
    const store = tableStore(pool, { ...table, ...declared, ...version });
    const { row, sent, status, error } = about;
    const slug = randomUUID();
    const read = () => owner.query('SELECT * FROM notes WHERE slug = $1', [slug]);
    if (row !== undefined) await owner.query(`INSERT INTO notes VALUES ($1, 'a', $2)`, [slug, row]);
    const { rows: before } = await read();
    expect(await sendPoliced(store as never, slug, about)).toEqual({
      status,
      errors: error === undefined ? [] : [expect.stringMatching(error)],
    });
    const { rows: after } = await read();
    const written = [{ ...before[0], ...sent }];
    expect(after).toEqual(status === 204 ? written : before);
  });
});
