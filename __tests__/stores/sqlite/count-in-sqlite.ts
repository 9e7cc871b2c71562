/** A process that counts in one resource of an SQLite file, among others: `count-in-sqlite.ts <file> <times>` */
import { SqliteStore } from '../../../lib/stores/sqlite/sqlite-store';
import { DatabaseSync } from '../../support/sqlite';

async function count(file: string, times: number): Promise<void> {
  const db = new DatabaseSync(file);
  const store = new SqliteStore<number>(db, { table: 'counters', busyTimeout: 60_000 });
  for (let done = 0; done < times;) {
    const stored = await store.get('counter');
    if (stored === undefined) throw new Error('There is nothing to count in');
    if (await store.replace('counter', stored.version, stored.value + 1)) done += 1;
  }
  db.close();
}

void count(process.argv[2] ?? '', Number(process.argv[3]));
