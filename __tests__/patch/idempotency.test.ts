import { type IdempotentRequest, unlessInFlight } from '../../lib/patch/idempotency';
import { request } from 'node:http';
import express from 'express';
import supertest from 'supertest';
import { jsonPatch } from '../../lib/patch/formats/json-patch';
import { mergePatch } from '../../lib/patch/formats/merge-patch';
import { patchHandler } from '../../lib/patch/patch-handler';
import type { PatchHandlerOptions } from '../../lib/patch/handler-options';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import type { OutcomeStore } from '../../lib/stores/contract/outcome-store';
import type { ReadContext, Stored, WriteContext } from '../../lib/stores/contract/resource-store';
import { frameworks, type ExpressModule } from '../support/frameworks';
import { patchInProcess } from '../support/patch-in-process';
import { serving } from '../support/serving';

interface List {
  readonly list: readonly unknown[];
  readonly title?: string;
}
type Options = PatchHandlerOptions<List>;
type Server = Parameters<typeof supertest>[0];

/** A store of its own over an engine that others use too, as another process would have it. */
class Process implements OutcomeStore<List> {
  readonly keepsOutcomes = true;
  writes = 0;
  /** Runs in front of the next write. */
  meanwhile: (() => Promise<unknown>) | undefined;

  constructor(readonly engine = new MemoryStore<List>()) {}

  get(key: string, context?: ReadContext): Promise<Stored<List> | undefined> {
    return this.engine.get(key, context);
  }

  async replace(key: string, expected: string | null, next: List, context?: WriteContext) {
    const { meanwhile } = this;
    this.meanwhile = undefined;
    await meanwhile?.();
    const made = await this.engine.replace(key, expected, next, context);
    if (made !== undefined) this.writes += 1;
    return made;
  }
}

async function hosting<R>(
  express: ExpressModule,
  options: Options,
  use: (server: Server, store: Process) => Promise<R>,
  store = new Process(),
): Promise<R> {
  if ((await store.get('7')) === undefined) await store.engine.replace('7', null, { list: [] });
  const app = express();
  app.set('env', 'test');
  const all: Options = { key: (req) => req.params.id, idempotency: 'optional', ...options };
  app.patch(['/things/:id', '/also/:id'], patchHandler(store, [jsonPatch(), mergePatch()], all));
  return serving(app, (server) => use(server, store));
}

const append = '[{"op":"add","path":"/list/-","value":1}]';

