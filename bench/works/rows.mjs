import { patches, twoOperations } from './patch.mjs';

const over = (maker) => ({
  server: { module: 'rows', maker, options: { keys: 1_000 } },
  requests: patches(1_000, twoOperations),
  answer: { status: 200, fields: { etag: /^"/, 'content-type': /^application\/json/ } },
});

const row = (over, ours, other) => ({
  work: `JSON Patch through ${over}, 32 clients, different keys`,
  ours,
  beside: 'hand-written, by the same conditional call',
  other,
  goal: 0.9,
});

export const rows = {
  name: 'rows',
  title: 'JSON Patch over rows of PostgreSQL',
  engine: 'postgres',
  clients: 32,
  loads: {
    'tableStore over pg': over('tableOurs'),
    'pg by hand': over('tableByHand'),
    'rowStore over Knex': over('knexOurs'),
    'Knex by hand': over('knexByHand'),
    'rowStore over Prisma': over('prismaOurs'),
    'Prisma by hand': over('prismaByHand'),
  },
  alike: 'pg by hand',
  rows: [
    row('tableStore over pg', 'tableStore over pg', 'pg by hand'),
    row('rowStore over Knex', 'rowStore over Knex', 'Knex by hand'),
    row('rowStore over Prisma', 'rowStore over Prisma', 'Prisma by hand'),
  ],
};
