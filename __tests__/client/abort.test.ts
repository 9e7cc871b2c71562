import { createServer } from 'node:http';
import { resourceClient, type ResourceClientOptions } from '../../lib/client';
import { serving } from '../support/serving';
import { scriptedFetch, state, type Step } from './scripted-fetch';

interface Note {
  title: string;
}

const base = 'https://api.example';
const reason = new Error('the page was left');
const rename = (note: Note): void => {
  note.title += '!';
};

/** The timers that were set since a test began, and have neither fired nor been cleared. Jest has others of its own. */
const timers = new Set<unknown>();
const { setTimeout: set, clearTimeout: clear } = globalThis;
beforeEach(() => {
  timers.clear();
  const setNoted = (callback: () => void, milliseconds?: number): NodeJS.Timeout => {
    const timer = set(() => {
      timers.delete(timer);
      callback();
    }, milliseconds);
    timers.add(timer);
    return timer;
  };
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(setNoted);
  jest.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    timers.delete(timer);
    clear(timer);
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

const unhandled: unknown[] = [];
const note = (error: unknown): void => void unhandled.push(error);
beforeAll(() => process.on('unhandledRejection', note));
afterAll(() => process.off('unhandledRejection', note));

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function outcome(call: Promise<unknown>): Promise<unknown> {
  return call.catch((error: unknown) => error);
}

const later: Step = { status: 503, headers: { 'Retry-After': '5' } };
const never = () => new Promise<never>(() => undefined);

const rows: readonly { what: string; steps: readonly Step[]; options?: ResourceClientOptions<Note> }[] = [
  { what: 'while an answer is awaited', steps: ['silent'] },
  { what: 'while Retry-After is waited for', steps: [later] },
  { what: 'while a change is sent', steps: [state(1, { title: 'a' }), 'silent'] },
  { what: 'while a change is to be sent again', steps: [state(1, { title: 'a' }), later] },
  { what: 'while headers are awaited that never come', steps: [], options: { headers: never } },
  { what: 'under a fetch that does not know signals', steps: [], options: { fetch: never } },
  {
    what: 'while a body is read that never ends',
    steps: [],
    options: { fetch: () => Promise.resolve({ status: 200, headers: new Headers(), text: never }) },
  },
];

describe.each(rows)('$what', ({ steps, options }) => {
  test('the call rejects with the reason, at once; no timer is left, and no rejection unhandled', async () => {
    const { fetch } = scriptedFetch(...steps);
    const controller = new AbortController();
    const removed = jest.spyOn(controller.signal, 'removeEventListener');
    const added = jest.spyOn(controller.signal, 'addEventListener');
    const call = outcome(
      resourceClient<Note>(base, { fetch, ...options }).change('/notes/1', rename, {
        signal: controller.signal,
      }),
    );
    for (let i = 0; i < 20; i++) await turn();
    controller.abort(reason);
    expect(await call).toBe(reason);
    for (let i = 0; i < 5; i++) await turn();
    expect(timers.size).toBe(0);
    expect(added.mock.calls.length).toBeGreaterThan(0);
    expect(removed.mock.calls.length).toBeGreaterThanOrEqual(added.mock.calls.length);
    expect(unhandled).toEqual([]);
  });
});

test('while a person decides on a conflict: the call rejects at once; what is decided later counts for nothing', async () => {
  const { fetch, sent } = scriptedFetch(state(1, { title: 'theirs' }));
  const controller = new AbortController();
  let decide: (note: Note) => void = () => undefined;
  let saved: Promise<unknown> = Promise.resolve();
  const asked = new Promise<void>((ask) => {
    const onConflict = () => {
      ask();
      return new Promise<Note>((resolve) => (decide = resolve));
    };
    const call = { signal: controller.signal, onConflict };
    saved = outcome(
      resourceClient<Note>(base, { fetch }).save('/n', { title: 'a' }, { title: 'mine' }, call),
    );
  });
  await asked;
  controller.abort(reason);
  expect(await saved).toBe(reason);
  decide({ title: 'mine' });
  for (let i = 0; i < 5; i++) await turn();
  expect(sent).toHaveLength(1);
  expect(unhandled).toEqual([]);
});

test('a signal that is aborted already: nothing is sent', async () => {
  const { fetch, sent } = scriptedFetch();
  const client = resourceClient<Note>(base, { fetch });
  const signal = AbortSignal.abort(reason);
  const calls = [
    client.get('/n', { signal }),
    client.change('/n', rename, { signal }),
    client.save('/n', { title: '' }, { title: 'a' }, { signal }),
    client.put('/n', { title: '' }, { signal, create: true }),
    client.remove('/n', { signal, etag: '*' }),
    client.options('/n', { signal }),
  ];
  expect(await Promise.all(calls.map(outcome))).toEqual(calls.map(() => reason));
  expect(sent).toEqual([]);
});

test('after a call that ends well, and one that fails, nothing is left either', async () => {
  const { fetch } = scriptedFetch(state(1, { title: 'a' }), 'lost', state(2, { title: 'a!' }), {
    status: 500,
  });
  const client = resourceClient<Note>(base, { fetch });
  const { signal } = new AbortController();
  const removed = jest.spyOn(signal, 'removeEventListener');
  const added = jest.spyOn(signal, 'addEventListener');
  await client.change('/notes/1', rename, { signal });
  await outcome(client.get('/notes/1', { signal }));
  await turn();
  expect(timers.size).toBe(0);
  expect(removed.mock.calls.length).toBe(added.mock.calls.length);
});

test('over a real connection: the server sees that the client has gone', async () => {
  let gone: Promise<unknown> = Promise.resolve();
  const server = createServer((req, res) => {
    res.writeHead(200, { ETag: '"1"', 'Content-Type': 'application/json' });
    res.write('{"title":');
    gone = new Promise((resolve) => req.once('close', resolve));
  });
  const listener = server.listeners('request')[0] as never;
  await serving(listener, async (_server, port) => {
    const controller = new AbortController();
    const read = outcome(resourceClient(`http://127.0.0.1:${port}`).get('/n', { signal: controller.signal }));
    await new Promise((resolve) => setTimeout(resolve, 100));
    controller.abort(reason);
    expect(await read).toBe(reason);
    await gone;
    expect(unhandled).toEqual([]);
  });
});