interface Sent {
  readonly path?: string;
  /** The field as it is sent; null: it is not. */
  readonly key?: string | null;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

function send(server: Server, sent: Sent = {}): supertest.Test {
  const { path = '/things/7', key = '"k1"', type = 'application/json-patch+json', body = append } = sent;
  const test = supertest(server)
    .patch(path)
    .serialize((bytes) => bytes as string)
    .set('Content-Type', type);
  if (key !== null) test.set('Idempotency-Key', key);
  for (const [name, value] of Object.entries(sent.headers ?? {})) test.set(name, value);
  return test.send(Buffer.from(body));
}

const listIn = async (store: Process, key = '7') => (await store.get(key))?.value.list;
const headOf = (answer: supertest.Response) => ({
  status: answer.status,
  ETag: answer.get('ETag'),
  'Content-Location': answer.get('Content-Location'),
  Location: answer.get('Location'),
});

describe.each(frameworks)(
  'draft-ietf-httpapi-idempotency-key-header 2.6: a repeat (%s)',
  (_name, express) => {
    test('is answered as the first was, and writes nothing', async () => {
      await hosting(express, {}, async (server, store) => {
        const first = await send(server).expect(204);
        expect(headOf(await send(server))).toEqual(headOf(first));
        expect([await listIn(store), store.writes]).toEqual([[1], 1]);
      });
    });

    test.each([
      { idempotency: 'optional', list: [1] },
      { idempotency: undefined, list: [1, 1] },
    ] as const)(
      'with a key that the browser adds, a number of 64 bits, and idempotency: $idempotency',
      async ({ idempotency, list }) => {
        const options = idempotency === undefined ? ({ idempotency } as object) : { idempotency };
        await hosting(express, options, async (server, store) => {
          await send(server, { key: '"13829471028374651234"' }).expect(204);
          await send(server, { key: '"13829471028374651234"' }).expect(204);
          expect(await listIn(store)).toEqual(list);
        });
      },
    );

    test('also when the resource has moved on since', async () => {
      await hosting(express, {}, async (server, store) => {
        const first = await send(server);
        const second = await send(server, { key: '"k2"' });
        expect(second.get('ETag')).not.toBe(first.get('ETag'));
        expect(headOf(await send(server))).toEqual(headOf(first));
        expect(await listIn(store)).toEqual([1, 1]);
      });
    });

    test('also when its If-Match would now fail', async () => {
      await hosting(express, { precondition: 'required' }, async (server, store) => {
        const sent = { headers: { 'If-Match': '*, "x"' } };
        await send(server, sent).expect(400);
        const tag = (await send(server, { key: '"k0"', headers: { 'If-Match': '*' } })).get('ETag') ?? '';
        const first = await send(server, { headers: { 'If-Match': tag } }).expect(204);
        expect(headOf(await send(server, { headers: { 'If-Match': tag } }))).toEqual(headOf(first));
        await send(server, { key: '"k2"', headers: { 'If-Match': tag } }).expect(412);
        expect(await listIn(store)).toEqual([1, 1]);
      });
    });

    test('of a 200 has the same body while the resource is in the state that the first made', async () => {
      await hosting(express, { represent: ({ list }) => ({ all: list }) }, async (server, store) => {
        const headers = { Prefer: 'return=representation' };
        const first = await send(server, { headers }).expect(200, { all: [1] });
        const repeat = await send(server, { headers });
        expect([repeat.text, headOf(repeat)]).toEqual([first.text, headOf(first)]);
        expect(repeat.get('Preference-Applied')).toBe('return=representation');
        expect(store.writes).toBe(1);
      });
    });

    test('of a 200 is 204 once the resource has moved on: bodies are not kept', async () => {
      await hosting(express, {}, async (server) => {
        const headers = { Prefer: 'return=representation' };
        const first = await send(server, { headers }).expect(200, { list: [1] });
        await send(server, { key: '"k2"' }).expect(204);
        const repeat = await send(server, { headers });
        expect([repeat.text, headOf(repeat)]).toEqual(['', { ...headOf(first), status: 204 }]);
        expect(repeat.get('Preference-Applied')).toBeUndefined();
      });
    });

    test('has a body where respond asks for one, also of a 201', async () => {
      const options: Options = { create: () => ({ list: [] }), respond: 'representation' };
      await hosting(express, options, async (server) => {
        const first = await send(server, { path: '/things/8' }).expect(201, { list: [1] });
        const repeat = await send(server, { path: '/things/8' });
        expect([repeat.text, headOf(repeat)]).toEqual([first.text, headOf(first)]);
      });
    });

    test('keeps its 204 where represent fails, and the app is warned', async () => {
      let fails = false;
      const represent = (value: List) => {
        if (fails) throw new Error('represent failed');
        return value;
      };
      await hosting(express, { represent }, async (server, store) => {
        const headers = { Prefer: 'return=representation' };
        const first = await send(server, { headers }).expect(200);
        fails = true;
        expect(headOf(await send(server, { headers }))).toEqual({ ...headOf(first), status: 204 });
        expect(store.writes).toBe(1);
      });
    });

    test('is told that its preference for no content was heeded', async () => {
      await hosting(express, {}, async (server) => {
        const headers = { Prefer: 'return=minimal' };
        await send(server, { headers }).expect('Preference-Applied', 'return=minimal');
        await send(server, { headers }).expect('Preference-Applied', 'return=minimal');
        expect((await send(server)).get('Preference-Applied')).toBeUndefined();
      });
    });

    test('of a 201 is 201', async () => {
      const options: Options = { create: () => ({ list: [] }) };
      await hosting(express, options, async (server, store) => {
        const first = await send(server, { path: '/things/8' });
        expect(headOf(first)).toMatchObject({ status: 201 });
        const repeat = await send(server, { path: '/things/8' });
        expect(headOf(repeat)).toEqual(headOf(first));
        expect(repeat.get('Content-Length')).toBe('0');
        expect(await listIn(store, '8')).toEqual([1]);
      });
    });

    test('50 at once are one', async () => {
      await hosting(express, {}, async (server, store) => {
        const answers = await Promise.all(Array.from({ length: 50 }, () => send(server)));
        expect(new Set(answers.map((answer) => JSON.stringify(headOf(answer)))).size).toBe(1);
        expect([await listIn(store), store.writes]).toEqual([[1], 1]);
      });
    });

    test('meets none of your app’s functions, and onPatched is not told of it', async () => {
      const asked = { validate: 0, authorize: 0, onPatched: 0 };
      const options: Options = {
        validate: () => (asked.validate++ > 0 ? [{ detail: 'Asked again.' }] : []),
        authorize: () => asked.authorize++ === 0,
        onPatched: () => asked.onPatched++,
      };
      await hosting(express, options, async (server) => {
        await send(server).expect(204);
        await send(server).expect(204);
      });
      expect(asked).toEqual({ validate: 1, authorize: 1, onPatched: 1 });
    });

    test('of a refusal is judged afresh', async () => {
      await hosting(express, {}, async (server, store) => {
        const body = '[{"op":"test","path":"/title","value":"t"},{"op":"add","path":"/list/-","value":2}]';
        await send(server, { body }).expect(409);
        await send(server, { key: '"k2"', type: 'application/merge-patch+json', body: '{"title":"t"}' });
        await send(server, { body }).expect(204);
        await send(server, { body }).expect(204);
        expect(await listIn(store)).toEqual([2]);
      });
    });

    test('after deletion is a first request', async () => {
      await hosting(express, { create: () => ({ list: [] }) }, async (server, store) => {
        await send(server).expect(204);
        await store.engine.delete('7');
        await send(server).expect(201);
        expect(await listIn(store)).toEqual([1]);
      });
    });
  },
);

describe('What is the same request', () => {
  test.each<{ readonly what: string; readonly sent: Sent; readonly parameters?: string }>([
    { what: 'the charset left out', sent: { type: 'application/json-patch+json' } },
    { what: 'the charset in other letters', sent: { type: 'Application/JSON-Patch+json; Charset="utf-8"' } },
    {
      what: 'the order of parameters',
      sent: { type: 'application/json-patch+json; b=2; a=1' },
      parameters: 'a=1; b=2',
    },
    { what: 'a preference', sent: { headers: { Prefer: 'return=minimal' } } },
    { what: 'parameters of the key', sent: { key: '"k1"; attempt=2' } },
    { what: 'another way to write the key', sent: { key: ' "k1" ' } },
  ])('it may differ in $what', async ({ sent, parameters = 'charset=UTF-8' }) => {
    await hosting(express, {}, async (server, store) => {
      const first = await send(server, { type: `application/json-patch+json; ${parameters}` });
      expect(headOf(await send(server, sent))).toEqual(headOf(first));
      expect(store.writes).toBe(1);
    });
  });

  test('it may name its target in absolute form, RFC 9112 3.2.2', async () => {
    await hosting(express, {}, async (server, store) => {
      const first = await send(server);
      const { port } = (server as unknown as { address(): { port: number } }).address();
      const headers = { 'Content-Type': 'application/json-patch+json', 'Idempotency-Key': '"k1"' };
      const status = await new Promise((resolve, reject) => {
        const path = 'http://any.example/things/7';
        const sent = request({ port, method: 'PATCH', path, headers }, (answer) => {
          answer.resume();
          resolve([answer.statusCode, answer.headers.etag]);
        });
        sent.on('error', reject).end(append);
      });
      expect(status).toEqual([204, first.get('ETag')]);
      expect(store.writes).toBe(1);
    });
  });

  test.each<{ readonly what: string; readonly first: Sent; readonly second: Sent }>([
    { what: 'the document', first: {}, second: { body: append.replace('1', '2') } },
    { what: 'white space in the document', first: {}, second: { body: ` ${append}` } },
    {
      what: 'the media type',
      first: { body: '{}', type: 'application/merge-patch+json' },
      second: { body: '{}' },
    },
    {
      what: 'a parameter of the media type',
      first: {},
      second: { type: 'application/json-patch+json; v=2' },
    },
    { what: 'a precondition more', first: {}, second: { headers: { 'If-Match': '*' } } },
    { what: 'a precondition less', first: { headers: { 'If-Match': '*' } }, second: {} },
    {
      what: 'the precondition',
      first: { headers: { 'If-None-Match': '"x"' } },
      second: { headers: { 'If-None-Match': '"y"' } },
    },
    {
      what: 'the time in a precondition',
      first: { headers: { 'If-Unmodified-Since': 'Fri, 31 Dec 9999 23:59:59 GMT' } },
      second: { headers: { 'If-Unmodified-Since': 'Fri, 31 Dec 9999 23:59:58 GMT' } },
    },
    { what: 'the URI of the resource', first: {}, second: { path: '/also/7' } },
    { what: 'the query', first: {}, second: { path: '/things/7?verbose=1' } },
  ])('it must not differ in $what: 422', async ({ first, second }) => {
    await hosting(express, {}, async (server, store) => {
      await send(server, first).expect(204);
      const answer = await send(server, second);
      expect([answer.status, answer.body]).toMatchObject([422, { code: 'idempotency-key-reused' }]);
      expect(store.writes).toBe(1);
      await send(server, first).expect(204);
      expect(store.writes).toBe(1);
    });
  });

  test('a key is that of one resource: at another it is another', async () => {
    await hosting(express, { create: () => ({ list: [] }) }, async (server, store) => {
      await send(server).expect(204);
      await send(server, { path: '/things/8' }).expect(201);
      expect([await listIn(store), await listIn(store, '8')]).toEqual([[1], [1]]);
    });
  });

  test('a key is that of one scope', async () => {
    await hosting(express, { scope: (req) => req.get('X-User') ?? '' }, async (server, store) => {
      for (const user of ['ann', 'bob', 'ann', '']) await send(server, { headers: { 'X-User': user } });
      expect(store.writes).toBe(3);
    });
  });

  test('scope and key do not run together', async () => {
    await hosting(express, { scope: (req) => req.get('X-User') ?? '' }, async (server, store) => {
      await send(server, { headers: { 'X-User': 'a' }, key: '"bc"' });
      await send(server, { headers: { 'X-User': 'ab' }, key: '"c"' });
      expect(store.writes).toBe(2);
    });
  });

  test('a scope that is no string is a fault, and nothing is written', async () => {
    const scope = (() => undefined) as unknown as () => string;
    await hosting(express, { scope }, async (server, store) => {
      expect((await send(server).expect(500)).text).toContain(
        'The option scope returned a value of type undefined',
      );
      expect(store.writes).toBe(0);
    });
  });
});

describe('The field, draft-ietf-httpapi-idempotency-key-header 2.1', () => {
  test.each([
    { what: 'no string', key: 'k1' },
    { what: 'an open end', key: '"k1' },
    { what: 'two of them', key: '"k1", "k2"' },
    { what: 'outside ASCII', key: '"ké"' },
    { what: 'empty', key: '""' },
  ])('$what: 400', async ({ key }) => {
    await hosting(express, {}, async (server, store) => {
      const answer = await send(server, { key });
      expect([answer.status, answer.body]).toMatchObject([400, { code: 'idempotency-key-malformed' }]);
      expect(store.writes).toBe(0);
    });
  });

  test('missing where it is required: 400', async () => {
    await hosting(express, { idempotency: 'required' }, async (server, store) => {
      const answer = await send(server, { key: null });
      expect([answer.status, answer.body]).toMatchObject([400, { code: 'idempotency-key-required' }]);
      expect(store.writes).toBe(0);
    });
  });

  test('missing where it is optional: every request is carried out', async () => {
    await hosting(express, {}, async (server, store) => {
      await send(server, { key: null }).expect(204);
      await send(server, { key: null }).expect(204);
      expect(await listIn(store)).toEqual([1, 1]);
    });
  });

  test('not looked at without the option', async () => {
    const store = new MemoryStore<List>();
    await store.replace('/things/7', null, { list: [] });
    const app = express();
    app.patch('/things/:id', patchHandler(store, [jsonPatch()]));
    await serving(app, async (server) => {
      for (const key of ['"k1"', '"k1"', 'none']) await send(server, { key }).expect(204);
    });
    expect((await store.get('/things/7'))?.value).toEqual({ list: [1, 1, 1] });
  });
});

describe('The bounds on what is kept', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test('where keep is reached a new key gets 503 with Retry-After, until the oldest is over its age', async () => {
    const options: Options = { idempotencyLimits: { keep: 2, maxAge: 60 } };
    await hosting(express, options, async (server, store) => {
      const start = Date.now();
      const at = (seconds: number) => jest.spyOn(Date, 'now').mockReturnValue(start + seconds * 1_000);
      at(0);
      await send(server, { key: '"k1"' }).expect(204);
      at(20);
      await send(server, { key: '"k2"' }).expect(204);
      at(20.5);
      const full = await send(server, { key: '"k3"' });
      expect([full.status, full.get('Retry-After'), full.body]).toMatchObject([
        503,
        '40',
        { code: 'outcomes-full' },
      ]);
      await send(server, { key: '"k1"' }).expect(204);
      await send(server, { key: null }).expect(204);
      expect(store.writes).toBe(3);
      at(60);
      await send(server, { key: '"k3"' }).expect(204);
      expect(store.writes).toBe(4);
      await send(server, { key: '"k2"' }).expect(204);
      expect(store.writes).toBe(4);
    });
  });

  test('who uses up the keys of a scope uses up nobody else’s', async () => {
    const options: Options = { scope: (req) => req.get('X-User') ?? '', idempotencyLimits: { keep: 2 } };
    await hosting(express, options, async (server, store) => {
      const of = (user: string, key: string) =>
        send(server, { headers: { 'X-User': user }, key: `"${key}"` });
      for (const key of ['k1', 'k2']) await of('mallory', key).expect(204);
      expect((await of('mallory', 'k3').expect(503)).body).toMatchObject({ code: 'outcomes-full' });
      for (const user of ['ann', 'bob', '']) await of(user, 'k1').expect(204);
      await of('mallory', 'k1').expect(204);
      expect(store.writes).toBe(5);
    });
  });

  test('a resource that has total of them takes no more of anybody', async () => {
    const options: Options = {
      scope: (req) => req.get('X-User') ?? '',
      idempotencyLimits: { keep: 2, total: 3 },
    };
    await hosting(express, options, async (server, store) => {
      const of = (user: string) => send(server, { headers: { 'X-User': user } });
      for (const user of ['ann', 'bob', 'carl']) await of(user).expect(204);
      const full = await of('dora');
      expect([full.status, full.body]).toMatchObject([503, { code: 'outcomes-full' }]);
      expect(Number(full.get('Retry-After'))).toBeGreaterThan(290);
      for (const user of ['ann', 'bob', 'carl']) await of(user).expect(204);
      expect(store.writes).toBe(3);
    });
  });

  test.each<{ readonly idempotencyLimits: Options['idempotencyLimits']; readonly expected: object }>([
    { idempotencyLimits: undefined, expected: { keep: 150, total: 500, maxAge: 300 } },
    { idempotencyLimits: { keep: 5 }, expected: { keep: 5, total: 500, maxAge: 300 } },
    { idempotencyLimits: { keep: 900 }, expected: { keep: 900, total: 900, maxAge: 300 } },
    { idempotencyLimits: { total: 1_000 }, expected: { keep: 150, total: 1_000, maxAge: 300 } },
  ])('given $idempotencyLimits, they are $expected', async ({ idempotencyLimits, expected }) => {
    await hosting(express, idempotencyLimits ? { idempotencyLimits } : {}, async (server, store) => {
      const replace = jest.spyOn(store.engine, 'replace');
      await send(server).expect(204);
      expect(replace.mock.lastCall?.[3]).toMatchObject({ outcome: expected });
    });
  });

  test('stores are told of scopes by their hashes', async () => {
    await hosting(express, { scope: (req) => req.get('X-User') ?? '' }, async (server, store) => {
      const replace = jest.spyOn(store.engine, 'replace');
      for (const user of ['ann@example.com', 'ann@example.com', 'bob@example.com']) {
        await send(server, { headers: { 'X-User': user }, key: `"k${replace.mock.calls.length}"` }).expect(
          204,
        );
      }
      const scopes = replace.mock.calls.map(([, , , context]) => context?.outcome?.scope ?? '');
      for (const scope of scopes) expect(scope).toMatch(/^[\w-]{22}$/);
      expect(scopes[0]).toBe(scopes[1]);
      expect(scopes[2]).not.toBe(scopes[1]);
    });
  });

  test('after maxAge a key is a new one', async () => {
    await hosting(express, { idempotencyLimits: { maxAge: 60 } }, async (server, store) => {
      const start = Date.now();
      jest.spyOn(Date, 'now').mockReturnValue(start);
      await send(server);
      jest.spyOn(Date, 'now').mockReturnValue(start + 59_999);
      await send(server);
      expect(store.writes).toBe(1);
      jest.spyOn(Date, 'now').mockReturnValue(start + 60_000);
      await send(server, { body: append.replace('1', '2') }).expect(204);
      expect(await listIn(store)).toEqual([1, 2]);
    });
  });
});

