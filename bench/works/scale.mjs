import { loadsOver } from './databases.mjs';
import { patch } from './patch.mjs';
import { rows } from './rows.mjs';

const pair = ({ loads }, ours, byHand) => ({ ours: loads[ours], 'hand-written': loads[byHand] });

const stores = {
  MemoryStore: pair(patch, 'ours', 'hand-written'),
  SqliteStore: loadsOver('sqlite'),
  PostgresStore: loadsOver('postgres'),
  RedisStore: loadsOver('redis'),
  'tableStore over pg': pair(rows, 'tableStore over pg', 'pg by hand'),
  'rowStore over Knex': pair(rows, 'rowStore over Knex', 'Knex by hand'),
  'rowStore over Prisma': pair(rows, 'rowStore over Prisma', 'Prisma by hand'),
};

/** How long the slowest of a hundred PATCH requests takes while many clients wait for their answers. */
export const scale = {
  name: 'scale',
  title: 'PATCH from 64 clients',
  engines: ['postgres', 'redis'],
  clients: 64,
  /** 6 rounds of 0.8 s, where others have 10 of 0.5 s: a hundredth of the answers of one is still a few. */
  slices: ({ rounds, seconds }) => ({ rounds: Math.ceil(0.6 * rounds), seconds: 1.6 * seconds }),
  figure: 'p99',
  loads: Object.fromEntries(
    Object.entries(stores).flatMap(([store, loads]) => [
      [store, loads.ours],
      [`${store} by hand`, loads['hand-written']],
    ]),
  ),
  alike: 'PostgresStore by hand',
  rows: Object.keys(stores).map((store) => ({
    work: `99th percentile of latency: PATCH from 64 clients, ${store}`,
    ours: store,
    beside: 'hand-written',
    other: `${store} by hand`,
    goal: 1.25,
  })),
};
