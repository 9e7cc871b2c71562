import { library, requireInRoot } from '../harness/library.mjs';
import { fill, handWrittenOver, patchOver } from './patch-routes.mjs';

const { PostgresStore } = library('stores/postgres/index');
const { Pool } = requireInRoot('pg');

/** A table of this server's own. */
async function storeOf({ urls, keys }) {
  const pool = new Pool({ connectionString: urls.postgres });
  const table = `notes_${process.pid}`;
  const store = new PostgresStore(pool, { table });
  await store.setup();
  return { pool, table, store: await fill(store, keys) };
}

export async function ours(options) {
  const { store } = await storeOf(options);
  return patchOver(store);
}

/** On the same columns, with statements prepared as PostgresStore prepares them. */
export async function handWritten(options) {
  const { pool, table } = await storeOf(options);
  await pool.query(`UPDATE ${table} SET version = '1'`);
  const select = { name: 'select', text: `SELECT value, version FROM ${table} WHERE key = $1` };
  const update = {
    name: 'update',
    text: `UPDATE ${table} SET value = $1, version = $2, modified = now() WHERE key = $3 AND version = $4`,
  };
  return handWrittenOver(
    async (id) => (await pool.query({ ...select, values: [id] })).rows[0],
    async (...values) => (await pool.query({ ...update, values })).rowCount > 0,
  );
}