describe('Entity tags of your app’s own', () => {
  test('made of value and version: the repeat has the tag of then', async () => {
    const entityTag: Options['entityTag'] = ({ value, version }) => `"${value.list.length}-${version}"`;
    await hosting(express, { entityTag }, async (server) => {
      const first = await send(server);
      await send(server, { key: '"k2"' });
      expect(headOf(await send(server))).toEqual(headOf(first));
    });
  });

  test('made of a value that a schema has transformed: of what JSON keeps of it', async () => {
    const changed = { list: new Date(0), title: undefined } as unknown as List;
    const validate: Options['validate'] = {
      '~standard': { version: 1, vendor: 'test', validate: () => ({ value: changed }) },
    };
    const entityTag: Options['entityTag'] = ({ value }) =>
      `"${Object.keys(value).join()}-${typeof value.list}"`;
    await hosting(express, { validate, entityTag }, async (server) => {
      const first = await send(server).expect('ETag', '"list-string"');
      expect(headOf(await send(server))).toEqual(headOf(first));
    });
  });

  test('made of the time of the write, which only the store knows: the repeat has that of the state that is there, or none', async () => {
    const entityTag: Options['entityTag'] = ({ modified }) => `"${modified?.getTime() ?? 'none'}"`;
    await hosting(express, { entityTag }, async (server, store) => {
      const headers = { Prefer: 'return=representation' };
      const first = await send(server, { headers }).expect(200);
      const repeat = await send(server, { headers });
      expect([repeat.text, headOf(repeat)]).toEqual([first.text, headOf(first)]);
      expect(store.writes).toBe(1);
      await send(server, { key: '"k2"' }).expect(204);
      const late = await send(server, { headers });
      expect([late.text, headOf(late)]).toEqual(['', { ...headOf(first), status: 204, ETag: undefined }]);
    });
  });

  test('made of what the store changes: the repeat has no false one', async () => {
    class Counting extends Process {
      fit = (_key: string, next: List): List => next;
      override replace(key: string, expected: string | null, next: List, context?: WriteContext) {
        return super.replace(key, expected, { ...next, title: String(this.writes) }, context);
      }
    }
    const entityTag: Options['entityTag'] = ({ value: { title } }) => `"${title}"`;
    const use = async (server: Server) => {
      const first = await send(server).expect('ETag', '"0"');
      expect(headOf(await send(server))).toEqual(headOf(first));
      await send(server, { key: '"k2"' }).expect('ETag', '"1"');
      expect(headOf(await send(server))).toEqual({ ...headOf(first), ETag: undefined });
    };
    await hosting(express, { entityTag }, use, new Counting());
  });

  test('that repeat are not taken for the state that the request made: the repeat has no body of another', async () => {
    await hosting(express, { entityTag: () => '"always"' }, async (server) => {
      const headers = { Prefer: 'return=representation' };
      const first = await send(server, { headers }).expect(200);
      await send(server, { key: '"k2"' }).expect(204);
      const late = await send(server, { headers });
      expect([late.text, headOf(late)]).toEqual(['', { ...headOf(first), status: 204 }]);
    });
  });
});

