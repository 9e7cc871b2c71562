import { library, requireInRoot } from '../harness/library.mjs';
import { fill, handWrittenOver, patchOver } from './patch-routes.mjs';

const { MysqlStore } = library('stores/mysql/index');
const { createPool } = requireInRoot('mysql2/promise');

/** A table of this server's own. */
async function storeOf({ urls, keys }) {
  const pool = createPool({ uri: urls.mariadb, connectionLimit: 10 });
  const table = `notes_${process.pid}`;
  const store = new MysqlStore(pool, { table });
  await store.setup();
  return { pool, table, store: await fill(store, keys) };
}

export async function ours(options) {
  const { store } = await storeOf(options);
  return patchOver(store);
}

/** On the same columns, with prepared statements as MysqlStore has. */
export async function handWritten(options) {
  const { pool, table } = await storeOf(options);
  await pool.query(`UPDATE ${table} SET version = '1'`);
  const select = `SELECT value, version FROM ${table} WHERE \`key\` = ?`;
  const update = `UPDATE ${table} SET value = ?, version = ?, modified = UTC_TIMESTAMP(3) WHERE \`key\` = ? AND version = ?`;
  return handWrittenOver(
    async (id) => (await pool.execute(select, [id]))[0][0],
    async (...values) => (await pool.execute(update, values))[0].affectedRows > 0,
  );
}
