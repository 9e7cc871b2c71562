/** The one-file examples, as they run. */
import { runExample, type RunningExample } from './running-example';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import supertest from 'supertest';

describe('custom-parser', () => {
  let example: RunningExample<unknown>;
  beforeAll(async () => {
    example = await runExample(() => import('../../examples/custom-parser'));
  });
  afterAll(() => example.close());

  const patch = (document: string, fields: Record<string, string> = {}) =>
    supertest(example.address)
      .patch('/texts/digits')
      .set({ 'Content-Type': 'message/byterange', ...fields })
      .send(document);
  const text = async () => (await supertest(example.address).get('/texts/digits').expect(200)).text;

  test('OPTIONS and 415 name the format', async () => {
    const api = supertest(example.address);
    await api.options('/texts/digits').expect('Accept-Patch', 'message/byterange');
    await api
      .patch('/texts/digits')
      .type('text/plain')
      .send('x')
      .expect(415)
      .expect('Accept-Patch', 'message/byterange');
  });

  test('the example of the draft, then on from the end, over characters of several bytes, and back', async () => {
    for (const [document, expected] of [
      ['Content-Range: bytes 2-5/12\r\n\r\nwxyz', '01wxyz6789'],
      ['content-range:bytes 10-12/*\r\nContent-Length: 3\r\nX-Unknown: 1\r\n\r\n\u20ac', '01wxyz6789\u20ac'],
      ['Content-Range: bytes 8-12/*\r\n\r\n\r\n\r\n!', '01wxyz67\r\n\r\n!'],
      ['Content-Range: bytes 0-12/*\r\n\r\n0123456789...', '0123456789...'],
    ] as const) {
      await patch(document).expect(204);
      expect(await text()).toBe(expected);
    }
  });

  test.each([
    { what: 'an empty one', document: '' },
    { what: 'no range', document: 'Content-Type: text/plain\r\n\r\nx' },
    { what: 'no empty line', document: 'Content-Range: bytes 0-0/*\r\nx' },
    { what: 'lines that end without CR', document: 'Content-Range: bytes 0-0/*\n\nx' },
    { what: 'another unit', document: 'Content-Range: chars 0-0/*\r\n\r\nx' },
    { what: 'a range that is shorter', document: 'Content-Range: bytes 0-0/*\r\n\r\nxy' },
    { what: 'a range that is longer', document: 'Content-Range: bytes 0-2/*\r\n\r\nxy' },
    { what: 'a range that ends before it begins', document: 'Content-Range: bytes 1-0/*\r\n\r\n' },
    {
      what: 'a length that is not that of the range',
      document: 'Content-Range: bytes 0-0/*\r\nContent-Length: 2\r\n\r\nx',
    },
    { what: 'truncation, which is left out', document: 'Content-Range: bytes */5\r\n\r\n' },
  ])('a document with $what is malformed: 400', async ({ document }) => {
    const before = await text();
    const refused = await patch(document).expect(400);
    expect(refused.body).toMatchObject({ code: 'patch-malformed' });
    expect(await text()).toBe(before);
  });

  test.each([
    { what: 'begins beyond the end', document: 'Content-Range: bytes 99-99/*\r\n\r\nx' },
    {
      what: 'begins at a number beyond all numbers',
      document: `Content-Range: bytes ${'9'.repeat(15)}-${'9'.repeat(15)}/*\r\n\r\nx`,
    },
    { what: 'makes no UTF-8', document: Buffer.from('Content-Range: bytes 0-0/*\r\n\r\n\xff', 'latin1') },
  ])('a range that $what conflicts with the text: 409', async ({ document }) => {
    const before = await text();
    const refused = await patch(document as string).expect(409);
    expect(refused.body).toMatchObject({ code: 'patch-conflict' });
    expect(await text()).toBe(before);
  });

  test('If-Match loses no update, and of many at once each is made on what the one before has left', async () => {
    const { headers } = await supertest(example.address).get('/texts/digits');
    const tag = { 'If-Match': String(headers['etag']) };
    await patch('Content-Range: bytes 0-0/*\r\n\r\na', tag).expect(204);
    await patch('Content-Range: bytes 0-0/*\r\n\r\nb', tag).expect(412);
    const all = Array.from({ length: 10 }, (_, digit) =>
      patch(`Content-Range: bytes ${digit}-${digit}/*\r\n\r\n-`),
    );
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([204]));
    expect(await text()).toMatch(/^-{10}/);
  });
});

