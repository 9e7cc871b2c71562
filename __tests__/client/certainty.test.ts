/** What the client says of a write that was not answered with success: whether it can have been made nevertheless. */
import type { RequestListener } from 'node:http';
import {
  ContentError,
  type Fetch,
  resourceClient,
  type ResourceClient,
  ResponseError,
} from '../../lib/client';
import type { FetchResponse } from '../../lib/client/client-options';
import { serving } from '../support/serving';
import { type Reply, refused, scriptedFetch, state, type Step } from './scripted-fetch';

interface Note {
  title: string;
}

const base = 'https://api.example';
const url = '/notes/1';
const initial: Note = { title: 'a' };
const mine: Note = { title: 'b' };

type Write = (client: ResourceClient<Note>) => Promise<unknown>;

const writes: Readonly<Record<'change' | 'save' | 'put' | 'remove', Write>> = {
  change: (client) => client.change(url, () => mine),
  save: (client) => client.save(url, initial, mine),
  put: (client) => client.put(url, mine),
  remove: (client) => client.remove(url),
};
const names = ['change', 'save', 'put', 'remove'] as const;

const problem = (status: number, code: string, more: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'Content-Type': 'application/problem+json', ...more },
  body: { status, code, detail: `It is ${code}.` },
});

/** Each with whether the write can have been made. */
const answers: readonly { what: string; reply: Reply; isOpen: boolean }[] = [
  ...[0, 202, 203, 206, 300, 301, 302, 303, 304, 307, 308, 408].map((status) => ({ status, isOpen: true })),
  ...[500, 501, 502, 503, 504, 507, 511, 520, 522, 524, 530, 599].map((status) => ({ status, isOpen: true })),
  ...[400, 401, 403, 404, 405, 406, 409, 410, 412, 413, 415].map((status) => ({ status, isOpen: false })),
  ...[421, 422, 423, 425, 426, 428, 429, 431, 451].map((status) => ({ status, isOpen: false })),
]
  .map(({ status, isOpen }) => ({ what: String(status), reply: { status }, isOpen }))
  .concat([
    // Of a 5xx no code says that nothing was written: it may come from anywhere on the way.
    { what: '503 outcomes-full', reply: problem(503, 'outcomes-full'), isOpen: true },
    { what: '409 in flight', reply: problem(409, 'idempotency-key-in-flight'), isOpen: true },
    {
      what: '409 in flight, in the JSON of the app',
      reply: { status: 409, body: { code: 'idempotency-key-in-flight' } },
      isOpen: true,
    },
    {
      what: '409 whose code is not a string',
      reply: { status: 409, body: { code: ['in-flight'] } },
      isOpen: false,
    },
    { what: '409 lost-race', reply: problem(409, 'lost-race'), isOpen: false },
    { what: 'broken JSON', reply: { ...problem(409, ''), body: '{"code":"idempotency' }, isOpen: false },
    { what: 'cut short', reply: { ...problem(503, 'maintenance'), cut: true }, isOpen: true },
    { what: 'a refusal, cut short', reply: { ...problem(422, 'invalid-result'), cut: true }, isOpen: false },
  ]);

/** As many as come before `timeout` is over. */
const always = (step: Step): readonly Step[] => Array<Step>(99).fill(step);

/** Each 412 is followed by a GET of a state that is new. */
const overtaken = Array.from({ length: 16 }, (_, i) => [refused(i + 2), state(i + 2, initial)]).flat();

let clock: number;
beforeEach(() => {
  // Each look at the clock takes ten milliseconds, and the pauses take none.
  clock = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (clock += 10));
  jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  jest.restoreAllMocks();
});

async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => {
      throw new Error('It did not fail');
    },
    (error: unknown) => error,
  );
}

/** A client that has read the resource. */
async function reader(steps: readonly Step[], idempotency: boolean, timeout = 200) {
  const script = scriptedFetch(state(1, initial), ...steps);
  const client = resourceClient<Note>(base, { fetch: script.fetch, idempotency, timeout });
  await client.get(url);
  return { client, script };
}

