import { join } from 'node:path';
import { library } from '../harness/library.mjs';
import { DatabaseSync } from '../harness/sqlite.mjs';
import { fill, handWrittenOver, patchOver } from './patch-routes.mjs';

const { SqliteStore } = library('stores/sqlite/index');

/** A file of this server's own; what is committed is on the disk, as in PostgreSQL. */
async function storeOf({ folder, keys }) {
  const db = new DatabaseSync(join(folder, `${process.pid}.sqlite`));
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  const store = new SqliteStore(db, { table: 'notes' });
  await store.setup();
  return { db, store: await fill(store, keys) };
}

export async function ours(options) {
  const { store } = await storeOf(options);
  return patchOver(store);
}

/** On the same columns. */
export async function handWritten(options) {
  const { db } = await storeOf(options);
  db.exec("UPDATE notes SET version = '1'");
  const select = db.prepare('SELECT value, version FROM notes WHERE key = ?');
  const update = db.prepare(
    `UPDATE notes SET value = ?, version = ?, modified = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
     WHERE key = ? AND version = ?`,
  );
  const server = handWrittenOver(
    (id) => select.get(id),
    (...values) => update.run(...values).changes > 0,
  );
  // @photostructure/sqlite closes a connection that only its statements refer to, once it is collected.
  return Object.assign(server, { db });
}
