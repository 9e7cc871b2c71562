/**
 * The contract of ResourceStore over PGlite, one line of JSON for each case: PGlite loads itself by `import()`, which Jest does not
 * let it.
 */
import { PGlite } from '@electric-sql/pglite';
import { rowStore, tableRows, tableStore } from '../../../lib/rows';
import { storeConformance } from '../../../lib/testing';
import { carrier, columns, members } from './conformance';
import { ddl } from './tables';

const options = { columns, key: 'slug', outcomes: 'outcomes' } as const;

async function runCases(): Promise<void> {
  const db = new PGlite();
  await db.exec(ddl.PostgreSQL);
  const stores = {
    tableStore: () => tableStore(db, { ...options, table: 'notes', modified: 'updated_at' }),
    transaction: () =>
      rowStore({
        ...{ ...tableRows(db, { table: 'notes' }), ...options },
        transaction: (run) => db.transaction((tx) => run(tableRows(tx, { table: 'notes' }), tx)),
      }),
  };
  for (const [store, open] of Object.entries(stores)) {
    for (const { name, run, skip } of storeConformance(() => ({ open }), {
      carrier,
      members,
      versions: false,
    })) {
      const outcome = skip ?? (await run().then(() => 'passed', String));
      process.stdout.write(`${JSON.stringify({ store, name, outcome })}\n`);
    }
  }
  await db.close();
}

void runCases();