/** What comes of `put` without an entity tag shows what the client takes for the state of the resource. */
async function tagOfPut(client: ResourceClient<Note>, sent: readonly { headers: Headers }[]) {
  const error = await failure(client.put(url, mine));
  return error instanceof ResponseError
    ? sent.at(-1)?.headers.get('If-Match')
    : (error as ResponseError).code;
}

describe.each([false, true])('with idempotency: %s', (idempotency) => {
  describe.each(names)('%s', (name) => {
    const isKeyed = idempotency && name !== 'remove';

    test.each(answers)('answered with $what to the end', async ({ reply, isOpen }) => {
      const rest = reply.status === 412 ? overtaken : always(reply);
      const { client, script } = await reader(rest, idempotency);
      const error = await failure(writes[name](client));
      expect(error).toMatchObject({ status: reply.status, uncertain: isOpen });
      const told = 'The server may have carried it out nevertheless.';
      expect((error as Error).message.includes(told)).toBe(isOpen);
      // An answer that tells nothing is asked for again where a key makes that safe.
      if (isOpen && isKeyed) expect(script.sent.length).toBeGreaterThan(3);
    });

    if (isKeyed) {
      test.each(answers.filter(({ isOpen }) => isOpen))(
        'answered with $what, and then with success, under the same key',
        async ({ reply }) => {
          const { client, script } = await reader([reply, reply, state(2, mine), state(3, mine)], true);
          expect(await writes[name](client)).toMatchObject({ value: mine, etag: '"2"' });
          const keys = script.sent.slice(1).map(({ headers }) => headers.get('Idempotency-Key'));
          expect(new Set(keys).size).toBe(1);
          expect(keys).toHaveLength(3);
          // The client knows what came of it.
          await client.put(url, mine);
          expect(script.sent.at(-1)?.headers.get('If-Match')).toBe('"2"');
        },
      );

      test.each([500, 520, 302, 202])('%d that stays is asked for again three times', async (status) => {
        const { client, script } = await reader(always({ status }), true, 30_000);
        expect(await failure(writes[name](client))).toMatchObject({ status, uncertain: true });
        expect(script.sent).toHaveLength(1 + 4);
      });

      test('answers that say "later" are not among the three', async () => {
        const steps = [...Array<Step>(6).fill({ status: 503 }), ...Array<Step>(3).fill({ status: 500 })];
        const { client, script } = await reader([...steps, state(2, mine)], true, 30_000);
        expect(await writes[name](client)).toMatchObject({ value: mine, etag: '"2"' });
        expect(script.sent).toHaveLength(1 + 10);
      });

      test('answered with 500, and then with 412: it was not made', async () => {
        const { client } = await reader([{ status: 500 }, ...overtaken], true);
        const error = await failure(writes[name](client));
        expect(error).toMatchObject({ status: 412, uncertain: false });
      });
    } else {
      test.each([500, 520, 302, 202])('%d is not sent again', async (status) => {
        const { client, script } = await reader([{ status }], idempotency);
        await failure(writes[name](client));
        expect(script.left).toEqual([]);
      });
    }

    test('what refuses the repeat of an uncertain request does not settle it', async () => {
      const { client } = await reader([{ status: 503 }, { status: 401 }], idempotency);
      expect(await failure(writes[name](client))).toMatchObject({ status: 401, uncertain: true });
    });

    test.each<{ what: string; steps: readonly Step[]; tag: string }>([
      { what: 'an uncertain answer', steps: always({ status: 503 }), tag: 'precondition-unknown' },
      { what: 'a lost connection', steps: always('lost'), tag: 'precondition-unknown' },
      { what: 'a refusal', steps: [{ status: 422 }, { status: 400 }], tag: '"1"' },
    ])('what it knows of the resource after $what', async ({ steps, tag }) => {
      const { client, script } = await reader(steps, idempotency);
      expect(await failure(writes[name](client))).toMatchObject({ uncertain: tag !== '"1"' });
      expect(await tagOfPut(client, script.sent)).toBe(tag);
    });

    test('after it was aborted the client knows nothing of the resource; before it was sent, what it knew', async () => {
      const { client, script } = await reader(['silent'], idempotency);
      const controller = new AbortController();
      const call = { signal: controller.signal };
      const reason = new Error('left');
      const aborted = failure(
        {
          change: () => client.change(url, () => mine, call),
          save: () => client.save(url, initial, mine, call),
          put: () => client.put(url, mine, call),
          remove: () => client.remove(url, call),
        }[name](),
      );
      while (script.sent.length < 2) await new Promise((resolve) => setImmediate(resolve));
      controller.abort(reason);
      expect(await aborted).toBe(reason);
      expect(await tagOfPut(client, script.sent)).toBe('precondition-unknown');
    });
  });
});

