/** The same at full size, over engines; and what it finds where the server does not do its part. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { MemoryStore } from '../../lib';
import { resourceClient } from '../../lib/client';
import { PostgresStore } from '../../lib/stores/postgres';
import { tableStore } from '../../lib/rows';
import { SqliteStore } from '../../lib/stores/sqlite';
import { scaled } from '../support/deep-scale';
import { type Engine, startPostgres } from '../support/engines';
import { serving } from '../support/serving';
import { describeChaos } from './describe-chaos';
import { audit, emptyLedger, keepLedgers, type Ledger, ledgerApp } from './ledger';
import { UnrulyProxy } from './unruly-proxy';
import { DatabaseSync } from '../support/sqlite';

const changes = scaled(500);
let engine: Engine;
let pool: Pool;

beforeAll(async () => {
  engine = await startPostgres();
  pool = new Pool({ connectionString: engine.urls[0], max: 10 });
  pool.on('error', () => undefined);
});

afterAll(async () => {
  await pool.end();
  await engine.close();
});

describeChaos(
  'SqliteStore',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'patch-options-chaos-'));
    const db = new DatabaseSync(join(folder, 'ledgers.db'));
    const store = new SqliteStore<Ledger>(db, { table: 'ledgers' });
    await store.setup();
    const close = () => {
      db.close();
      rmSync(folder, { recursive: true });
    };
    return { store, close };
  },
  changes,
);

describeChaos(
  'PostgresStore',
  async () => {
    await pool.query('DROP TABLE IF EXISTS ledgers CASCADE');
    const store = new PostgresStore<Ledger>(pool, { table: 'ledgers' });
    await store.setup();
    return { store };
  },
  changes,
);

describeChaos(
  'rows of PostgreSQL',
  async (ids) => {
    await pool.query('DROP TABLE IF EXISTS ledger_rows');
    await pool.query(
      `CREATE TABLE ledger_rows (name text PRIMARY KEY, title text NOT NULL, count integer NOT NULL, ids jsonb NOT NULL,
        version text NOT NULL, outcomes text)`,
    );
    for (const id of ids) {
      await pool.query(`INSERT INTO ledger_rows VALUES ($1, '', 0, '[]', 'first')`, [id]);
    }
    const store = tableStore(pool, {
      table: 'ledger_rows',
      columns: { title: 'string', count: 'integer', ids: 'json' },
      key: 'name',
      outcomes: 'outcomes',
    });
    return { store: store as never };
  },
  changes,
);

test('where the server ignores the key after all, that is found: something is doubled', async () => {
  const store = new MemoryStore<Ledger>();
  await store.replace('a', null, emptyLedger);
  const app = ledgerApp(store);
  const ignoring: typeof app = ((req: { headers: Record<string, unknown> }, res: never) => {
    delete req.headers['idempotency-key'];
    app(req as never, res);
  }) as never;
  await serving(ignoring, async (_server, port) => {
    const proxy = await UnrulyProxy.start(port, ['silence']);
    const client = resourceClient<Ledger>(proxy.url, { idempotency: true });
    const done = await keepLedgers(client, 'client', 150, ['a']);
    await proxy.close();
    const ledger = (await store.get('a'))?.value ?? emptyLedger;
    expect(audit([done], [ledger], []).doubled.length).toBeGreaterThan(0);
  });
});