describe.each(frameworks)('Two that send one request at the same time (%s)', (_name, express) => {
  test('in one process: the second waits, and is answered as the first', async () => {
    await hosting(express, {}, async (server, store) => {
      let repeat: Promise<supertest.Response> | undefined;
      store.meanwhile = async () => {
        repeat = send(server).then((answer) => answer);
        await new Promise((resolve) => setTimeout(resolve, 50));
        expect(store.writes).toBe(0);
      };
      const first = await send(server).expect(204);
      expect(headOf((await repeat) as supertest.Response)).toEqual(headOf(first));
      expect([await listIn(store), store.writes]).toEqual([[1], 1]);
    });
  });

  test('in one process: where the first is refused, the second is judged', async () => {
    const options: Options = { validate: () => (refusals-- > 0 ? [{ detail: 'Not yet.' }] : []) };
    let refusals = 1;
    await hosting(express, options, async (server, store) => {
      const answers = await Promise.all([send(server), send(server)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 422]);
      expect(await listIn(store)).toEqual([1]);
    });
  });

  test('in one process: a repeat comes in its turn, after the changes that are ahead of it', async () => {
    await hosting(express, {}, async (server, store) => {
      const first = await send(server);
      let repeat: Promise<supertest.Response> | undefined;
      store.meanwhile = () => {
        repeat = send(server).then((answer) => answer);
        return Promise.resolve();
      };
      await send(server, { key: '"k2"' }).expect(204);
      expect(headOf((await repeat) as supertest.Response)).toEqual(headOf(first));
      expect(await listIn(store)).toEqual([1, 1]);
    });
  });

  test('in two processes: who loses the write finds what the other has kept', async () => {
    await hosting(express, {}, async (server, store) => {
      const other = new Process(store.engine);
      let theirs: supertest.Response | undefined;
      store.meanwhile = () =>
        hosting(express, {}, async (server) => (theirs = await send(server).expect(204)), other);
      const ours = await send(server);
      expect(headOf(ours)).toEqual(headOf(theirs as supertest.Response));
      expect([await listIn(store), store.writes, other.writes]).toEqual([[1], 0, 1]);
    });
  });

  test('in two processes, with If-Match: no 412 for who comes second', async () => {
    await hosting(express, {}, async (server, store) => {
      const other = new Process(store.engine);
      const tag = (await send(server, { key: '"k0"' })).get('ETag') ?? '';
      const sent = { headers: { 'If-Match': tag } };
      store.meanwhile = () => hosting(express, {}, (server) => send(server, sent).expect(204), other);
      await send(server, sent).expect(204);
      expect(await listIn(store)).toEqual([1, 1]);
    });
  });

  test('in two processes, other documents under one key: 422 for who comes second', async () => {
    await hosting(express, {}, async (server, store) => {
      const other = new Process(store.engine);
      const sent = { body: append.replace('1', '2') };
      store.meanwhile = () => hosting(express, {}, (server) => send(server, sent).expect(204), other);
      await send(server).expect(422);
      expect(await listIn(store)).toEqual([2]);
    });
  });
});