test('what never left does not make the client forget', async () => {
  const script = scriptedFetch(state(1, initial), { status: 400 });
  let headers: () => Record<string, string> = () => ({});
  const client = resourceClient<Note>(base, { fetch: script.fetch, headers: () => headers() });
  await client.get(url);
  const fault = new Error('signed out');
  headers = () => {
    throw fault;
  };
  expect(await failure(client.put(url, mine))).toBe(fault);
  headers = () => ({});
  const signal = AbortSignal.abort(fault);
  expect(await failure(client.put(url, mine, { signal }))).toBe(fault);
  expect(await tagOfPut(client, script.sent)).toBe('"1"');
});

describe('headers that fail before a repeat', () => {
  const fault = new Error('signed out');
  const failing: readonly { what: string; headers: () => Record<string, string>; cause: object }[] = [
    {
      what: 'as the option throws',
      headers: () => {
        throw fault;
      },
      cause: fault,
    },
    { what: 'as they are invalid', headers: () => ({ a: 'b\nc' }), cause: { name: 'TypeError' } },
  ];

  test.each(failing)('$what: the write may be made nevertheless', async ({ headers, cause }) => {
    const script = scriptedFetch(state(1, initial), 'lost');
    const options = { fetch: script.fetch, headers: () => (script.sent.length < 2 ? {} : headers()) };
    const client = resourceClient<Note>(base, options);
    const error = await failure(client.change(url, () => mine));
    expect(error).toMatchObject({ code: 'connection-failed', uncertain: true, cause });
  });

  test.each(failing)('$what: after a refusal it is what they fail with', async ({ headers, cause }) => {
    const script = scriptedFetch(state(1, initial), { status: 429 });
    const options = { fetch: script.fetch, headers: () => (script.sent.length < 2 ? {} : headers()) };
    const client = resourceClient<Note>(base, options);
    expect(await failure(client.change(url, () => mine))).toMatchObject(cause);
  });
});

test.each<{ what: string; call: Write }>([
  { what: 'get', call: (client) => client.get(url) },
  { what: 'options', call: (client) => client.options(url) },
])('$what changes nothing: 500 is final, and not uncertain', async ({ call }) => {
  const script = scriptedFetch({ status: 500 });
  const client = resourceClient<Note>(base, { fetch: script.fetch, idempotency: true });
  expect(await failure(call(client))).toMatchObject({ status: 500, uncertain: false });
});

test('a success that cannot be read: the client forgets what it knew', async () => {
  const page = { status: 200, headers: { 'Content-Type': 'text/html' }, body: 'Welcome to our WLAN' };
  const { client, script } = await reader([page], false);
  const error = await failure(client.put(url, mine));
  expect(error).toBeInstanceOf(ContentError);
  expect(error).toMatchObject({ uncertain: true });
  expect(await tagOfPut(client, script.sent)).toBe('precondition-unknown');
});

