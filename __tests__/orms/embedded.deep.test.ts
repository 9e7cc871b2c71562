/** The contract of ResourceStore over databases without a server, other than those of the ORMs: PGlite and libSQL. */
import { type Client, createClient } from '@libsql/client';
import { drizzle } from 'drizzle-orm/libsql';
import Libsql from 'libsql';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { drizzleRows, rowStore, type Rows, tableStore } from '../../lib/rows';
import { storeConformance } from '../../lib/testing';
import { runTypescript } from '../support/run-typescript';
import { testCases } from '../support/test-cases';
import { carrier, columns, members } from './support/conformance';
import { sqliteNotes } from './support/drizzle-schema';
import { modulesOfPage, runBlock } from './support/page';
import { ddl } from './support/tables';

const options = { columns, key: 'slug', outcomes: 'outcomes' } as const;

interface Outcome {
  readonly store: string;
  readonly name: string;
  readonly outcome: string;
}

test('PGlite passes every case, by tableStore and in its transactions', async () => {
  const script = join(__dirname, 'support/in-pglite.ts');
  const running = runTypescript(script, [], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(running, 'exit');
  if (running.stdout === null) throw new Error('Its standard output is not piped.');
  const outcomes = (await text(running.stdout))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Outcome);
  expect(await ended).toEqual([0, null]);
  expect(outcomes.length).toBeGreaterThan(100);
  const skipped = 'the states of the store are their content';
  expect(outcomes.filter(({ outcome }) => outcome !== 'passed' && outcome !== skipped)).toEqual([]);
});

describe('libSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'patch-options-libsql-'));
  const path = join(folder, 'notes.db');
  const db = new Libsql(path);
  db.exec(ddl.SQLite);
  afterAll(() => {
    db.close();
    rmSync(folder, { recursive: true });
  });

  describe('libsql, by tableStore', () => {
    const open = () => tableStore(db, { ...options, table: 'notes', modified: 'updated_at' });
    testCases(storeConformance(() => ({ open }), { carrier, members, versions: false }));
  });

  describe('@libsql/client, by the four functions of the docs', () => {
    const module = modulesOfPage('orms/other').get('app') ?? '';
    const block = module.replace('process.env.DATABASE_URL!', `'file:${path}'`);
    const { rows, client } = runBlock(`${block}\nconst opened = { rows, client };`, {}, 'opened') as {
      rows: Rows;
      client: Client;
    };
    afterAll(() => {
      client.close();
    });
    const open = () => rowStore({ ...rows, ...options });
    testCases(storeConformance(() => ({ open }), { carrier, members, versions: false }));
  });

  describe('@libsql/client, by Drizzle', () => {
    const client = createClient({ url: `file:${path}` });
    afterAll(() => {
      client.close();
    });
    const rows = drizzleRows(drizzle(client), sqliteNotes);
    const open = () => rowStore({ ...rows, ...options, modified: 'updatedAt' });
    testCases(storeConformance(() => ({ open }), { carrier, members, versions: false }));
  });
});
