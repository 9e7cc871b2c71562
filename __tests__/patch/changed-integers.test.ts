/** An integer that JavaScript would change is refused, over a real socket, also behind a body parser; what GET sends can be sent back. */
import express from 'express';
import request from 'supertest';
import { jsonPatch, keyedMergePatch, MemoryStore, mergePatch, resource } from '../../lib';
import { fc } from '../support/properties';

const [json, merge] = ['application/json-patch+json', 'application/merge-patch+json'];
const keyed = 'application/vnd.patch-options.keyed-merge+json';
const formats = [jsonPatch(), mergePatch(), keyedMergePatch({ '/list': 'key' })];

async function open({ isParsed = false, doubles = [] as readonly string[], value = {}, made = 0 } = {}) {
  const store = Object.assign(new MemoryStore(), { doubles });
  await store.replace('a', null, {
    id: 9007199254740992,
    big: 2 ** 64,
    list: [{ key: 'x', n: 1 }],
    ...value,
  });
  const prepare = (document: unknown) => ({ ...(document as object), made });
  const note = resource(store, formats, { key: () => 'a', ...(made > 0 && { prepare }) });
  const app = express();
  if (isParsed) app.use(express.json({ type: () => true }));
  app.route('/').get(note.get).put(note.put).patch(note.patch);
  return app;
}

test.each([
  {
    what: 'a test operation, which would pass',
    method: 'patch' as const,
    type: json,
    body: '[{"op":"test","path":"/id","value":9007199254740993},{"op":"remove","path":"/id"}]',
    pointer: '/0/value',
  },
  {
    what: 'a merge patch',
    method: 'patch' as const,
    type: merge,
    body: '{"id":12345678901234567890}',
    pointer: '/id',
  },
  {
    what: 'a snowflake id, which a double holds and prints as another',
    method: 'patch' as const,
    type: merge,
    body: '{"id":653247040368672768}',
    pointer: '/id',
  },
  {
    what: 'another notation',
    method: 'patch' as const,
    type: json,
    body: '[{"op":"add","path":"/id","value":[6.53247040368672769e17]}]',
    pointer: '/0/value/0',
  },
  {
    what: 'a keyed merge patch',
    method: 'patch' as const,
    type: keyed,
    body: '{"list":{"x":{"big":9007199254740993}}}',
    pointer: '/list/x/big',
  },
  {
    what: 'a number beyond the range of a double',
    method: 'patch' as const,
    type: merge,
    body: '{"a":{"b":1e309}}',
    pointer: '/a/b',
  },
  {
    what: 'a member name that stands twice',
    method: 'patch' as const,
    type: merge,
    body: '{"a":{"b":1,"b":2}}',
    pointer: '/a/b',
  },
  {
    what: 'a PUT',
    method: 'put' as const,
    type: 'application/json',
    body: '{"a":[-9007199254740993]}',
    pointer: '/a/0',
  },
])('$what gets 400 with the pointer, and nothing is written', async ({ method, type, body, pointer }) => {
  const app = await open();
  const before = await request(app).get('/');
  const refused = await request(app)[method]('/').set('Content-Type', type).send(body);
  expect([refused.status, (refused.body as { pointer?: unknown }).pointer]).toEqual([400, pointer]);
  expect((await request(app).get('/')).headers['etag']).toBe(before.headers['etag']);
});

test('what GET sends can be sent back, and a test of the integer itself passes', async () => {
  const app = await open();
  const { text } = await request(app).get('/');
  expect(text).toContain('18446744073709552000');
  expect((await request(app).put('/').set('Content-Type', 'application/json').send(text)).status).toBe(204);
  const tested = '[{"op":"test","path":"/id","value":9007199254740992}]';
  expect((await request(app).patch('/').set('Content-Type', json).send(tested)).status).toBe(204);
  expect((await request(app).get('/')).text).toBe(text);
});

interface Row {
  readonly what: string;
  readonly method?: 'patch' | 'put';
  readonly type: string;
  readonly body: string;
  readonly pointer: string;
  readonly doubles?: readonly string[];
}

