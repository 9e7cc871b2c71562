/** What the client says of its writes, held against what the store was made to do, whatever comes back in between. */
import express, { type ErrorRequestHandler } from 'express';
import { jsonPatch, MemoryStore, patchOptions, resource } from '../../lib';
import { type Fetch, resourceClient, type ResourceClient } from '../../lib/client';
import type { FetchResponse } from '../../lib/client/client-options';
import { times } from '../support/deep-scale';
import { fc } from '../support/properties';
import { serving } from '../support/serving';

interface Note {
  title: string;
  tags: string[];
  count: number;
}

/** Notes everything that was ever written or deleted, and can lose its connection after it has committed. */
class NotedStore extends MemoryStore<Note> {
  readonly written: Note[] = [];
  deleted = 0;
  /** Of the next writes: whether each throws once it has committed. */
  readonly throwing: boolean[] = [];

  override async replace(
    ...args: Parameters<MemoryStore<Note>['replace']>
  ): ReturnType<MemoryStore<Note>['replace']> {
    const stored = await super.replace(...args);
    if (stored === undefined) return undefined;
    this.written.push(stored.value);
    this.#fail();
    return stored;
  }

  override async delete(...args: Parameters<MemoryStore<Note>['delete']>): Promise<boolean> {
    const isDeleted = await super.delete(...args);
    if (!isDeleted) return false;
    this.deleted++;
    this.#fail();
    return true;
  }

  #fail(): void {
    if (this.throwing.shift() === true) throw new Error('The connection to the database was lost.');
  }
}

const url = '/notes/1';
const initial: Note = { title: 'a', tags: ['x'], count: 0 };
const marked: Note = { title: 'mark', tags: ['x', 'mark'], count: 0 };
const isMarked = ({ title, tags }: Note): boolean => title === 'mark' && tags.includes('mark');

const writes = {
  change: (client: ResourceClient<Note>) =>
    client.change(url, (note) => {
      note.title = 'mark';
      note.tags.push('mark');
    }),
  save: (client: ResourceClient<Note>) => client.save(url, initial, marked),
  put: (client: ResourceClient<Note>) => client.put(url, marked),
  create: (client: ResourceClient<Note>) => client.put(url, marked, { create: true }),
  remove: (client: ResourceClient<Note>) => client.remove(url),
};
type Name = keyof typeof writes;
const names = Object.keys(writes) as readonly Name[];

async function withNotes(
  use: (store: NotedStore, fetchBy: (faults: readonly Fault[]) => Fetch, origin: string) => Promise<void>,
): Promise<void> {
  const store = new NotedStore();
  const app = express().use(patchOptions());
  const note = resource(store, [jsonPatch()], {
    key: (req) => req.params['id'],
    create: () => initial,
    idempotency: 'optional',
  });
  app.route('/notes/:id').get(note.get).put(note.put).patch(note.patch).delete(note.delete);
  const oops: ErrorRequestHandler = (error, _req, res, next) => {
    if (res.headersSent) next(error);
    else res.status(500).send('<h1>Oops</h1>');
  };
  app.use(oops);
  await serving(app, (_server, port) => use(store, fetchBy, `http://127.0.0.1:${port}`));
}

const replies = {
  /** After which nobody can know. */
  open: [
    'lost',
    'cut',
    0,
    202,
    301,
    302,
    303,
    307,
    408,
    500,
    502,
    503,
    504,
    507,
    520,
    522,
    524,
    'maintenance',
    'outcomes-full',
  ],
  /** Sent only instead of the server: nothing was made by this attempt. */
  refused: [425, 429, 'lost-race'],
} as const;
type Answered = (typeof replies)[keyof typeof replies][number];

interface Fault {
  readonly isHandedOn: boolean;
  readonly answered: Answered;
}

const faults: fc.Arbitrary<readonly Fault[]> = fc.array(
  fc.oneof(
    fc.record({ isHandedOn: fc.boolean(), answered: fc.constantFrom(...replies.open) }),
    fc.record({ isHandedOn: fc.constant(false), answered: fc.constantFrom(...replies.refused) }),
  ),
  { maxLength: 4 },
);

/** A fetch whose next writes meet the faults. */
function fetchBy(all: readonly Fault[]): Fetch {
  const left = [...all];
  return async (address, { body, ...init }) => {
    const send = () => fetch(address, { ...init, ...(body !== undefined && { body }) });
    const fault = init.method === 'GET' ? undefined : left.shift();
    if (fault === undefined) return send();
    const response = fault.isHandedOn ? await send() : undefined;
    await response?.clone().text();
    return answer(fault.answered, response);
  };
}

function answer(answered: Answered, response: Response | undefined): FetchResponse {
  if (answered === 'lost') throw new TypeError('fetch failed');
  if (answered === 'cut') {
    if (response === undefined) throw new TypeError('fetch failed');
    const { status, headers } = response;
    return { status, headers, text: () => Promise.reject(new TypeError('terminated')) };
  }
  if (typeof answered === 'number') {
    return { status: answered, headers: new Headers(), text: () => Promise.resolve('<h1>Oops</h1>') };
  }
  const status = answered === 'lost-race' ? 409 : 503;
  const headers = new Headers({ 'Content-Type': 'application/problem+json', 'Retry-After': '0' });
  const text = JSON.stringify({ status, code: answered, detail: 'No.' });
  return { status, headers, text: () => Promise.resolve(text) };
}

interface Case {
  readonly name: Name;
  readonly idempotency: boolean;
  readonly all: readonly Fault[];
  readonly throwing: readonly boolean[];
  readonly isOvertaken: boolean;
}

const cases: fc.Arbitrary<Case> = fc.record({
  name: fc.constantFrom(...names),
  idempotency: fc.boolean(),
  all: faults,
  throwing: fc.array(fc.boolean(), { maxLength: 2 }),
  isOvertaken: fc.boolean(),
});

beforeEach(() => {
  // Pauses between repeats are random: none.
  jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  jest.restoreAllMocks();
});

test('what is said to be made is made, once, and what is not uncertain and not made is not', () =>
  withNotes(async (store, fetchWith, origin) => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ name, idempotency, all, throwing, isOvertaken }) => {
        store.throwing.length = 0;
        await store.delete('1');
        if (name !== 'create') await store.replace('1', null, initial);
        const client = resourceClient<Note>(origin, { fetch: fetchWith(all), idempotency, timeout: 60_000 });
        if (name !== 'create') await client.get(url);
        if (isOvertaken) {
          const { version = null } = (await store.get('1')) ?? {};
          await store.replace('1', version, { ...initial, count: 1 });
        }
        store.written.length = 0;
        store.deleted = 0;
        store.throwing.push(...throwing);

        const error = await writes[name](client).then(
          () => undefined,
          (thrown: unknown) => thrown as { readonly code: string; readonly uncertain?: boolean },
        );
        store.throwing.length = 0;
        const times = name === 'remove' ? store.deleted : store.written.filter(isMarked).length;
        expect(times).toBeLessThanOrEqual(1);
        if (error === undefined) expect(times).toBe(1);
        else if (error.uncertain !== true) expect(times).toBe(0);
        // Under a key, whatever was lost on the way is settled in the end.
        if (idempotency && name !== 'remove') expect(error?.uncertain ?? false).toBe(false);

        // Only what the client knows is a state to put something in the place of.
        if (error?.uncertain === true && error.code !== 'uncertain') {
          await expect(client.put(url, marked)).rejects.toMatchObject({ code: 'precondition-unknown' });
        }
      }),
      { numRuns: times(100, 1_000) },
    );
  }));
