/** Notes in PostgreSQL, for any number of processes: DATABASE_URL names the database. */
import express from 'express';
import { Pool } from 'pg';
import { jsonPatch, mergePatch, methodNotAllowed, patchOptions, resource } from 'patch-options';
import { PostgresStore } from 'patch-options/postgres';

interface Note {
  readonly title: string;
}

// Without timeouts, requests would wait for an unreachable database for as long as TCP does.
export const pool = new Pool({
  connectionString: process.env.DATABASE_URL,
  connectionTimeoutMillis: 2_000,
  query_timeout: 2_000,
});
// Without these listeners, a connection that the database ends would end the process. Log the message only: the error
// holds the client and its secret key.
const logMessage = ({ message }: Error): void => {
  console.error(message);
};
pool.on('error', logMessage);
pool.on('connect', (client) => client.on('error', logMessage));

const notes = new PostgresStore<Note>(pool, { table: 'postgres_notes' });

const app = express();
app.use(patchOptions({ cors: { origin: 'https://app.example' } }));
app.get('/notes', async (_req, res) => {
  // Lists are your own SQL: the table is yours to query. Its columns are key, value, version and modified.
  const { rows } = await pool.query(
    'SELECT key, value::json FROM postgres_notes ORDER BY modified DESC LIMIT 20',
  );
  res.json(rows);
});
const note = resource(notes, [jsonPatch(), mergePatch()], {
  key: 'id',
  create: () => ({ title: '' }),
});
app.route('/notes/:id').get(note.get).patch(note.patch);
app.use(methodNotAllowed());

// Creates the table if it is missing. PostgresStore.setupSql({ table }) returns the SQL for a migration.
void notes.setup().then(() => app.listen(3000, '127.0.0.1'));
