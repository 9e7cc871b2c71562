/** Notes in PostgreSQL, for any number of processes: DATABASE_URL names the database. */
import express from 'express';
import { Pool } from 'pg';
import { cachedStore, jsonPatch, mergePatch, methodNotAllowed, patchOptions, resource } from 'patch-options';
import { PostgresStore } from 'patch-options/postgres';

interface Note {
  readonly title: string;
}

// Without time limits, requests would wait for a database that has gone for as long as TCP does.
export const pool = new Pool({
  connectionString: process.env.DATABASE_URL,
  connectionTimeoutMillis: 2_000,
  query_timeout: 2_000,
});
// An idle connection that breaks would end the process. Its error holds the client, which holds the secret to cancel.
pool.on('error', ({ message }) => {
  console.error(message);
});

const stored = new PostgresStore<Note>(pool, { table: 'postgres_notes' });

// With the last state in memory, a PATCH is one round trip: the write, on the condition that this is still the state.
const notes = cachedStore(stored, { max: 10_000 });

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
  key: (req) => req.params.id,
  create: () => ({ title: '' }),
});
// GET asks the database, not the cache: other processes write too.
app.route('/notes/:id').get(note.get).patch(note.patch);
app.use(methodNotAllowed());

// Creates the table where it is missing; PostgresStore.setupSql({ table }) gives its SQL to a migration.
void notes.setup().then(() => app.listen(3000, '127.0.0.1'));