describe('listener', () => {
  let example: RunningExample<unknown>;
  beforeAll(async () => {
    example = await runExample(() => import('../../examples/listener'));
  });
  afterAll(() => example.close());

  const origin = { Origin: 'https://app.example' };

  test('OPTIONS and preflights do not reach Express; all else does, and a page can read it', async () => {
    const api = supertest(example.address);
    const asked = await api
      .options('/counters/visits')
      .expect(200)
      .expect('Allow', 'GET, HEAD, OPTIONS, PATCH');
    expect(asked.headers).not.toHaveProperty('x-reached');
    const read = await api.get('/counters/visits').set(origin).expect(200, { count: 0 });
    expect(read.headers).toMatchObject({
      'x-reached': 'Express',
      'access-control-allow-origin': 'https://app.example',
    });
    await api.delete('/counters/visits').expect(405).expect('Allow', 'GET, HEAD, OPTIONS, PATCH');
    await api.options('/nowhere').expect(404).expect('X-Reached', 'Express');
  });

  test('beside a load of preflights every PATCH is made, once', async () => {
    const url = `${example.address}/counters/visits`;
    const preflight = { method: 'OPTIONS', headers: { ...origin, 'Access-Control-Request-Method': 'PATCH' } };
    const count = async () => ((await (await fetch(url)).json()) as { count: number }).count;

    /** Read, count up, and again where somebody else has counted in between. */
    const countUp = async (): Promise<number> => {
      for (let tries = 1; ; tries++) {
        const read = await fetch(url, { headers: origin });
        const { count } = (await read.json()) as { count: number };
        const patch = await fetch(url, {
          method: 'PATCH',
          headers: {
            ...origin,
            'Content-Type': 'application/json-patch+json',
            'If-Match': read.headers.get('ETag') ?? '',
          },
          body: JSON.stringify([{ op: 'replace', path: '/count', value: count + 1 }]),
        });
        if (patch.status === 204) return tries;
        expect(patch.status).toBe(412);
      }
    };
    const load = Array.from({ length: 200 }, async () => {
      const { ok, headers } = await fetch(url, preflight);
      return ok && headers.get('Access-Control-Allow-Methods');
    });
    const before = await count();
    await Promise.all(Array.from({ length: 4 }, countUp));
    expect(await count()).toBe(before + 4);
    expect(new Set(await Promise.all(load))).toEqual(new Set(['GET, HEAD, OPTIONS, PATCH']));
  });
});

