/** Many calls of one client at once, with answers that come, or are lost, in any order. */
import { type Conflict, type Fetch, resourceClient, type ResourceClient } from '../../lib/client';
import { times } from '../support/deep-scale';
import { fc } from '../support/properties';
import { fetchBy, TaggedServer } from './tagged-server';

interface Note {
  title: string;
  tags: string[];
}

const urls = ['https://api.example/notes/1', 'https://api.example/notes/2'] as const;
const initial: Note = { title: 'a', tags: [] };
const fault = new Error('no such note');
const reason = new Error('the page was left');

beforeEach(() => {
  // Pauses between repeats are random: none.
  jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  jest.restoreAllMocks();
});

type Outcome =
  | { readonly value: unknown; readonly etag: unknown }
  | { readonly code: unknown; readonly uncertain: unknown };

const outcomeOf = (call: Promise<unknown>): Promise<Outcome> =>
  call.then(
    (result) => ({ value: undefined, etag: undefined, ...(result as object) }),
    (error: unknown) => {
      const { code, uncertain } = error as { readonly code?: unknown; readonly uncertain?: unknown };
      return { code: code ?? error, uncertain };
    },
  );

/** Requests arrive, and answers come back, when the scheduler says so; what `isLost` names is carried out, and has no answer. */
function scheduled(s: fc.Scheduler, server: TaggedServer, isLost: () => boolean = () => false): Fetch {
  return fetchBy(server, async (request) => {
    await s.schedule(Promise.resolve(), `${request.method} arrives`);
    const reply = server.answer(request);
    const lost = isLost();
    await s.schedule(Promise.resolve(), `${request.method} is answered`);
    if (lost) throw new TypeError('fetch failed');
    return reply;
  });
}

const kinds = {
  change: (client: ResourceClient<Note>, url: string, name: string) =>
    client.change(url, ({ tags }) => {
      tags.push(name);
    }),
  'change nothing': (client: ResourceClient<Note>, url: string) => client.change(url, () => undefined),
  throw: (client: ResourceClient<Note>, url: string) =>
    client.change(url, () => {
      throw fault;
    }),
  save: (client: ResourceClient<Note>, url: string, name: string) =>
    client.save(url, initial, { ...initial, title: name }),
  put: (client: ResourceClient<Note>, url: string, name: string) =>
    client.put(url, { title: name, tags: [] }),
  create: (client: ResourceClient<Note>, url: string, name: string) =>
    client.put(url, { title: name, tags: [] }, { create: true }),
  'put anyway': (client: ResourceClient<Note>, url: string, name: string) =>
    client.put(url, { title: name, tags: [] }, { etag: '*' }),
  'put on an old state': (client: ResourceClient<Note>, url: string, name: string) =>
    client.put(url, { title: name, tags: [] }, { etag: '"0"' }),
  remove: (client: ResourceClient<Note>, url: string) => client.remove(url),
};
const calls = fc.array(
  fc.record({
    kind: fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[])),
    url: fc.constantFrom(...urls),
  }),
  { maxLength: 20 },
);

const linesOf = (server: TaggedServer, url: string): readonly string[] =>
  server.arrived.filter((request) => request.url === url).map(({ line }) => line);

test('calls at once have the outcomes, and cost the requests, of the same calls one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), calls, async (s, each) => {
      const [together, oneByOne] = [new TaggedServer(), new TaggedServer()];
      for (const server of [together, oneByOne]) for (const url of urls) server.store(url, initial);

      const client = resourceClient<Note>(undefined, { fetch: scheduled(s, together) });
      const outcomes = Promise.all(
        each.map(({ kind, url }, i) => outcomeOf(kinds[kind](client, url, `${i}`))),
      );
      await s.waitFor(outcomes);

      const reference = resourceClient<Note>(undefined, {
        fetch: fetchBy(oneByOne, (request) => Promise.resolve(oneByOne.answer(request))),
      });
      const expected: Outcome[] = [];
      for (const [i, { kind, url }] of each.entries()) {
        expected.push(await outcomeOf(kinds[kind](reference, url, `${i}`)));
      }
      expect(await outcomes).toEqual(expected);
      for (const url of urls) {
        expect(together.valueAt(url)).toEqual(oneByOne.valueAt(url));
        expect(linesOf(together, url)).toEqual(linesOf(oneByOne, url));
      }
    }),
    { numRuns: times(100, 5_000) },
  );
});