describe('behind a body parser, which leaves no digits, a changed number from 2^53 to 10^21 gets 400 with the pointer', () => {
  test.each<Row>([
    { what: 'a merge patch', type: merge, body: '{"id":653247040368672769}', pointer: '/id' },
    {
      what: 'a nested member',
      type: merge,
      body: '{"a":{"b/c":[1,9007199254740993]}}',
      pointer: '/a/b~1c/1',
    },
    { what: 'a negative one', type: merge, body: '{"id":-9007199254740993}', pointer: '/id' },
    {
      what: 'a JSON Patch',
      type: json,
      body: '[{"op":"add","path":"/n","value":653247040368672769}]',
      pointer: '/n',
    },
    {
      what: 'a keyed merge patch',
      type: keyed,
      body: '{"list":{"x":{"n":653247040368672769}}}',
      pointer: '/list/0/n',
    },
    {
      what: 'a PUT',
      method: 'put',
      type: 'application/json',
      body: '{"id":653247040368672769}',
      pointer: '/id',
    },
    {
      what: 'one of another member',
      type: merge,
      body: '{"id":653247040368672769}',
      pointer: '/id',
      doubles: ['/i'],
    },
  ])('$what', async ({ method = 'patch', type, body, pointer, doubles }) => {
    const app = await open({ isParsed: true, doubles });
    const before = await request(app).get('/');
    const refused = await request(app)[method]('/').set('Content-Type', type).send(body);
    const code = method === 'put' ? 'representation-malformed' : 'patch-malformed';
    expect(refused.body).toMatchObject({ status: 400, code, pointer });
    expect((await request(app).get('/')).headers['etag']).toBe(before.headers['etag']);
  });

  test.each([
    { what: 'one that stays as it is', type: merge, body: '{"id":9007199254740992,"title":"x"}' },
    { what: 'a safe integer', type: merge, body: `{"id":${Number.MAX_SAFE_INTEGER}}` },
    {
      what: 'a double that no digits were lost of: it has an exponent in JSON',
      type: merge,
      body: '{"id":1e300}',
    },
    { what: 'a fraction', type: merge, body: '{"id":0.1}' },
    {
      what: 'a member that the store holds as a double',
      type: merge,
      body: '{"id":653247040368672769}',
      doubles: ['/id'],
    },
    { what: 'in it', type: merge, body: '{"id":[653247040368672769]}', doubles: ['/id'] },
    { what: 'one that goes', type: json, body: '[{"op":"remove","path":"/id"}]' },
  ])('but not $what', async ({ type, body, doubles }) => {
    const app = await open({ isParsed: true, doubles });
    expect((await request(app).patch('/').set('Content-Type', type).send(body)).status).toBe(204);
  });
});

describe('behind a body parser, a number that the client has not sent is taken', () => {
  const at = 1_700_000_000_000_000_000;
  const value = {
    at,
    times: [at, at + 1024],
    list: [
      { key: 'x', at },
      { key: 'y', at: at + 2048 },
    ],
  };
  test.each([
    { what: 'remove', type: json, body: [{ op: 'remove', path: '/list/0' }] },
    { what: 'remove of a number', type: json, body: [{ op: 'remove', path: '/times/0' }] },
    { what: 'add in front', type: json, body: [{ op: 'add', path: '/list/0', value: { key: 'z' } }] },
    { what: 'move', type: json, body: [{ op: 'move', from: '/at', path: '/when' }] },
    { what: 'copy', type: json, body: [{ op: 'copy', from: '/at', path: '/when' }] },
    { what: 'a keyed merge patch that removes an element', type: keyed, body: { list: { x: null } } },
    { what: 'one that prepare has made', type: merge, body: { title: 'x' }, made: at + 4096 },
  ])('$what', async ({ type, body, made }) => {
    const app = await open({ isParsed: true, value, ...(made !== undefined && { made }) });
    await request(app).patch('/').set('Content-Type', type).send(JSON.stringify(body)).expect(204);
  });

  test('but not one that it has sent, where another stood', async () => {
    const app = await open({ isParsed: true, value });
    const list = value.list.slice(1);
    const refused = await request(app).patch('/').set('Content-Type', merge).send(JSON.stringify({ list }));
    expect(refused.body).toMatchObject({ status: 400, pointer: '/list/0/at' });
  });
});

test('what GET shows is what JSON.stringify writes of the value that was sent, or it was refused', async () => {
  const integer = fc
    .bigInt({ min: -(10n ** 25n), max: 10n ** 25n })
    .chain((digits) =>
      fc.constantFrom(`${digits}`, `${digits}.0`, `${digits}0e-1`, `${digits}e2`, `${digits}E-1`),
    );
  const number = fc.oneof(
    integer,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((double) => JSON.stringify(double)),
    fc.constantFrom('9007199254740993', '653247040368672768', '1e21', '1e400', '-0', '18446744073709551616'),
  );
  const [app, behind] = [await open(), await open({ isParsed: true })];
  /** The number as a fraction of integers, which is exact. */
  const exact = (text: string) => {
    const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
    const [whole = '', fraction = ''] = mantissa.split('.');
    const shift = Number(power) - fraction.length;
    return Math.abs(shift) > 500 ? text : `${BigInt(whole + fraction) * 10n ** BigInt(shift + 500)}`;
  };
  const isInteger = (text: string) => exact(text).endsWith('0'.repeat(500)) || exact(text) === '0';
  await fc.assert(
    fc.asyncProperty(number, fc.boolean(), async (text, isParsed) => {
      const server = isParsed ? behind : app;
      await request(server).put('/').set('Content-Type', 'application/json').send('{"n":null}').expect(204);
      const sent = await request(server).patch('/').set('Content-Type', merge).send(`{"n":${text}}`);
      const shown = /^{"n":(.*)}$/.exec((await request(server).get('/')).text)?.[1] ?? '';
      if (sent.status === 400) {
        expect([shown, isInteger(text) || text === '1e400']).toEqual(['null', true]);
      } else if (isInteger(text) && (!isParsed || Math.abs(Number(text)) < 1e21)) {
        expect([sent.status, exact(shown)]).toEqual([204, exact(text)]);
      } else {
        expect([sent.status, Number(shown)]).toEqual([204, Number(text) + 0]);
      }
    }),
  );
});
