import fastJsonPatch from 'fast-json-patch';
import { createRequire } from 'node:module';
import { documents } from './documents.mjs';
import { library } from '../harness/library.mjs';
import { expectsOther, handWrittenRoute, patchOver } from './patch-routes.mjs';

const { PostgresStore } = library('stores/postgres/index');
const { Pool } = createRequire(import.meta.url)('pg');

/** A table of this server's own. */
async function storeOf({ url, keys }) {
  const pool = new Pool({ connectionString: url });
  const table = `notes_${process.pid}`;
  const store = new PostgresStore(pool, { table });
  await store.setup();
  await Promise.all(
    Array.from({ length: keys }, (_, i) => store.replace(String(i), null, documents['1 KB'](i))),
  );
  return { pool, table, store };
}

export async function ours(options) {
  const { store } = await storeOf(options);
  return patchOver(store);
}

/** On the same columns, with statements prepared as PostgresStore prepares them, and a number for a version. */
export async function handWritten(options) {
  const { pool, table } = await storeOf(options);
  await pool.query(`UPDATE ${table} SET version = '1'`);
  const select = { name: 'select', text: `SELECT value, version FROM ${table} WHERE key = $1` };
  const update = {
    name: 'update',
    text: `UPDATE ${table} SET value = $1, version = $2, modified = now() WHERE key = $3 AND version = $4`,
  };
  return handWrittenRoute(async (req, res) => {
    const { id } = req.params;
    const [note] = (await pool.query({ ...select, values: [id] })).rows;
    if (note === undefined) return res.sendStatus(404);
    if (expectsOther(req, `"${note.version}"`)) return res.sendStatus(412);
    const { newDocument } = fastJsonPatch.applyPatch(JSON.parse(note.value), req.body, true, true);
    const next = String(Number(note.version) + 1);
    const values = [JSON.stringify(newDocument), next, id, note.version];
    const { rowCount } = await pool.query({ ...update, values });
    return rowCount === 0 ? res.sendStatus(409) : res.set('ETag', `"${next}"`).status(204).end();
  });
}
