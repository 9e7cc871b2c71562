/** A connection that the database ends must not end the process: the pools of all pages and examples, as printed. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Client, Pool, type PoolClient } from 'pg';
import { blocksOf } from '../support/doc-blocks';
import { sharedPostgres, type SharedEngine } from '../support/engines';
import { evaluate } from '../support/page-modules';

const root = join(__dirname, '../..');

function findFiles(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending) && !/(?:^|\/)(?:dist|node_modules)\//.test(file))
    .map((file) => join(root, folder, file));
}

const texts = [
  ...[join(root, 'README.md'), ...findFiles('docs', '.md')].flatMap((file) => {
    const page = readFileSync(file, 'utf8');
    const blocks = ['ts', 'tsx', 'js', 'mjs'].flatMap((language) => blocksOf(page, language));
    return blocks.map((text) => ({ file: relative(root, file), text }));
  }),
  ...findFiles('examples', '.ts').map((file) => ({
    file: relative(root, file),
    text: readFileSync(file, 'utf8'),
  })),
];

/** Each statement that makes a pool of pg, with the listeners after it. */
const pools = texts.flatMap(({ file, text }) => {
  const statement = /^ *(?:export )?const (\w+) = (?:new Pool\(|drizzle\(process\.env)[^;]*;\n/m.exec(text);
  if (statement === null) return [];
  const pool = statement[0].includes('drizzle(') ? `${statement[1]}.$client` : (statement[1] ?? '');
  const listeners = text.split('\n').filter((line) => line.trim().startsWith(`${pool}.on(`));
  return [{ file, pool, code: [statement[0].trim(), ...listeners].join('\n') }];
});

test('each page and example that makes a pool of pg is among these', () => {
  const making = texts.filter(({ text }) => /new Pool\(|drizzle-orm\/node-postgres/.test(text));
  expect(pools.map(({ file }) => file)).toEqual(making.map(({ file }) => file));
  expect(pools.length).toBeGreaterThan(8);
});

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedPostgres();
});
afterAll(() => engine.close());

describe.each(pools)('$file', ({ file, pool: name, code }) => {
  const application = file.replaceAll(/\W/g, '_');
  let pool: Pool;
  let log: jest.SpyInstance;

  beforeEach(() => {
    const [url = ''] = engine.urls;
    const text = code
      .replaceAll(/process\.env\.DATABASE_URL!?/g, 'url')
      .replace('new Pool()', 'new Pool({ connectionString: url })')
      .replace('{ connectionTimeoutMillis', '{ connectionString: url, connectionTimeoutMillis');
    log = jest.spyOn(console, 'error').mockReturnValue();
    const logMessage = ({ message }: Error): void => {
      console.error(message);
    };
    const around = { console, Pool, drizzle, logMessage, url: `${url}?application_name=${application}` };
    const load = createRequire(__filename);
    pool = evaluate(`${text}\nexport const pool$ = ${name};`, around, load)['pool$'] as Pool;
  });

  /** Ends the connection of a client, as an administrator does. */
  async function endConnection(client: PoolClient): Promise<void> {
    const end = new Promise((resolve) => client.once('end', resolve));
    const admin = new Client({ connectionString: engine.urls[0] });
    await admin.connect();
    const { rowCount } = await admin.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1',
      [application],
    );
    await admin.end();
    expect(rowCount).toBe(1);
    await end;
  }
  afterEach(async () => {
    log.mockRestore();
    await pool.end();
  });

  test('a connection that waits in the pool', async () => {
    const client = await pool.connect();
    client.release();
    await endConnection(client);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    expect(log).toHaveBeenCalledWith('terminating connection due to administrator command');
  });

  test('a connection in a transaction, between two statements', async () => {
    const client = await pool.connect();
    await client.query('BEGIN');
    await endConnection(client);
    await expect(client.query('COMMIT')).rejects.toThrow();
    client.release(true);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    expect(log).toHaveBeenCalledWith('terminating connection due to administrator command');
  });
});