test('a fault after the write: 500, and a repeat finds that it was carried out', async () => {
  await hosting(express, {}, async (server, store) => {
    const write = store.replace.bind(store);
    store.replace = async (...args) => {
      store.replace = write;
      await write(...args);
      throw new Error('The connection is lost');
    };
    await send(server).expect(500);
    await send(server).expect(204);
    expect([await listIn(store), store.writes]).toEqual([[1], 1]);
  });
});

test('while a first request is held up, repeats get 409 after five seconds, and all others are carried out', async () => {
  jest.useFakeTimers();
  const store = new MemoryStore();
  let letGo: () => void = () => undefined;
  const validate = jest.fn().mockImplementationOnce(() => new Promise<void>((resolve) => (letGo = resolve)));
  const handler = patchHandler(store, [mergePatch()], {
    key: (req) => req.params.id,
    create: true,
    idempotency: 'required',
    validate,
  });
  const patch = (id: string, key: string) => patchInProcess(handler, id, {}, { 'idempotency-key': key });
  await store.replace('7', null, {});
  const first = patch('7', '"k1"');
  await jest.advanceTimersByTimeAsync(0);
  const others = [patch('7', '"k1"'), patch('7', '"k1"'), patch('7', '"k2"'), patch('8', '"k1"')];
  await jest.advanceTimersByTimeAsync(5_000);
  jest.useRealTimers();
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([409, 409, 204, 201]);
  expect(validate).toHaveBeenCalledTimes(3);
  letGo();
  expect(await first).toMatchObject({ status: 204 });
});

