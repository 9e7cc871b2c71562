/** The one-file examples, as they run. */
import { runExample, type RunningExample } from './running-example';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryStore } from 'patch-options';
import supertest from 'supertest';

describe('text-edits', () => {
  let example: RunningExample<unknown>;
  beforeAll(async () => {
    example = await runExample(() => import('../../examples/text-edits'));
  });
  afterAll(() => example.close());

  const mediaType = 'application/vnd.example.text-edits+json';
  const url = '/notes/tea';
  const patch = (document: unknown, headers: Readonly<Record<string, string>> = {}) =>
    supertest(example.address)
      .patch(url)
      .set({ 'Content-Type': mediaType, ...headers })
      .send(typeof document === 'string' ? document : JSON.stringify(document));
  const read = async () => supertest(example.address).get(url).expect(200);
  const body = async () => ((await read()).body as { readonly body: string }).body;
  const write = (text: string) =>
    supertest(example.address)
      .patch(url)
      .type('application/merge-patch+json')
      .send({ body: text })
      .expect(200);
  beforeEach(() => write('Green tea. Three minutes. $& \u{1f375}'));

  test('OPTIONS and 415 name the format', async () => {
    const accepted = `${mediaType}, application/merge-patch+json`;
    const api = supertest(example.address);
    await api.options(url).expect('Accept-Patch', accepted);
    await api.patch(url).type('text/plain').send('x').expect(415).expect('Accept-Patch', accepted);
  });

  test.each([
    { edits: [{ find: 'Green', replace: 'Black' }], after: 'Black tea. Three minutes. $& \u{1f375}' },
    {
      edits: [
        { find: 'Three', replace: 'Green' },
        { find: 'Green', replace: 'Three' },
      ],
      after: 'Three tea. Green minutes. $& \u{1f375}',
    },
    {
      edits: [
        { find: ' Three minutes.', replace: '' },
        { find: ' \u{1f375}', replace: '$&$1' },
      ],
      after: 'Green tea. $&$&$1',
    },
    {
      edits: [
        { find: 'Green ', replace: 'a' },
        { find: 'tea.', replace: 'b' },
      ],
      after: 'ab Three minutes. $& \u{1f375}',
    },
    { edits: [{ find: 'Green tea. Three minutes. $& \u{1f375}', replace: 'x' }], after: 'x' },
    { edits: [], after: 'Green tea. Three minutes. $& \u{1f375}' },
  ])('the text is then "$after"', async ({ edits, after }) => {
    await patch(edits).expect(200, { title: 'Tea', body: after });
    expect(await body()).toBe(after);
  });

  test.each([
    { what: 'no JSON', document: '[' },
    { what: 'no list', document: { find: 'Green', replace: '' } },
    { what: 'a text for an edit', document: ['Green'] },
    { what: 'null for an edit', document: [null] },
    { what: 'an empty text to find', document: [{ find: '', replace: 'x' }] },
    { what: 'nothing to replace it by', document: [{ find: 'Green' }] },
    { what: 'a number', document: [{ find: 'Green', replace: 7 }] },
    { what: 'a member that is not known', document: [{ find: 'Green', replace: '', all: true }] },
    { what: 'half of a character', document: '[{"find":"\\ud83c","replace":""}]' },
  ])('$what is malformed: 400', async ({ document }) => {
    const before = await body();
    const refused = await patch(document).expect(400);
    expect(refused.body).toMatchObject({ code: 'patch-malformed' });
    expect(await body()).toBe(before);
  });

  test('bytes that are not UTF-8 are malformed: 400', async () => {
    const refused = await supertest(example.address)
      .patch(url)
      .type(mediaType)
      .serialize((bytes: unknown) => bytes as string)
      .send(Buffer.from('[{"find":"Green","replace":"\u00e9"}]', 'latin1'))
      .expect(400);
    expect(refused.body).toMatchObject({ code: 'patch-malformed' });
  });

  test.each([
    {
      what: 'is nowhere',
      edits: [{ find: 'green', replace: '' }],
      says: /edit 0 occurs nowhere/,
      operation: 0,
    },
    {
      what: 'is there twice',
      edits: [
        { find: 'Green', replace: '' },
        { find: 'tea', replace: '' },
        { find: '. ', replace: '' },
      ],
      says: /edit 2 occurs 2 times/,
      operation: 2,
    },
    {
      what: 'is there twice, half of it in itself',
      text: 'aaa',
      edits: [{ find: 'aa', replace: '' }],
      says: /edit 0 occurs 2 times/,
      operation: 0,
    },
    {
      what: 'is there very often',
      text: 'a'.repeat(1_000),
      edits: [{ find: 'a', replace: '' }],
      says: /at least 100 times/,
      operation: 0,
    },
    {
      what: 'overlaps with that of another edit',
      edits: [
        { find: 'tea. Three', replace: 'x' },
        { find: 'Green tea', replace: 'y' },
      ],
      says: /overlap/,
      operation: 0,
    },
    {
      what: 'is that of another edit',
      edits: [
        { find: 'Green', replace: 'x' },
        { find: 'Green', replace: 'y' },
      ],
      says: /overlap/,
      operation: 1,
    },
  ])('a text to find that $what: 409, and nothing is written', async ({ text, edits, says, operation }) => {
    if (text !== undefined) await write(text);
    const before = await body();
    const refused = await patch(edits).expect(409);
    expect(refused.body).toMatchObject({
      code: 'patch-conflict',
      operation,
      detail: expect.stringMatching(says) as string,
    });
    expect(await body()).toBe(before);
  });

  test('a member that is no text: 409', async () => {
    const api = supertest(example.address);
    await api.patch(url).type('application/merge-patch+json').send({ body: null }).expect(200);
    const refused = await patch([{ find: 'a', replace: 'b' }]).expect(409);
    expect(refused.body).toMatchObject({ code: 'patch-conflict', detail: 'body is not a text' });
  });

  test('too many edits, and a search that would take minutes: 413', async () => {
    const edits = Array.from({ length: 101 }, () => ({ find: 'Green', replace: 'x' }));
    const refused = await patch(edits).expect(413);
    expect(refused.body).toMatchObject({ code: 'limit-operations' });
    await write('a'.repeat(1_000_000));
    const half = 'a'.repeat(4_500);
    const slow = Array.from({ length: 100 }, () => ({ find: `${half}b${half}`, replace: 'x' }));
    await patch(slow).expect(413);
  });

  test('of twenty who edit one text at once, each edit is kept; of two who replace one word, one', async () => {
    const words = Array.from({ length: 20 }, (_, i) => `word${i}.`);
    await write(words.join(' '));
    await Promise.all(words.map((word, i) => patch([{ find: word, replace: `edit${i}.` }]).expect(200)));
    expect(await body()).toBe(words.map((_, i) => `edit${i}.`).join(' '));
    const both = await Promise.all(['a', 'b'].map((replace) => patch([{ find: 'edit7.', replace }])));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('a write of another process comes between reading and writing: the edit is made on what that has left', async () => {
    const { prototype } = MemoryStore<{ title: string; body: string }>;
    const replace = jest.spyOn(prototype, 'replace').mockImplementationOnce(async function (
      this: typeof prototype,
      key,
      expected,
      next,
      context,
    ) {
      const { version, value } = (await this.get(key)) ?? { version: null, value: { title: '', body: '' } };
      await this.replace(key, version, { ...value, body: value.body.replace('Three', 'Four') });
      return this.replace(key, expected, next, context);
    });
    await patch([{ find: 'Green', replace: 'Black' }]).expect(200);
    expect(replace).toHaveBeenCalledTimes(4);
    replace.mockRestore();
    expect(await body()).toBe('Black tea. Four minutes. $& \u{1f375}');
  });

  test('under If-Match, an edit of a text that has changed is refused: 412', async () => {
    const tag = String((await read()).headers['etag']);
    await patch([{ find: 'Green', replace: 'Black' }]).expect(200);
    await patch([{ find: 'Three', replace: 'Four' }], { 'If-Match': tag }).expect(412);
    await patch([{ find: 'Three', replace: 'Four' }]).expect(200);
    expect(await body()).toBe('Black tea. Four minutes. $& \u{1f375}');
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
      detail: 'A task that is done must have a due date.',
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
