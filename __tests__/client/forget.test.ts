/** After `forget()` another user may have signed in: no write of the one before may go out with their headers. */
import { resourceClient, type Fetch, type ResourceClient } from '../../lib/client';
import { times } from '../support/deep-scale';
import { fc } from '../support/properties';
import { refused, scriptedFetch, state, type Step } from './scripted-fetch';

interface Note {
  title: string;
}

const url = '/notes/1';
const initial: Note = { title: 'a' };
const mine: Note = { title: 'b' };

const writes: Readonly<Record<string, (client: ResourceClient<Note>) => Promise<unknown>>> = {
  change: (client) => client.change(url, () => mine),
  save: (client) => client.save(url, initial, mine),
  put: (client) => client.put(url, mine),
  remove: (client) => client.remove(url),
};

beforeEach(() => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const aborted = { name: 'AbortError', message: 'forget() was called before the write was sent.' };
const uncertain = { name: 'ConnectionError', uncertain: true, cause: aborted };
const busy: Step = { status: 503 };

/** What the option `headers` does when it is called for the n-th time, the read before the write being the first. */
type Headers = (n: number, signOut: () => void) => unknown;

const rows: readonly {
  readonly when: string;
  readonly steps: readonly Step[];
  /** Called after each answer. */
  readonly headers?: Headers;
  readonly onAnswer?: Headers;
  readonly expected: object;
}[] = [
  {
    when: 'while headers() is awaited',
    steps: [],
    headers: (n, signOut) => {
      if (n === 2) signOut();
    },
    expected: aborted,
  },
  {
    when: 'while headers() is awaited, which then rejects',
    steps: [],
    headers(n, signOut) {
      if (n !== 2) return undefined;
      signOut();
      return Promise.reject(new Error('no token'));
    },
    expected: aborted,
  },
  {
    when: 'while headers() is awaited, after a 429',
    steps: [{ status: 429 }],
    headers: (n, signOut) => {
      if (n === 3) signOut();
    },
    expected: aborted,
  },
  {
    when: 'while headers() is awaited, after a 503',
    steps: [busy],
    headers: (n, signOut) => {
      if (n === 3) signOut();
    },
    expected: uncertain,
  },
  {
    when: 'while headers() is awaited, after a 503, and then rejects',
    steps: [busy],
    headers(n, signOut) {
      if (n !== 3) return undefined;
      signOut();
      return Promise.reject(new Error('no token'));
    },
    expected: uncertain,
  },
  {
    when: 'when a 503 arrives',
    steps: [busy],
    onAnswer: (n, signOut) => {
      if (n === 2) signOut();
    },
    expected: uncertain,
  },
  {
    when: 'when the connection is lost',
    steps: ['lost'],
    onAnswer: (n, signOut) => {
      if (n === 2) signOut();
    },
    expected: uncertain,
  },
  {
    when: 'when the second 503 arrives',
    steps: [busy, busy],
    onAnswer: (n, signOut) => {
      if (n === 3) signOut();
    },
    expected: uncertain,
  },
];

/** A client that has read the resource as ada; `signOut` makes it ben's. */
async function signedIn(steps: readonly Step[], headers?: Headers, onAnswer?: Headers, idempotency = false) {
  const script = scriptedFetch(state(1, initial), ...steps);
  let user = 'ada';
  let [calls, answers] = [0, 0];
  const fetch: Fetch = (target, request) =>
    script.fetch(target, request).finally(() => onAnswer?.(++answers, signOut));
  const client = resourceClient<Note>('https://api.example', {
    fetch,
    idempotency,
    headers: async () => {
      await headers?.(++calls, signOut);
      return { user };
    },
  });
  function signOut(): void {
    user = 'ben';
    client.forget();
  }
  await client.get(url);
  return { client, script, signOut };
}

function createGate() {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { gate, open };
}

const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'resolved',
    (error: unknown) => error,
  );

describe.each(Object.entries(writes))('%s', (_name, write) => {
  test.each(rows)('forget() $when', async ({ steps, headers, onAnswer, expected }) => {
    for (const idempotency of [false, true]) {
      const { client, script } = await signedIn(steps, headers, onAnswer, idempotency);
      expect(await failure(write(client))).toMatchObject(expected);
      expect(script.sent.map((request) => request.headers.get('user'))).not.toContain('ben');
      expect(script.left).toEqual([]);
    }
  });

  test('forget() while it waits for its turn, and while the one before is on its way', async () => {
    const { gate, open } = createGate();
    const hold = (n: number) => (n === 2 ? gate : undefined);
    const { client, script, signOut } = await signedIn([state(2, { title: 'c' })], undefined, hold);
    const first = client.change(url, () => ({ title: 'c' }));
    const second = failure(write(client));
    while (script.sent.length < 2) await new Promise(setImmediate);
    signOut();
    open();
    expect(await second).toMatchObject(aborted);
    expect(await first).toMatchObject({ value: { title: 'c' } });
    expect(script.sent.map(({ method, headers }) => `${method} ${headers.get('user')}`)).toEqual([
      'GET ada',
      'PATCH ada',
    ]);
  });

  test('forget() of another client, or of one URL, does nothing to it', async () => {
    const { client } = await signedIn([state(2, mine)]);
    const other = await signedIn([]);
    const writing = write(client);
    other.signOut();
    client.forget('/notes/2');
    await writing;
  });

  test('forget() once it is answered with success changes nothing', async () => {
    const { client } = await signedIn([state(2, mine)], undefined, (n, signOut) => {
      if (n === 2) signOut();
    });
    expect(await failure(write(client))).toBe('resolved');
  });
});