const events = fc.record({
  /** The changes and saves of the client that is tested. */
  changes: fc.array(
    fc.record({
      kind: fc.constantFrom(
        'change',
        'change',
        'change',
        'throw',
        'save',
        'insistent save',
        'undecided save',
      ),
      url: fc.constantFrom(...urls),
      isAborted: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
    } as const),
    { maxLength: 20 },
  ),
  /** Those of another client. */
  others: fc.array(fc.constantFrom(...urls), { maxLength: 4 }),
  /** By request, whether its answer is lost. */
  losses: fc.array(fc.boolean(), { maxLength: 12 }),
});

test('lost answers, aborted calls, other clients and people who never decide: what is done is there, once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), events, async (s, { changes, others, losses }) => {
      const server = new TaggedServer();
      for (const url of urls) server.store(url, initial);
      const left = [...losses];
      const fetch = scheduled(s, server, () => left.shift() ?? false);
      const client = resourceClient<Note>(undefined, { fetch, idempotency: true });
      const another = resourceClient<Note>(undefined, { fetch: scheduled(s, server), idempotency: true });

      const results = changes.map(({ kind, url, isAborted }, i) => {
        const controller = new AbortController();
        const { signal } = controller;
        if (isAborted) {
          void s.schedule(Promise.resolve(), `${i} is aborted`).then(() => {
            controller.abort(reason);
          });
        }
        const name = `mine-${i}`;
        const recipe = ({ tags }: Note): void => {
          if (kind === 'throw') throw fault;
          tags.push(name);
        };
        const decisions = {
          save: () => s.schedule(Promise.resolve(undefined), `${i} is given up`),
          'insistent save': ({ withMine }: Conflict<Note>) =>
            s.schedule(Promise.resolve(withMine), `${i} is decided`),
          'undecided save': () => new Promise<undefined>(() => undefined),
        };
        const call =
          kind === 'change' || kind === 'throw'
            ? client.change(url, recipe, { signal })
            : client.save(...([url, initial, { ...initial, title: name }] as const), {
                signal,
                onConflict: decisions[kind],
              });
        // Whoever waits for a decision that never comes does so for ever.
        const isEndless = kind === 'undecided save';
        return { kind, url, name, isAborted, isEndless, controller, outcome: outcomeOf(call) };
      });
      const theirs = others.map((url, i) => ({
        ...{ url, name: `theirs-${i}` },
        outcome: outcomeOf(
          another.change(url, ({ tags }) => {
            tags.push(`theirs-${i}`);
          }),
        ),
      }));
      const ending = results.filter(({ isEndless }) => !isEndless);
      await s.waitFor(Promise.all([...ending, ...theirs].map(({ outcome }) => outcome)));
      for (const { isEndless, controller } of results) if (isEndless) controller.abort(reason);
      await Promise.all(results.map(({ outcome }) => outcome));

      for (const { kind, url, name, isAborted, outcome } of ending) {
        const { tags } = server.valueAt(url) as Note;
        const times = tags.filter((tag) => tag === name).length;
        const result = await outcome;
        if (kind === 'throw') expect([fault, reason]).toContain('code' in result && result.code);
        if (kind === 'insistent save' && !isAborted) expect(result).toMatchObject({ value: { title: name } });
        if (kind === 'save' && 'value' in result) expect(result).toMatchObject({ value: { title: name } });
        if (kind !== 'change') continue;
        if ('value' in result) expect(times).toBe(1);
        else
          expect({ times, result, isAborted }).toMatchObject({ result: { code: reason }, isAborted: true });
        expect(times).toBeLessThanOrEqual(1);
      }
      for (const { url, name, outcome } of theirs) {
        expect(await outcome).toHaveProperty('value');
        expect((server.valueAt(url) as Note).tags).toContain(name);
      }

      // Each write is a request, and each URL is read once by each client. What ends without a write, or asks someone, reads
      // once more; who insists does so against each other who does; after a call that was aborted, the state is read again.
      // Each write of one client can overtake one of the other, which costs two more; and each answer that is lost costs one.
      const writes = changes.length + others.length;
      const unwritten = changes.filter(({ kind }) => kind !== 'change').length;
      const insistent = changes.filter(({ kind }) => kind === 'insistent save').length;
      const aborted = changes.filter(({ isAborted }) => isAborted).length;
      const overtaken = others.length === 0 ? 0 : writes;
      const most =
        writes + 2 * urls.length + unwritten + aborted + 2 * overtaken + insistent ** 2 + losses.length;
      expect(server.requests).toBeLessThanOrEqual(most);
    }),
    { numRuns: times(100, 5_000) },
  );
});
