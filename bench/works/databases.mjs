import { twoOperationsEach } from './patch.mjs';

const over = (module, maker) => ({
  server: { module, maker, options: { keys: 1_000 } },
  requests: twoOperationsEach,
  answer: { status: 204, fields: { etag: /^"/ } },
});

/** Ours, and beside it a hand-written SELECT + UPDATE … WHERE version, or what the engine has for it. */
export const loadsOver = (module) => ({
  ours: over(module, 'ours'),
  'hand-written': over(module, 'handWritten'),
});

const row = (store) => ({
  work: `JSON Patch over ${store}, 32 clients, different keys`,
  ours: 'ours',
  beside: 'hand-written SELECT + UPDATE … WHERE version',
  other: 'hand-written',
  goal: 1.1,
});

export const postgres = {
  name: 'postgres',
  title: 'JSON Patch over PostgreSQL',
  engines: ['postgres'],
  clients: 32,
  loads: loadsOver('postgres'),
  alike: 'hand-written',
  rows: [{ ...row('PostgresStore'), bar: ['A PATCH over PostgresStore', 'one written by hand'] }],
};

export const sqlite = {
  name: 'sqlite',
  title: 'JSON Patch over SQLite',
  clients: 32,
  loads: loadsOver('sqlite'),
  alike: 'hand-written',
  rows: [row('SqliteStore')],
};
