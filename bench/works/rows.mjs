import { patches, twoOperationsEach } from './patch.mjs';

const over = (maker, requests = twoOperationsEach) => ({
  server: { module: 'rows', maker, options: { keys: 1_000 } },
  requests,
  answer: { status: 200, fields: { etag: /^"/, 'content-type': /^application\/json/ } },
});

/** Of columns that one conditional UPDATE writes: texts. */
const twoTexts = patches(1_000, (title) => [
  { op: 'replace', path: '/title', value: title },
  { op: 'replace', path: '/body', value: `The text of ${title}` },
]);

const row = (ours, other, beside = 'hand-written, with the same guarantee: a lock in a transaction') => ({
  work: `JSON Patch through ${ours}, 32 clients, different keys`,
  ours,
  beside,
  other,
  goal: 1.15,
});

export const rows = {
  name: 'rows',
  title: 'JSON Patch over rows of PostgreSQL',
  engines: ['postgres'],
  /** Few requests are answered in a second, and some are on their way when it ends. */
  slices: ({ rounds, seconds }) => ({ rounds: Math.ceil(0.8 * rounds), seconds: 2 * seconds }),
  clients: 32,
  loads: {
    'tableStore over pg': over('tableOurs'),
    'pg by hand': over('tableByHand'),
    "tableStore over pg, version: 'xmin'": over('xminOurs', twoTexts),
    'pg by hand, xmin': over('xminByHand', twoTexts),
    'rowStore over Knex': over('knexOurs'),
    'Knex by hand': over('knexByHand'),
    'rowStore over Prisma': over('prismaOurs'),
    'Prisma by hand': over('prismaByHand'),
  },
  alike: 'pg by hand',
  rows: [
    row('tableStore over pg', 'pg by hand'),
    row(
      "tableStore over pg, version: 'xmin'",
      'pg by hand, xmin',
      'hand-written: one conditional UPDATE … WHERE xmin',
    ),
    row('rowStore over Knex', 'Knex by hand'),
    {
      ...row('rowStore over Prisma', 'Prisma by hand'),
      bar: ['A PATCH of a row through Prisma', 'one written by hand'],
    },
  ],
};
