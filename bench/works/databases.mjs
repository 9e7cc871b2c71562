import { patches, twoOperations } from './patch.mjs';

const over = (module, maker, keys = 1_000) => ({
  server: { module, maker, options: { keys } },
  requests: patches(keys, twoOperations),
  answer: { status: 204, fields: { etag: /^"/ } },
});

const work = (store) => `JSON Patch over ${store}, 32 clients, different keys`;
const beside = 'hand-written SELECT + UPDATE … WHERE version';

export const postgres = {
  name: 'postgres',
  title: 'JSON Patch over PostgreSQL',
  engine: 'postgres',
  clients: 32,
  loads: { ours: over('postgres', 'ours'), 'hand-written': over('postgres', 'handWritten') },
  alike: 'hand-written',
  rows: [{ work: work('PostgresStore'), ours: 'ours', beside, other: 'hand-written', goal: 1 }],
};

export const sqlite = {
  name: 'sqlite',
  title: 'JSON Patch over SQLite',
  clients: 32,
  loads: { ours: over('sqlite', 'ours'), 'hand-written': over('sqlite', 'handWritten') },
  alike: 'hand-written',
  rows: [{ work: work('SqliteStore'), ours: 'ours', beside, other: 'hand-written', goal: 1 }],
};