describe('only-cors', () => {
  let example: RunningExample<unknown>;
  let warn: jest.SpyInstance;
  beforeAll(async () => {
    warn = jest.spyOn(console, 'warn').mockImplementation();
    example = await runExample(() => import('../../examples/only-cors'));
  });
  afterAll(() => example.close());

  const preflight = (path: string, origin: string, method: string) =>
    supertest(example.address).options(path).set({ Origin: origin, 'Access-Control-Request-Method': method });

  test.each([
    { path: '/products', origin: 'https://shop.example', methods: 'GET, HEAD, OPTIONS' },
    { path: '/products/1', origin: 'https://eu.partner.example', methods: 'GET, HEAD, OPTIONS, PUT' },
    { path: '/products/1', origin: 'http://localhost:5173', methods: 'GET, HEAD, OPTIONS, PUT' },
  ])('a preflight for $path from $origin is told $methods', async ({ path, origin, methods }) => {
    await preflight(path, origin, 'PUT')
      .expect('Access-Control-Allow-Origin', origin)
      .expect('Access-Control-Allow-Methods', methods)
      .expect('Access-Control-Allow-Headers', /^Content-Type, .*, X-Request-Id$/);
  });

  test.each(['https://partner.example', 'https://shop.example.evil.example', 'null'])(
    'an origin that is not allowed, %s, is refused and reported',
    async (origin) => {
      const { headers } = await preflight('/products', origin, 'GET').expect(403);
      expect(headers).not.toHaveProperty('access-control-allow-methods');
      expect(warn).toHaveBeenLastCalledWith(`cors-origin-not-allowed: ${origin}`);
    },
  );

  test('the account has its own policy, with credentials and for one origin', async () => {
    await preflight('/account', 'https://shop.example', 'GET').expect(
      'Access-Control-Allow-Credentials',
      'true',
    );
    await preflight('/account', 'https://eu.partner.example', 'GET').expect(403);
    await supertest(example.address)
      .get('/account')
      .set({ Origin: 'https://shop.example', Cookie: 'session=1' })
      .expect(200, { signedIn: true })
      .expect('Access-Control-Allow-Credentials', 'true');
  });

  test('a page reads the total, and a 404; another origin is answered without a word of CORS', async () => {
    const api = supertest(example.address);
    await api
      .get('/products')
      .set('Origin', 'https://shop.example')
      .expect('X-Total-Count', '1')
      .expect('Access-Control-Expose-Headers', /, X-Total-Count$/);
    await api
      .get('/nowhere')
      .set('Origin', 'https://shop.example')
      .expect(404)
      .expect('Access-Control-Allow-Origin', 'https://shop.example');
    const { headers } = await api.get('/products').set('Origin', 'https://other.example').expect(200);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(headers).toHaveProperty('vary', 'Origin');
  });
});

describe('router-package', () => {
  let example: RunningExample<unknown>;
  beforeAll(async () => {
    example = await runExample(() => import('../../examples/router-package'));
  });
  afterAll(() => example.close());

  test('OPTIONS, a preflight and 405 name the methods of the routes', async () => {
    const api = supertest(example.address);
    await api
      .options('/notes/1')
      .expect(200)
      .expect('Allow', 'GET, HEAD, OPTIONS, PATCH')
      .expect('Accept-Patch', 'application/json-patch+json');
    await api
      .options('/notes/1')
      .set({ Origin: 'https://app.example', 'Access-Control-Request-Method': 'PATCH' })
      .expect('Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS, PATCH');
    await api.delete('/notes/1').expect(405).expect('Allow', 'GET, HEAD, OPTIONS, PATCH');
  });

  test('GET, PATCH under its tag, and 412 for the old one', async () => {
    const api = supertest(example.address);
    const note = await api.get('/notes/1').expect(200, { title: 'Buy milk' });
    const patch = (title: string) =>
      api
        .patch('/notes/1')
        .set({ 'If-Match': note.get('ETag') ?? '', 'Content-Type': 'application/json-patch+json' })
        .send(JSON.stringify([{ op: 'replace', path: '/title', value: title }]));
    await patch('Buy oat milk').expect(204);
    await patch('Buy wine').expect(412);
    await api.get('/notes/1').expect({ title: 'Buy oat milk' });
  });

  test('what is not there: 404 by the handler, by PATCH, and by no route at all', async () => {
    const api = supertest(example.address);
    const missing = await api.get('/notes/2').expect(404);
    expect(missing.body).toMatchObject({ code: 'no-such-note' });
    await api.patch('/notes/2').type('application/json-patch+json').send('[]').expect(404);
    await api.get('/nowhere').expect(404);
    await api.options('/nowhere').expect(404);
    await api.get('/notes/%').expect(500);
  });
});