describe('a content that never ends', () => {
  /** Sends its chunk for as long as it is asked, and counts. */
  function endless(status: number, chunk: string) {
    const counts = { chunks: 0, isAborted: false };
    const content = new TextEncoder().encode(chunk);
    const fetch: Fetch = (_url, { method, signal }) => {
      signal.addEventListener('abort', () => (counts.isAborted = true));
      if (method === 'GET') return Promise.resolve(new Response('{"title":"a"}', { headers: json }));
      const body = new ReadableStream({
        pull: async (controller) => {
          counts.chunks++;
          controller.enqueue(content);
          await new Promise((resolve) => setImmediate(resolve));
        },
      });
      const headers = { 'Content-Type': 'application/problem+json' };
      return Promise.resolve(new Response(body, { status, headers }));
    };
    return { fetch, counts };
  }
  const json = { ETag: '"1"', 'Content-Type': 'application/json' };

  test.each([
    { status: 503, uncertain: true },
    { status: 500, uncertain: true },
    { status: 422, uncertain: false },
  ])('of $status is given up after some megabytes', async ({ status, uncertain }) => {
    const { fetch, counts } = endless(status, `{"code":"outcomes-full","detail":"${'x'.repeat(1_000_000)}`);
    const client = resourceClient<Note>(base, { fetch, timeout: 400 });
    expect(await failure(client.change(url, () => mine))).toMatchObject({
      ...{ status, code: 'http-error', uncertain },
    });
    expect(counts.chunks).toBeLessThan(200);
    expect(counts.isAborted).toBe(true);
  });

  test('slowly, over a real connection: given up in time, and asked again under the key', async () => {
    jest.restoreAllMocks();
    let asked = 0;
    const app: RequestListener = (req, res) => {
      if (req.method === 'PATCH' && asked++ === 0) {
        res.writeHead(500, { 'Content-Type': 'application/problem+json' }).write('{"code":"outcomes-full"');
      } else {
        const content = JSON.stringify(req.method === 'PATCH' ? mine : initial);
        res.writeHead(200, { ...json, ETag: `"${asked}"` }).end(content);
      }
    };
    await serving(app, async (_server, port) => {
      const options = { idempotency: true, timeout: 3_000 };
      const client = resourceClient<Note>(`http://127.0.0.1:${port}`, options);
      expect(await client.change(url, () => mine)).toMatchObject({ value: mine, etag: '"2"', attempts: 1 });
    });
  });

  test('the content of a problem document in several pieces is put together', async () => {
    const text = JSON.stringify({ status: 422, code: 'invalid-result', detail: 'Größe: 𝄞' });
    const bytes = new TextEncoder().encode(text);
    const fetch: Fetch = (_url, { method }) => {
      if (method === 'GET') return Promise.resolve(new Response('{"title":"a"}', { headers: json }));
      const body = new ReadableStream({
        start: (controller) => {
          for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
          controller.close();
        },
      });
      return Promise.resolve(new Response(body, { status: 422 }));
    };
    const client = resourceClient<Note>(base, { fetch });
    expect(await failure(client.change(url, () => mine))).toMatchObject({
      ...{ code: 'invalid-result', message: 'Größe: 𝄞' },
    });
  });

  test.each<{ what: string; body: unknown }>([
    { what: 'of Node, as in node-fetch', body: { pipe: () => undefined } },
    { what: 'that is null', body: null },
    { what: 'that is missing', body: undefined },
  ])('a body $what: text() is read', async ({ body }) => {
    const fetch: Fetch = (_url, { method }): Promise<FetchResponse> => {
      const headers = new Headers(json);
      const [status, content] =
        method === 'GET' ? [200, '{"title":"a"}'] : [422, '{"code":"invalid-result"}'];
      return Promise.resolve({ status, headers, body, text: () => Promise.resolve(content) });
    };
    const client = resourceClient<Note>(base, { fetch });
    expect(await failure(client.change(url, () => mine))).toMatchObject({ code: 'invalid-result' });
  });
});
