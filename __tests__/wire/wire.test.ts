/**
 * What goes over the wire: status, header fields and content of every kind of answer, on both releases of Express and over
 * two stores, in one snapshot. All of them give the same. A change that no one meant shows here, whatever else it breaks.
 */
import { once } from 'node:events';
import { Agent, createServer, type Server } from 'node:http';
import { entityTag, MemoryStore } from 'patch-options';
import { SqliteStore } from 'patch-options/sqlite';
import { frameworks } from '../support/frameworks';
import { portOf } from '../support/serving';
import { bundle } from './bundle';
import { cors } from './cors';
import { exchange } from './exchange';
import { handlers } from './handlers';
import { idempotency } from './idempotency';
import { listener } from './listener';
import { optionsAndMethods } from './options-and-methods';
import { patch } from './patch';
import { policies } from './policies';
import { preconditions } from './preconditions';
import { note, type WireApp, type WireStore } from './wire-app';
import { DatabaseSync } from '../support/sqlite';

const apps: Readonly<Record<string, WireApp>> = {
  'OPTIONS and 405': optionsAndMethods,
  'CORS: one policy for all': cors,
  'CORS: a policy a path': policies,
  'patchOptions with resources': bundle,
  'optionsListener in front of the app': listener,
  'GET, PUT and DELETE of the app': handlers,
  PATCH: patch,
  'PATCH: preconditions': preconditions,
  'PATCH: Idempotency-Key': idempotency,
};

const stores: Readonly<Record<string, () => Promise<WireStore>>> = {
  MemoryStore: () => Promise.resolve(new MemoryStore()),
  SqliteStore: async () => {
    const store = new SqliteStore(new DatabaseSync(':memory:'), { table: 'notes' });
    await store.setup();
    return store;
  },
};

describe.each(Object.entries(apps))('%s', (_name, { open, rows, stores: overStores = false }) => {
  const agent = new Agent({ keepAlive: true });
  const servers: { server: Server; store: WireStore }[] = [];

  beforeAll(async () => {
    for (const openStore of Object.values(stores).slice(0, overStores ? undefined : 1)) {
      for (const [, express] of frameworks) {
        const store = await openStore();
        // However long a busy machine takes from one row to the next.
        const server = createServer({ keepAliveTimeout: 0 }, open(express, store)).listen(0, '127.0.0.1');
        await once(server, 'listening');
        servers.push({ server, store });
      }
    }
  });

  afterAll(() => {
    agent.destroy();
    for (const { server } of servers) server.close();
  });

  test.each(Object.entries(rows))('%s', async (_title, row) => {
    const answers = await Promise.all(
      servers.map(async ({ server, store }) => {
        const tags = [await refilled(store)];
        const told: string[] = [];
        for (const request of [row].flat()) told.push(await exchange(portOf(server), agent, request, tags));
        return told.join('\n\n');
      }),
    );
    const [answer] = answers;
    for (const other of answers) expect(other).toBe(answer);
    expect(answer).toMatchSnapshot();
  });
});

/** @returns the entity tag of the note at the key 1, the only one there is */
async function refilled(store: WireStore): Promise<string> {
  for (const key of ['1', '2']) await store.delete(key);
  const stored = await store.replace('1', null, note);
  if (stored === undefined) throw new Error('The store is not empty.');
  return entityTag(stored);
}