describe('sub-apps', () => {
  const source = readFileSync(join(__dirname, '../../examples/sub-apps.ts'), 'utf8');
  /** What the example says of itself: `// OPTIONS /orders/7   Allow: GET, HEAD, OPTIONS, POST` */
  const said = [...source.matchAll(/^\/\/ OPTIONS (\S+) +Allow: (.+)$/gm)].map(
    ([, path = '', allow = '']) => ({
      path,
      allow,
    }),
  );

  let example: RunningExample<unknown>;
  beforeAll(async () => {
    example = await runExample(() => import('../../examples/sub-apps'));
  });
  afterAll(() => example.close());

  test.each(said)('OPTIONS $path says Allow: $allow, and so does 405', async ({ path, allow }) => {
    await supertest(example.address).options(path).expect(200).expect('Allow', allow);
    await supertest(example.address).patch(path).expect(405).expect('Allow', allow);
  });

  test('every method that is named is answered, by whichever app has it', async () => {
    const api = supertest(example.address);
    await api.get('/orders/7').expect(200, { method: 'GET', path: '/orders/7' });
    await api.post('/orders/7').expect(200, { method: 'POST', path: '/orders/7' });
    await api.delete('/orders/7/items/2').expect(200);
    await api.get('/reports/2026').expect(200).expect('X-Audited', 'yes');
    await api.get('/files/sub-apps.ts').expect(200);
  });

  test('where nothing is: 404', async () => {
    await supertest(example.address).options('/customers').expect(404);
    await supertest(example.address).delete('/customers').expect(404);
  });
});

describe('validation', () => {
  let example: RunningExample<unknown>;
  beforeAll(async () => {
    example = await runExample(() => import('../../examples/validation'));
  });
  afterAll(() => example.close());

  async function newTask() {
    const api = supertest(example.address);
    const created = await api.post('/tasks').send({ title: ' Paint ', steps: [] }).expect(201);
    return { api, path: created.get('Location') ?? '', task: created.body as { id: string } };
  }

  test('POST stores what the schema returns, and refuses what it finds wrong', async () => {
    const { api, task } = await newTask();
    expect(task).toEqual({ id: task.id, title: 'Paint', done: false, steps: [] });
    await api.post('/tasks').send({ title: 'Paint' }).expect(422);
  });

  test('PATCH stores what the schema returns, trimmed', async () => {
    const { api, path, task } = await newTask();
    await api
      .patch(path)
      .type('application/merge-patch+json')
      .send('{"title":" Paint the door ","done":true,"due":"2026-05-01"}')
      .expect(200, { ...task, title: 'Paint the door', done: true, due: '2026-05-01' });
  });

  test.each([
    {
      what: 'a title that is only space',
      patch: '{"title":" "}',
      pointer: '/title',
      detail: 'A task has a title.',
    },
    { what: 'a member that is misspelt', patch: '{"stepz":[]}', pointer: '', detail: /stepz/ },
    {
      what: 'a member of a member',
      patch: '{"steps":[{"text":"Sand","minutes":-1}]}',
      pointer: '/steps/0/minutes',
      detail: /.+/,
    },
    {
      what: 'what two members say together',
      patch: '{"done":true}',
      pointer: '/due',
      detail: 'What is done was due.',
    },
    {
      what: 'what a schema cannot see: the change of an id',
      patch: '{"id":"x"}',
      pointer: '/id',
      detail: /.+/,
    },
  ])('PATCH is refused for $what', async ({ patch, pointer, detail }) => {
    const { api, path, task } = await newTask();
    const refused = await api.patch(path).type('application/merge-patch+json').send(patch).expect(422);
    const { errors, ...problem } = refused.body as { errors?: { pointer: string; detail: string }[] };
    expect(errors ?? [problem]).toEqual([
      expect.objectContaining({ pointer, detail: expect.stringMatching(detail) }),
    ]);
    const present = await api.patch(path).type('application/merge-patch+json').send('{}');
    expect(present.body).toEqual(task);
  });
});