test('forget() inside a recipe: what it makes is not sent', async () => {
  const { client, script, signOut } = await signedIn([]);
  const changing = client.change(url, (note) => {
    signOut();
    note.title = 'b';
  });
  expect(await failure(changing)).toMatchObject(aborted);
  expect(script.lines).toEqual(['GET']);
});

test('forget() inside a function that identifies elements', async () => {
  const list = { tags: [{ n: 1 }] } as unknown as Note;
  const changed = { tags: [{ n: 1 }, { n: 2 }] } as unknown as Note;
  const { client, script, signOut } = await signedIn([state(2, { tags: [{ n: 1 }, { n: 3 }] })]);
  await client.get(url);
  const identity = (element: unknown) => {
    signOut();
    return (element as { n: number }).n;
  };
  expect(await failure(client.save(url, list, changed, { identity }))).toMatchObject(aborted);
  expect(script.lines).toEqual(['GET', 'GET "1"']);
});

test('forget() after a 412: the state of the next user is not read for the one before', async () => {
  const { client, script } = await signedIn([refused(2)], undefined, (n, signOut) => {
    if (n === 2) signOut();
  });
  expect(await failure(client.change(url, () => mine))).toMatchObject(aborted);
  expect(script.lines).toEqual(['GET', 'PATCH "1"']);
});

test('a recipe does not run on what the next user has read', async () => {
  const { client, signOut } = await signedIn(
    [refused(2), state(3, { title: 'of ben' })],
    undefined,
    (n, out) => {
      if (n === 2) out();
    },
  );
  const seen: string[] = [];
  const changing = failure(
    client.change(url, (note) => {
      seen.push(note.title);
      note.title = 'b';
    }),
  );
  expect(await changing).toMatchObject(aborted);
  await client.get(url);
  signOut();
  expect(seen).toEqual(['a']);
});

test('forget() forgets where the platform has no DOMException', async () => {
  const { gate, open } = createGate();
  const hold = (n: number) => (n === 2 ? gate : undefined);
  const { client, script } = await signedIn([state(2, mine), state(3, mine)], undefined, hold);
  const { DOMException } = globalThis;
  Reflect.deleteProperty(globalThis, 'DOMException');
  try {
    const [first, second] = [failure(client.put(url, mine)), failure(client.put(url, mine))];
    while (script.sent.length < 2) await new Promise(setImmediate);
    client.forget();
    open();
    expect([await first, await second]).toEqual(['resolved', expect.objectContaining(aborted)]);
    await client.get(url);
    expect(script.lines).toEqual(['GET', 'PUT "1"', 'GET']);
  } finally {
    globalThis.DOMException = DOMException;
  }
});

test('whatever the order of events, each write is sent as the user who made it', async () => {
  const events = fc.array(fc.constantFrom('change', 'save', 'put', 'sign out', 'wait', 'wait'), {
    maxLength: 12,
  });
  const answers: readonly Step[] = [
    'lost',
    busy,
    { status: 429 },
    refused(2),
    state(2, mine),
    { status: 204 },
  ];
  const picks = fc.infiniteStream(fc.nat(999));
  await fc.assert(
    fc.asyncProperty(events, picks, async (steps, numbers) => {
      let user = 0;
      const next = (): number => numbers.next().value ?? 0;
      const pause = () => new Promise((resolve) => setTimeout(resolve, next() % 3));
      const strangers: string[] = [];
      const fetch: Fetch = async (target, request) => {
        const [, owner = request.headers['user']] = /user (\d+)/.exec(request.body ?? '') ?? [];
        if (owner !== request.headers['user']) strangers.push(`${request.method} of ${owner}`);
        await pause();
        const answer = request.method === 'GET' ? state(1, { title: 'a' }) : answers[next() % answers.length];
        return scriptedFetch(answer ?? busy).fetch(target, request);
      };
      const headers = async () => {
        await pause();
        return { user: String(user) };
      };
      const client = resourceClient<Note>('https://api.example', { fetch, headers, timeout: 500 });
      const calls: Promise<unknown>[] = [];
      for (const step of steps) {
        const value = { title: `user ${user}` };
        if (step === 'change') calls.push(client.change(url, () => value));
        if (step === 'save') calls.push(client.save(url, initial, value));
        if (step === 'put') calls.push(client.put(url, value, { etag: '"1"' }));
        if (step === 'wait') await pause();
        if (step !== 'sign out') continue;
        user++;
        client.forget();
      }
      await Promise.allSettled(calls);
      expect(strangers).toEqual([]);
    }),
    { numRuns: times(30, 1_000) },
  );
});