test('an outcome that somebody else has written to the engine is a fault, and not an answer', async () => {
  await hosting(express, {}, async (server, store) => {
    const read = store.get.bind(store);
    for (const outcome of [
      'no JSON',
      'null',
      '1',
      '{"fingerprint":"x","status":500,"version":"1"}',
      '{"fingerprint":"x","status":204}',
      '{"fingerprint":"x","status":204,"version":"1","tag":1}',
    ]) {
      store.get = async (key) => {
        const stored = await read(key);
        return stored && { ...stored, outcome };
      };
      const answer = await send(server).expect(500);
      expect(answer.text).toMatch(/an outcome that this library did not write|SyntaxError/);
    }
    expect(store.writes).toBe(0);
  });
});

test('what is in flight is told only to who may know of it', async () => {
  const store = {};
  const once = { id: 'a', fingerprint: '' } as IdempotentRequest;
  let end: () => void = () => undefined;
  const first = unlessInFlight(
    store,
    'key',
    once,
    () => new Promise<void>((resolve) => (end = resolve)),
    () => Promise.reject(new Error('not asked')),
  );
  const again = (assertAllowed: () => Promise<void>) =>
    unlessInFlight(store, 'key', once, () => Promise.reject(new Error('not carried out')), assertAllowed);
  await expect(again(() => Promise.reject(new Error('403')))).rejects.toThrow('403');
  await expect(again(() => Promise.resolve())).rejects.toMatchObject({
    status: 409,
    code: 'idempotency-key-in-flight',
    headers: { 'Retry-After': '1' },
  });
  end();
  await first;
});
