import fastJsonPatch from 'fast-json-patch';
import { join } from 'node:path';
import { documents } from './documents.mjs';
import { library } from '../harness/library.mjs';
import { DatabaseSync } from '../harness/sqlite.mjs';
import { expectsOther, handWrittenRoute, patchOver } from './patch-routes.mjs';

const { SqliteStore } = library('stores/sqlite/index');

/** A file of this server's own; what is committed is on the disk, as in PostgreSQL. */
async function storeOf({ folder, keys }) {
  const db = new DatabaseSync(join(folder, `${process.pid}.sqlite`));
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  const store = new SqliteStore(db, { table: 'notes' });
  await store.setup();
  for (let i = 0; i < keys; i++) await store.replace(String(i), null, documents['1 KB'](i));
  return { db, store };
}

export async function ours(options) {
  const { store } = await storeOf(options);
  return patchOver(store);
}

/** On the same columns, with a number for a version. */
export async function handWritten(options) {
  const { db } = await storeOf(options);
  db.exec("UPDATE notes SET version = '1'");
  const select = db.prepare('SELECT value, version FROM notes WHERE key = ?');
  const update = db.prepare(
    `UPDATE notes SET value = ?, version = ?, modified = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
     WHERE key = ? AND version = ?`,
  );
  const server = handWrittenRoute((req, res) => {
    const { id } = req.params;
    const note = select.get(id);
    if (note === undefined) return res.sendStatus(404);
    if (expectsOther(req, `"${note.version}"`)) return res.sendStatus(412);
    const { newDocument } = fastJsonPatch.applyPatch(JSON.parse(note.value), req.body, true, true);
    const next = String(Number(note.version) + 1);
    const { changes } = update.run(JSON.stringify(newDocument), next, id, note.version);
    return changes === 0 ? res.sendStatus(409) : res.set('ETag', `"${next}"`).status(204).end();
  });
  // @photostructure/sqlite closes a connection that only its statements refer to, once it is collected.
  return Object.assign(server, { db });
}
