import {
  ArgumentError,
  ConflictError,
  ConnectionError,
  ContentError,
  EntityTagError,
  type Recipe,
  resourceClient,
  type ResourceClientOptions,
  ResponseError,
  UncertainError,
} from '../../lib/client';
import { createJsonPatch } from '../../lib/json';
import { notModified, refused, refusedWith, scriptedFetch, state, type Step } from './scripted-fetch';

interface Note {
  title: string;
  count?: number;
  tags?: string[];
}

const url = '/notes/1';
const base = 'https://api.example';

function scripted(steps: readonly Step[], options: ResourceClientOptions<Note> = {}) {
  const script = scriptedFetch(...steps);
  return { script, client: resourceClient<Note>(base, { fetch: script.fetch, ...options }) };
}

const rename = (note: Note): void => {
  note.title += '!';
};

/** `levels` objects, each in the next. */
function nestedIn(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = { title: value };
  return value;
}

/** No more than is asked for, and what comes of it. */
async function failure(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail');
}

beforeEach(() => {
  // Pauses between repeats are random: none.
  jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('get', () => {
  test('gives the value, frozen through and through, and its entity tag', async () => {
    const { client, script } = scripted([state(1, { title: 'a', tags: ['x'] })]);
    const read = await client.get(url);
    expect(read).toEqual({ value: { title: 'a', tags: ['x'] }, etag: '"1"' });
    expect([read, read.value, read.value.tags].map(Object.isFrozen)).toEqual([true, true, true]);
    expect(script.sent[0]).toMatchObject({ method: 'GET', url: 'https://api.example/notes/1' });
  });

  test('asks again by If-None-Match, and remembers what comes', async () => {
    const { client, script } = scripted([
      state(1, { title: 'a' }),
      notModified,
      state(2, { title: 'b' }),
      notModified,
    ]);
    const first = await client.get(url);
    expect(await client.get(url)).toBe(first);
    expect(await client.get(url)).toEqual({ value: { title: 'b' }, etag: '"2"' });
    expect((await client.get(url)).etag).toBe('"2"');
    expect(script.lines).toEqual(['GET', 'GET "1"', 'GET "1"', 'GET "2"']);
    // Under the cache mode "default" fetch would add Cache-Control: no-cache, and Express send no 304.
    expect(script.sent.map(({ init }) => init.cache)).toEqual(Array(4).fill('no-cache'));
  });

  test.each([
    ['one', '/notes/1'],
    ['all', undefined],
  ])('forgets %s', async (_what, forgotten) => {
    const { client, script } = scripted([state(1, {}), state(1, {})]);
    await client.get(url);
    client.forget(forgotten);
    await client.get(url);
    expect(script.lines).toEqual(['GET', 'GET']);
  });

  test.each([
    ['one that is forgotten meanwhile is not remembered', 1, 'GET'],
    ['one is remembered although another is forgotten meanwhile', 2, 'GET "1"'],
  ])('%s', async (_what, forgotten, line) => {
    const { client, script } = scripted([state(1, {}), state(1, {})]);
    const read = client.get(url);
    client.forget(`/notes/${forgotten}`);
    await read;
    await client.get(url);
    expect(script.lines).toEqual(['GET', line]);
  });

  test('nor one that is forgotten before a thousand others', async () => {
    const { client, script } = scripted([state(1, {}), state(1, {})]);
    const read = client.get(url);
    for (let id = 1; id <= 1_000; id++) client.forget(`/notes/${id}`);
    await read;
    await client.get(url);
    expect(script.lines).toEqual(['GET', 'GET']);
  });

  test('what was asked for before all is forgotten is not remembered after', async () => {
    const { client, script } = scripted([state(1, { title: 'of somebody else' }), state(2, {})]);
    const asked = client.get(url);
    client.forget();
    await asked;
    await client.get(url);
    expect(script.lines).toEqual(['GET', 'GET']);
  });

  test('remembers a hundred resources, of which the ones that were not asked for the longest go', async () => {
    const { client, script } = scripted([...Array<Step>(102).fill(state(1, {})), notModified, state(1, {})]);
    for (let id = 0; id < 101; id++) await client.get(`/notes/${id === 100 ? 0 : id}`).catch(() => undefined);
    for (const id of [200, 0, 1]) await client.get(`/notes/${id}`);
    expect(script.lines.slice(-3)).toEqual(['GET', 'GET "1"', 'GET']);
  });

  test.each([
    ['missing', {}, 'entity-tag-missing', /ETag in the CORS option exposedHeaders/],
    ['malformed', { ETag: '1' }, 'entity-tag-malformed', /entityTag\(stored\), with the quotes/],
    ['weak and malformed', { ETag: 'W/1' }, 'entity-tag-malformed', /^The ETag W\/1 of GET/],
  ])('an entity tag that is %s is an error that says what to do', async (_what, headers, code, message) => {
    const { client } = scripted([{ status: 200, headers, body: {} }]);
    const error = await failure(client.get(url));
    expect(error).toBeInstanceOf(EntityTagError);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test.each([
    ['a page', { status: 200, headers: { 'Content-Type': 'text/html', ETag: '"1"' }, body: '<html>' }],
    ['broken JSON', { status: 200, headers: { ETag: '"1"' }, body: '{' }],
    ['nothing', { status: 200, headers: { ETag: '"1"' } }],
  ])('%s in place of JSON', async (_what, reply) => {
    const error = await failure(scripted([reply]).client.get(url));
    expect(error).toBeInstanceOf(ContentError);
    expect(error).toMatchObject({ code: 'content-not-json', uncertain: false });
  });

  test.each([
    ['a thousand levels', 1_000, undefined],
    ['a level more', 1_001, 'content-too-deep'],
    ['more than can be walked over', 20_000, 'content-too-deep'],
  ])('%s of JSON', async (_what, levels, code) => {
    const body = '['.repeat(levels) + ']'.repeat(levels);
    const read = scripted([{ status: 200, headers: { ETag: '"1"' }, body }]).client.get(url);
    if (code === undefined) expect(await read).toMatchObject({ etag: '"1"' });
    else expect(await failure(read)).toMatchObject({ name: 'ContentError', code, uncertain: false });
  });

  test('what is gone is forgotten', async () => {
    const { client, script } = scripted([state(1, {}), { status: 404 }, state(2, {})]);
    await client.get(url);
    expect(await failure(client.get(url))).toMatchObject({
      status: 404,
      code: 'http-error',
      uncertain: false,
    });
    await client.get(url);
    expect(script.lines).toEqual(['GET', 'GET "1"', 'GET']);
  });

  test('a content that is cut short is asked for again', async () => {
    const { client, script } = scripted([{ ...state(1, {}), cut: true }, state(1, { title: 'a' })]);
    expect((await client.get(url)).value).toEqual({ title: 'a' });
    expect(script.left).toEqual([]);
  });
});

describe('change', () => {
  test('reads, sends what the recipe has changed, and takes the representation', async () => {
    const { client, script } = scripted([
      state(1, { title: 'a', count: 1 }),
      state(2, { title: 'a!', count: 2 }),
    ]);
    const changed = await client.change(url, rename);
    const patch = [{ op: 'replace', path: '/title', value: 'a!' }];
    expect(changed).toEqual({ value: { title: 'a!', count: 2 }, etag: '"2"', patch, attempts: 1 });
    const [, sent] = script.sent;
    expect(sent).toMatchObject({ method: 'PATCH', body: patch });
    expect(Object.fromEntries(sent?.headers ?? [])).toEqual({
      accept: 'application/json',
      'content-type': 'application/json-patch+json',
      'if-match': '"1"',
      prefer: 'return=representation',
    });
  });

  test('remembers what it has made: the next one reads nothing', async () => {
    const { client, script } = scripted([
      state(1, { title: 'a' }),
      state(2, { title: 'a!' }),
      state(3, { title: 'a!!' }),
    ]);
    await client.change(url, rename);
    await client.change(url, rename);
    expect(script.lines).toEqual(['GET', 'PATCH "1"', 'PATCH "2"']);
  });

  test('a returned value is the new one', async () => {
    const { client, script } = scripted([state(1, { title: 'a' }), state(2, { title: 'b' })]);
    await client.change(url, (note) => ({ ...note, title: 'b' }));
    expect(script.sent[1]?.body).toEqual([{ op: 'replace', path: '/title', value: 'b' }]);
  });

  test('is made again on what is there now, under a new key', async () => {
    const steps = [state(1, { title: 'a' }), refused(2), state(2, { title: 'b' }), state(3, { title: 'b!' })];
    const { client, script } = scripted(steps, { idempotency: true });
    const { value, attempts } = await client.change(url, rename);
    expect({ value, attempts }).toEqual({ value: { title: 'b!' }, attempts: 2 });
    expect(script.lines).toEqual(['GET', 'PATCH "1"', 'GET "1"', 'PATCH "2"']);
    const [first, second] = [script.sent[1], script.sent[3]].map((sent) =>
      sent?.headers.get('Idempotency-Key'),
    );
    expect(first).toMatch(/^"[0-9a-f]{32}"$/);
    expect(second).toMatch(/^"[0-9a-f]{32}"$/);
    expect(second).not.toBe(first);
  });

  test('on the state that the 412 contains, without a GET', async () => {
    const steps = [state(1, { title: 'a' }), refusedWith(2, { title: 'b' }), state(3, { title: 'b!' })];
    const { client, script } = scripted(steps);
    const { value, attempts } = await client.change(url, rename);
    expect({ value, attempts }).toEqual({ value: { title: 'b!' }, attempts: 2 });
    expect(script.lines).toEqual(['GET', 'PATCH "1"', 'PATCH "2"']);
  });

  test.each([
    { what: 'without an ETag', reply: { ...refusedWith(2, { title: 'x' }), headers: {} } },
    {
      what: 'under a weak one',
      reply: { ...refusedWith(2, { title: 'x' }), headers: { ETag: 'W/"2"' } },
    },
    { what: 'of another kind of problem', reply: refusedWith(2, { title: 'x' }, { code: 'own' }) },
    { what: 'that is nested too deeply', reply: refusedWith(2, nestedIn(1_001)) },
  ])('not on a state $what', async ({ reply }) => {
    const steps = [state(1, { title: 'a' }), reply, state(2, { title: 'b' }), state(3, { title: 'b!' })];
    const { client, script } = scripted(steps);
    expect((await client.change(url, rename)).value).toEqual({ title: 'b!' });
    expect(script.lines).toEqual(['GET', 'PATCH "1"', 'GET "1"', 'PATCH "2"']);
  });

  test('not after forget(): another user may have signed in', async () => {
    const script = scriptedFetch(state(1, { title: 'a' }), refusedWith(2, { title: 'b' }));
    const client = resourceClient<Note>(base, {
      fetch: (target, request) => {
        if (request.method === 'PATCH') client.forget();
        return script.fetch(target, request);
      },
    });
    expect(await failure(client.change(url, rename))).toMatchObject({ name: 'AbortError' });
    expect(script.lines).toEqual(['GET', 'PATCH "1"']);
  });

  test('nor what somebody decides after forget()', async () => {
    const steps = [state(1, { title: 'a' }), refusedWith(2, { title: 'b' })];
    const { client, script } = scripted(steps);
    await client.get(url);
    const onConflict = ({ withMine }: { withMine: Note }) => {
      client.forget();
      return withMine;
    };
    const saving = client.save(url, { title: 'a' }, { title: 'c' }, { onConflict });
    expect(await failure(saving)).toMatchObject({ name: 'AbortError' });
    expect(script.lines).toEqual(['GET', 'PATCH "1"']);
  });

  test('a form is merged with the state that the 412 contains', async () => {
    const steps = [refusedWith(2, { title: 'a', count: 2 }), state(3, { title: 'b', count: 2 })];
    const { client, script } = scripted([state(1, { title: 'a', count: 1 }), ...steps]);
    await client.get(url);
    const base = { title: 'a', count: 1 };
    const saved = await client.save(url, base, { title: 'b', count: 1 });
    expect(saved.value).toEqual({ title: 'b', count: 2 });
    expect(script.lines).toEqual(['GET', 'PATCH "1"', 'PATCH "2"']);
  });

  test('not if the state cannot be read after the 412: the error of that GET says so', async () => {
    const steps = [state(1, { title: 'a' }), refused(2), { status: 404 }];
    const { client, script } = scripted(steps);
    expect(await failure(client.change(url, rename))).toMatchObject({ name: 'ResponseError', status: 404 });
    expect(script.lines).toEqual(['GET', 'PATCH "1"', 'GET "1"']);
  });

  test('up to 15 times, and then it is the refusal', async () => {
    const steps = Array.from({ length: 16 }, (_, i) => [refused(i + 2), state(i + 2, { title: '' })]).flat();
    const { client, script } = scripted([state(1, { title: '' }), ...steps]);
    const error = await failure(client.change(url, rename));
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({ status: 412, code: 'precondition-failed', etag: '"17"', uncertain: false });
    expect(script.lines.filter((line) => line.startsWith('PATCH'))).toHaveLength(16);
    // The server says: GET it again, reapply the change, and send that. The client has just done so.
    expect((error as Error).message).toBe(
      `Other clients changed https://api.example${url} at every attempt (16). Try again later.`,
    );
  });

  test('from the second refusal on, it pauses, for a random part of twice the time of all attempts', async () => {
    let clock = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => clock);
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const pauses: number[] = [];
    const { setTimeout: start } = globalThis;
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, milliseconds = 0) => {
      // Time limits of requests.
      if (milliseconds >= 5_000) return start(run, milliseconds);
      pauses.push(milliseconds);
      return start(run);
    }) as typeof setTimeout);
    const steps = Array.from({ length: 16 }, (_, i) => [refused(i + 2), state(i + 2, { title: '' })]).flat();
    const script = scriptedFetch(state(1, { title: '' }), ...steps);
    const client = resourceClient<Note>(base, {
      fetch: (...request) => {
        clock += 50;
        return script.fetch(...request);
      },
    });
    expect(await failure(client.change(url, rename))).toMatchObject({ status: 412 });
    expect(pauses).toEqual(Array.from({ length: 14 }, (_, i) => 50 * (i + 2)));
  });

  test('after the second refusal, the state is read again: that in the 412 can be overtaken during the pause', async () => {
    const refusals = [refusedWith(2, { title: 'a' }), refusedWith(3, { title: 'b' })];
    const steps = [...refusals, state(4, { title: 'c' }), state(5, { title: 'c!' })];
    const { client, script } = scripted([state(1, { title: '' }), ...steps]);
    expect(await client.change(url, rename)).toMatchObject({ etag: '"5"', attempts: 3 });
    expect(script.lines).toEqual(['GET', 'PATCH "1"', 'PATCH "2"', 'GET "2"', 'PATCH "4"']);
  });

  test('204 is followed by a GET: what the server has made of it is not known', async () => {
    const steps = [
      state(1, { title: 'a' }),
      { status: 204, headers: { ETag: '"2"' } },
      state(2, { title: 'A!' }),
    ];
    const { client } = scripted(steps);
    expect(await client.change(url, rename)).toMatchObject({ value: { title: 'A!' }, etag: '"2"' });
  });

  test.each([
    ['fails', [{ status: 500 }]],
    ['has no entity tag', [{ status: 200, body: { title: 'A!' } }]],
  ])(
    'where that GET %s the change is made all the same: it is what was sent',
    async (_what, after: Step[]) => {
      const steps = [
        state(1, { title: 'a' }),
        { status: 204, headers: { ETag: '"2"' } },
        ...after,
        state(3, { title: '' }),
      ];
      const { client, script } = scripted(steps);
      expect(await client.change(url, rename)).toMatchObject({
        value: { title: 'a!' },
        etag: '"2"',
        attempts: 1,
      });
      await client.get(url);
      expect(script.lines.at(-1)).toBe('GET');
    },
  );

  test.each([200, 201, 204])('%d without content is followed by a GET, too', async (status) => {
    const { client, script } = scripted([state(1, { title: 'a' }), { status }, state(2, { title: 'a!' })]);
    expect(await client.change(url, rename)).toMatchObject({ value: { title: 'a!' }, etag: '"2"' });
    expect(script.lines).toEqual(['GET', 'PATCH "1"', 'GET']);
  });

  test('200 without content, and then no resource: whoever answered may not be the server', async () => {
    const page: Step = { status: 200, headers: { 'Content-Type': 'text/html' }, body: 'Welcome to our WLAN' };
    const { client } = scripted([state(1, { title: 'a' }), { status: 200 }, page]);
    expect(await failure(client.change(url, rename))).toMatchObject({
      code: 'content-not-json',
      uncertain: true,
    });
  });

  test('an answer whose content is cut short says that it is made', async () => {
    const cut: Step = { status: 200, headers: { ETag: '"2"' }, cut: true };
    const { client, script } = scripted([state(1, { title: 'a' }), cut, state(2, { title: 'a!' })]);
    expect(await client.change(url, rename)).toMatchObject({ value: { title: 'a!' }, attempts: 1 });
    expect(script.lines).toEqual(['GET', 'PATCH "1"', 'GET']);
  });

  test('nothing changed on a fresh state: nothing is sent', async () => {
    const { client, script } = scripted([state(1, { title: 'a' })]);
    expect(await client.change(url, () => undefined)).toEqual({
      ...{ value: { title: 'a' }, etag: '"1"' },
      ...{ patch: [], attempts: 0 },
    });
    expect(script.lines).toEqual(['GET']);
  });

  test('nothing changed on a remembered one: that is asked again, and the recipe run on what is there', async () => {
    const { client, script } = scripted([
      state(1, { title: 'a', tags: ['x'] }),
      state(2, { title: 'a', tags: [] }),
      state(3, { title: 'a', tags: ['x'] }),
    ]);
    await client.get(url);
    const { attempts } = await client.change(url, ({ tags = [] }) => {
      if (!tags.includes('x')) tags.push('x');
    });
    expect(attempts).toBe(1);
    expect(script.lines).toEqual(['GET', 'GET "1"', 'PATCH "2"']);
  });

  test('what a recipe throws on a remembered state counts only where it throws it on a fresh one', async () => {
    const { client, script } = scripted([
      state(1, { title: 'a', count: 0 }),
      state(2, { title: 'a', count: 1 }),
      state(3, { title: 'a', count: 0 }),
      notModified,
    ]);
    const empty = new RangeError('empty');
    const take = (note: Note): void => {
      if (note.count === 0) throw empty;
      note.count = (note.count ?? 0) - 1;
    };
    await client.get(url);
    expect((await client.change(url, take)).value.count).toBe(0);
    expect(await failure(client.change(url, take))).toBe(empty);
    expect(script.lines).toEqual(['GET', 'GET "1"', 'PATCH "2"', 'GET "3"']);
  });

  test.each<[string, (note: Note) => unknown, string, RegExp]>([
    [
      'is asynchronous',
      async (note) => Promise.reject(new Error(note.title)),
      'recipe-invalid',
      /returned a promise/,
    ],
    [
      'alters its draft and returns what push() gives',
      ({ tags }) => tags?.push('x'),
      'recipe-invalid',
      /braces/,
    ],
    ['leaves NaN', (note) => Object.assign(note, { count: NaN }), 'value-not-json', /"\/count" is NaN/],
    [
      'returns a promise of another realm or library',
      () => ({ then: () => undefined }),
      'recipe-invalid',
      /returned a promise/,
    ],
    ['returns a function', () => () => 1, 'value-not-json', /it is a function/],
  ])('a recipe that %s is an error, and nothing is sent', async (_what, recipe, code, message) => {
    const { client, script } = scripted([state(1, { title: 'a', tags: [] })]);
    const error = await failure(client.change(url, recipe as Recipe<Note>));
    expect(error).toBeInstanceOf(ArgumentError);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(script.lines).toEqual(['GET']);
  });

  test.each([[undefined], [{ title: 'b' }], [[]]])('%j is not a recipe: nothing is sent', async (recipe) => {
    const { client, script } = scripted([]);
    const error = await failure(client.change(url, recipe as never));
    expect(error).toMatchObject({ code: 'recipe-invalid', message: expect.stringMatching(/be a function/) });
    expect(script.sent).toEqual([]);
  });

  test('GET and PATCH that do not agree on the tag are an error, not a loop', async () => {
    const steps = [state(1, { title: 'a' }), refused(), notModified, notModified, refused()];
    const { client, script } = scripted(steps);
    expect(await failure(client.change(url, rename))).toMatchObject({ code: 'entity-tag-mismatch' });
    expect(script.left).toEqual([]);
  });

  test('a cache that still has the old state is asked again', async () => {
    const steps = [state(1, { title: 'a' }), refused(2), notModified, state(2, { title: 'b' }), state(3, {})];
    const { client, script } = scripted(steps);
    expect((await client.change(url, rename)).attempts).toBe(2);
    expect(script.left).toEqual([]);
  });

  test('a refusal says where, and what is wrong by pointer', async () => {
    const problem = {
      ...{ status: 422, code: 'invalid-result', detail: 'The result is invalid.' },
      errors: [
        { detail: 'is too long', pointer: '/title' },
        { detail: 'has bad words', pointer: '/title' },
        { detail: 'is odd' },
        { detail: 'x', pointer: '__proto__' },
      ],
    };
    const { client } = scripted([state(1, { title: 'a' }), { status: 422, body: problem }]);
    const error = await failure(client.change(url, rename));
    expect(error).toBeInstanceOf(ResponseError);
    const { errors, ...rest } = error as ResponseError;
    expect(rest).toMatchObject({
      status: 422,
      code: 'invalid-result',
      pointer: undefined,
      operation: undefined,
    });
    expect(Object.entries(errors)).toEqual([
      ['/title', ['is too long', 'has bad words']],
      ['', ['is odd']],
      ['__proto__', ['x']],
    ]);
  });

  test('a refusal with a pointer of its own', async () => {
    const problem = {
      status: 409,
      code: 'patch-conflict',
      detail: 'It is not there.',
      pointer: '/a',
      operation: 2,
    };
    const { client } = scripted([state(1, { title: 'a' }), { status: 409, body: problem }]);
    expect(await failure(client.change(url, rename))).toMatchObject({
      ...{ code: 'patch-conflict', pointer: '/a', operation: 2, message: 'It is not there.' },
      errors: { '/a': ['It is not there.'] },
    });
  });

  describe('a 415 says what to do if Accept-Patch shows that JSON Patch is not accepted', () => {
    const merge = 'application/merge-patch+json';
    const detail = 'The media type is not supported.';
    const hint = (accepted: string) =>
      `The server accepts only ${accepted}, but the client sends JSON Patch. Add jsonPatch() to the parsers of the resource.`;
    const rows: readonly { what: string; accepts?: string; status?: number; body?: object; says: string }[] =
      [
        { what: 'only merge patch', accepts: merge, says: `${detail} ${hint(merge)}` },
        {
          what: 'only merge patch, without a problem document',
          ...{ accepts: merge, body: {} },
          says: `PATCH https://api.example/notes/1 was answered with 415. ${hint(merge)}`,
        },
        {
          what: 'a type that begins with the same name',
          accepts: 'application/json-patch+json-x, text/plain',
          says: `${detail} ${hint('application/json-patch+json-x, text/plain')}`,
        },
        { what: 'JSON Patch', accepts: 'application/json-patch+json', says: detail },
        {
          what: 'JSON Patch among others, in capitals, with a parameter',
          accepts: `${merge} , Application/JSON-Patch+JSON; version=1,text/plain`,
          says: detail,
        },
        { what: 'nothing', accepts: '', says: detail },
        { what: 'no Accept-Patch', says: detail },
        { what: 'another status', accepts: merge, status: 422, says: detail },
      ];

    test.each(rows)(
      '$what',
      async ({ accepts, status = 415, body = { detail, code: 'unsupported-media-type' }, says }) => {
        const headers = accepts === undefined ? {} : { 'Accept-Patch': accepts };
        const { client } = scripted([state(1, { title: 'a' }), { status, headers, body }]);
        const error = await failure(client.change(url, rename));
        expect(error).toBeInstanceOf(ResponseError);
        const code = 'code' in body ? 'unsupported-media-type' : 'http-error';
        expect(error).toMatchObject({ status, code, message: says, problem: body });
      },
    );
  });

  test.each([
    ['hidden by the browser', 0],
    ['shown by Node', 303],
  ])('a redirect, %s, is not followed to a login page', async (_what, status) => {
    const { client, script } = scripted([state(1, { title: 'a' }), { status }]);
    expect(await failure(client.change(url, rename))).toMatchObject({ status, code: 'http-redirect' });
    expect(script.sent.map(({ init }) => init.redirect)).toEqual(['follow', 'manual']);
  });

  test('304 to a GET that asked nothing by If-None-Match is no redirect', async () => {
    const { client } = scripted([notModified]);
    expect(await failure(client.get(url))).toMatchObject({
      status: 304,
      code: 'http-error',
      message: 'GET https://api.example/notes/1 was answered with 304.',
    });
  });

  test('a success that is no JSON is none', async () => {
    const page = { status: 200, headers: { 'Content-Type': 'text/html' }, body: 'Welcome to our WLAN' };
    const { client } = scripted([state(1, { title: 'a' }), page]);
    expect(await failure(client.change(url, rename))).toMatchObject({
      code: 'content-not-json',
      uncertain: true,
    });
  });
});

describe('what is sent again', () => {
  /** The pauses of this test in milliseconds, where the dice are a hundredth. */
  function pausesOf(): () => readonly (number | undefined)[] {
    jest.mocked(Math.random).mockReturnValue(0.01);
    const set = jest.spyOn(globalThis, 'setTimeout');
    // The others are the limits of attempts.
    return () => set.mock.calls.map(([, pause]) => pause).filter((pause = 0) => pause < 1_000);
  }

  const passing: readonly { what: string; step: Step }[] = [
    { what: 'a lost connection', step: 'lost' },
    ...[408, 425, 429, 502, 503, 504].map((status) => ({ what: String(status), step: { status } })),
    { what: '409 with Retry-After', step: { status: 409, headers: { 'Retry-After': '0' } } },
    {
      what: 'Retry-After as a date that is past',
      step: { status: 503, headers: { 'Retry-After': new Date(0).toUTCString() } },
    },
  ];

  test.each(passing)('$what, under the same key', async ({ step }) => {
    const steps = [state(1, { title: 'a' }), step, step, state(2, { title: 'a!' })];
    const { client, script } = scripted(steps, { idempotency: true });
    expect(await client.change(url, rename)).toMatchObject({ attempts: 1, value: { title: 'a!' } });
    const keys = script.sent.slice(1).map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });

  test.each([400, 401, 403, 409, 413, 415, 422, 428, 500, 501])('%d is not', async (status) => {
    const { client, script } = scripted([state(1, { title: 'a' }), { status }]);
    expect(await failure(client.change(url, rename))).toMatchObject({ status });
    expect(script.left).toEqual([]);
  });

  test('Retry-After is waited for', async () => {
    const started = performance.now();
    const { client } = scripted([{ status: 503, headers: { 'Retry-After': '1' } }, state(1, {})]);
    await client.get(url);
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
  });

  test.each(['-1', '1.5', '0x10', '2001-01-01', 'soon', '', '1, 2'])(
    'Retry-After: %s is none: the pauses grow',
    async (value) => {
      const pauses = pausesOf();
      const step = { status: 503, headers: { 'Retry-After': value } };
      const { client } = scripted([step, step, step, state(1, {})]);
      await client.get(url);
      expect(pauses()).toEqual([1, 2, 4]);
    },
  );

  test('Retry-After: 0, again and again: the pauses grow all the same', async () => {
    const pauses = pausesOf();
    const step = { status: 429, headers: { 'Retry-After': '0' } };
    const { client } = scripted([step, step, step, state(1, {})]);
    await client.get(url);
    expect(pauses()).toEqual([1, 2, 4]);
  });

  test.each(['60', '9'.repeat(400), new Date(Date.now() + 86_400_000).toUTCString()])(
    'Retry-After: %s is longer than `timeout`: nothing is waited for',
    async (value) => {
      const { client, script } = scripted([{ status: 503, headers: { 'Retry-After': value } }]);
      expect(await failure(client.get(url))).toMatchObject({ status: 503 });
      expect(script.left).toEqual([]);
    },
  );

  test('Retry-After beyond `timeout` is not: the refusal is what comes of it', async () => {
    const { client } = scripted([{ status: 503, headers: { 'Retry-After': '60' } }]);
    expect(await failure(client.get(url))).toMatchObject({ status: 503 });
  });

  test('a server that says nothing is given up after a third of `timeout`, and asked again', async () => {
    jest.useFakeTimers();
    const { client, script } = scripted(['silent', state(1, {})], { timeout: 90 });
    const read = client.get(url);
    await jest.advanceTimersByTimeAsync(29);
    expect(script.lines).toEqual(['GET']);
    await jest.advanceTimersByTimeAsync(2);
    expect(await read).toMatchObject({ etag: '"1"' });
    expect(script.left).toEqual([]);
  });

  test('a pause that a late timer has made longer leaves no time: nothing more is sent', async () => {
    let clock = 0;
    const { setTimeout: set } = globalThis;
    jest.spyOn(performance, 'now').mockImplementation(() => clock);
    jest.spyOn(globalThis, 'setTimeout').mockImplementation((go: () => void, pause = 0): NodeJS.Timeout => {
      const late = (): void => {
        clock += pause + 20;
        go();
      };
      return set(late, 0);
    });
    jest.mocked(Math.random).mockReturnValue(0.3);
    const { client, script } = scripted(['lost', state(1, {})], { timeout: 40 });
    expect(await failure(client.get(url))).toBeInstanceOf(ConnectionError);
    expect(script.lines).toEqual(['GET']);
  });

  test('`headers` that block for longer than `timeout` leave no time to be told by a negative number', async () => {
    let clock = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => clock);
    const headers = () => {
      clock += 20;
      return {};
    };
    const { client } = scripted(['silent'], { timeout: 10, headers });
    const { cause } = (await failure(client.get(url))) as Error;
    expect(cause).toEqual(new Error('No response within 1 ms.'));
  });

  test.each([
    ['reading', 'get', false],
    ['a change', 'change', true],
  ] as const)('where nothing ever comes, %s fails', async (_what, method, uncertain) => {
    const first = method === 'get' ? [] : [state(1, { title: 'a' })];
    const { client } = scripted([...first, ...Array<Step>(9_999).fill('lost')], { timeout: 40 });
    jest.mocked(Math.random).mockReturnValue(0.1);
    const error = await failure(method === 'get' ? client.get(url) : client.change(url, rename));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      code: 'connection-failed',
      uncertain,
      cause: new TypeError('fetch failed'),
    });
  });

  test('what it is refused with after a lost answer says that it may be done', async () => {
    const { client } = scripted([state(1, { title: 'a' }), 'lost', { status: 401 }]);
    expect(await failure(client.change(url, rename))).toMatchObject({ status: 401, uncertain: true });
  });
});

describe('an answer that was lost, and then 412', () => {
  const lost: readonly Step[] = ['lost', { status: 502 }, { status: 504 }, { status: 503 }, { status: 408 }];

  test.each(lost)('%j: without Idempotency-Key nobody can tell whose change it was', async (step) => {
    const { client, script } = scripted([
      state(1, { title: 'a' }),
      step,
      refused(2),
      state(2, { title: 'a!' }),
    ]);
    const error = await failure(client.change(url, rename));
    expect(error).toBeInstanceOf(UncertainError);
    expect(error).toMatchObject({
      ...{ code: 'uncertain', base: { title: 'a' }, mine: { title: 'a!' }, theirs: { title: 'a!' } },
    });
    expect(script.left).toEqual([]);
  });

  test.each([425, 429])('%d says that it was not carried out: the change is made again', async (status) => {
    const steps = [
      state(1, { title: 'a' }),
      { status },
      refused(2),
      state(2, { title: 'b' }),
      state(3, { title: 'b!' }),
    ];
    const { client } = scripted(steps);
    expect(await client.change(url, rename)).toMatchObject({ attempts: 2, value: { title: 'b!' } });
  });

  test('with it the server can: the change is made again', async () => {
    const steps = [
      state(1, { title: 'a' }),
      'lost',
      refused(2),
      state(2, { title: 'b' }),
      state(3, { title: 'b!' }),
    ] as const;
    const { client } = scripted(steps, { idempotency: true });
    expect(await client.change(url, rename)).toMatchObject({ attempts: 2, value: { title: 'b!' } });
  });

  test('a resource that cannot be read then is undefined', async () => {
    const { client } = scripted([state(1, { title: 'a' }), 'lost', refused(2), { status: 404 }]);
    const error = await failure(client.change(url, rename));
    expect(error).toMatchObject({
      ...{ code: 'uncertain', base: { title: 'a' }, mine: { title: 'a!' }, theirs: undefined },
      cause: { status: 404 },
    });
  });

  test('save: what is there is what was to be, by whoever it is', async () => {
    const { client } = scripted([state(1, { title: 'a' }), 'lost', refused(2), state(2, { title: 'b' })]);
    expect(await client.save(url, { title: 'a' }, { title: 'b' })).toMatchObject({
      value: { title: 'b' },
      etag: '"2"',
    });
  });

  test('save: anything else is uncertain', async () => {
    const { client } = scripted([
      state(1, { title: 'a' }),
      'lost',
      refused(2),
      state(2, { title: 'b', count: 1 }),
    ]);
    expect(await failure(client.save(url, { title: 'a' }, { title: 'b' }))).toMatchObject({
      code: 'uncertain',
    });
  });
});

describe('save', () => {
  const form = { title: 'a', count: 1 };

  test('sends the change from base to mine', async () => {
    const { client, script } = scripted([state(1, form), state(2, { title: 'b', count: 1 })]);
    await client.get(url);
    await client.save(url, form, { title: 'b', count: 1 });
    expect(script.lines).toEqual(['GET', 'PATCH "1"']);
    expect(script.sent[1]?.body).toEqual([{ op: 'replace', path: '/title', value: 'b' }]);
  });

  test('merges it with what others have changed elsewhere', async () => {
    const { client, script } = scripted([
      state(1, form),
      refused(2),
      state(2, { title: 'a', count: 2 }),
      state(3, {}),
    ]);
    expect(await client.save(url, form, { title: 'b', count: 1 })).toMatchObject({ attempts: 2 });
    expect(script.sent[3]?.body).toEqual([{ op: 'replace', path: '/title', value: 'b' }]);
  });

  test('a base that is long gone is merged before anything is sent', async () => {
    const { client, script } = scripted([state(7, { title: 'a', count: 2 }), state(8, {})]);
    await client.save(url, form, { title: 'b', count: 1 });
    expect(script.lines).toEqual(['GET', 'PATCH "7"']);
    expect(script.sent[1]?.body).toEqual([{ op: 'replace', path: '/title', value: 'b' }]);
  });

  test('the same place: ConflictError with all three, where nothing decides', async () => {
    const { client } = scripted([state(1, form), refused(2), state(2, { title: 'c', count: 1 })]);
    const error = await failure(client.save(url, form, { title: 'b', count: 1 }));
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).toMatchObject({
      ...{ code: 'conflict', base: form, mine: { title: 'b' }, theirs: { title: 'c' }, paths: ['/title'] },
    });
  });

  test('a conflict with what is remembered is one only where it is so still', async () => {
    const { client, script } = scripted([state(1, { title: 'c' }), state(2, form), state(3, {})]);
    await client.get(url);
    await client.save(url, form, { title: 'b', count: 1 });
    expect(script.lines).toEqual(['GET', 'GET "1"', 'PATCH "2"']);
  });

  test('onConflict decides, and is asked again only about what is new', async () => {
    const onConflict = jest
      .fn()
      .mockImplementation(({ theirs }: { theirs: Note }) => ({ ...theirs, title: 'both' }));
    const steps = [
      ...[state(1, form), refused(2), state(2, { title: 'c', count: 1 })],
      ...[refused(3), state(3, { title: 'c', count: 9 }), state(4, {})],
    ];
    const { client, script } = scripted(steps, { onConflict });
    expect(await client.save(url, form, { title: 'b', count: 1 })).toMatchObject({ attempts: 3 });
    expect(onConflict.mock.calls).toEqual([
      [
        {
          ...{ base: form, mine: { title: 'b', count: 1 }, theirs: { title: 'c', count: 1 } },
          ...{ paths: ['/title'] },
          ...{ withMine: { title: 'b', count: 1 }, withTheirs: { title: 'c', count: 1 } },
        },
      ],
    ]);
    expect(script.sent[5]?.body).toEqual([{ op: 'replace', path: '/title', value: 'both' }]);
  });

  test.each([
    { whose: 'withMine', title: 'mine' },
    { whose: 'withTheirs', title: 'theirs' },
  ] as const)('$whose: where we meet the one wins, and elsewhere nothing of either is lost', async (row) => {
    const base = { title: 'a', body: 'x', tags: ['a', 'b'] };
    const mine = { title: 'mine', body: 'x', tags: ['a', 'b', 'mine'] };
    const theirs = { title: 'theirs', body: 'theirs', tags: ['a', 'b', 'theirs'] };
    const { client, script } = scripted([state(1, theirs), state(2, {})]);
    const seen: boolean[] = [];
    await client.save(url, base, mine, {
      onConflict: (conflict) => {
        seen.push(Object.isFrozen(conflict[row.whose]), Object.isFrozen(conflict[row.whose].tags));
        return conflict[row.whose];
      },
    });
    const made = { title: row.title, body: 'theirs', tags: ['a', 'b', 'mine', 'theirs'] };
    expect(script.sent[1]?.body).toEqual(createJsonPatch(theirs, made));
    expect(seen).toEqual([true, true]);
    expect(await failure(scripted([state(1, theirs)]).client.save(url, base, mine))).toMatchObject({
      [row.whose]: made,
    });
  });

  describe('identity', () => {
    const base = [{ slug: 'a', n: 0 }, { slug: 'b' }];
    const mine = [{ slug: 'a', n: 1 }, { slug: 'b' }];
    const theirs = [{ slug: 'b' }, { slug: 'a', n: 0 }];
    const patch = [{ op: 'replace', path: '/1/n', value: 1 }];

    test.each([
      { what: 'of the client', options: { identity: 'slug' }, call: {} },
      { what: 'of the client, as a list', options: { identity: ['uuid', 'slug'] }, call: {} },
      { what: 'of the call, which wins', options: { identity: 'n' }, call: { identity: 'slug' } },
      {
        what: 'a function of the call',
        options: {},
        call: { identity: (element: unknown) => (element as { slug: string }).slug },
      },
    ])('$what: elements are recognised wherever they stand', async ({ options, call }) => {
      const { client, script } = scripted([state(1, theirs), state(2, {})], options);
      await client.save<unknown>(url, base, mine, call);
      expect(script.sent[1]?.body).toEqual(patch);
    });

    test('left out, slug is a member like any other', async () => {
      const { client } = scripted([state(1, theirs)]);
      expect(await failure(client.save<unknown>(url, base, mine))).toMatchObject({ code: 'conflict' });
    });

    test('what a function throws, and that it returns what identifies nothing, ends the call', async () => {
      const thrown = new RangeError('no');
      const call = {
        identity: () => {
          throw thrown;
        },
      };
      const { client, script } = scripted([state(1, theirs), state(1, theirs)]);
      expect(await failure(client.save<unknown>(url, base, mine, call))).toBe(thrown);
      const promise = { identity: () => Promise.resolve('a') as never };
      expect(await failure(client.save<unknown>(url, base, mine, promise))).toEqual(
        new TypeError(
          'identity() returned an object for an element of "". Return a string, a number or undefined.',
        ),
      );
      expect(script.lines).toEqual(['GET', 'GET "1"']);
    });

    test.each([[7], [null], [{ name: 'slug' }], [['slug', 7]]])('%j is a mistake', (identity) => {
      expect(() => resourceClient('/', { identity: identity as never })).toThrow(
        'resourceClient() received invalid options:\n' +
          `  identity: ${typeof identity === 'object' && identity ? 'a value of type object' : String(identity)} must be a name, a list of names, or a function. ` +
          "Write 'slug', ['slug', 'id'], or (element) => ….",
      );
    });

    test('of one call, too, before anything is sent', async () => {
      const { client, script } = scripted([]);
      const call = { identity: 7, onconflict: 'theirs' };
      expect(await failure(client.save<unknown>(url, base, mine, call as never))).toMatchObject({
        code: 'option-unknown',
        message:
          'save() received invalid options:\n' +
          '  onconflict is not a known option. The options are signal, onConflict, identity.\n' +
          '  identity: 7 must be a name, a list of names, or a function. ' +
          "Write 'slug', ['slug', 'id'], or (element) => ….",
      });
      expect(script.lines).toEqual([]);
    });
  });

  test('that of the call wins; undefined decides nothing', async () => {
    const onConflict = jest.fn();
    const { client } = scripted([state(2, { title: 'c', count: 1 })], { onConflict });
    const call = { onConflict: () => Promise.resolve(undefined) };
    expect(await failure(client.save(url, form, { title: 'b', count: 1 }, call))).toMatchObject({
      code: 'conflict',
    });
    expect(onConflict).not.toHaveBeenCalled();
  });

  test('nothing changed: nothing is sent', async () => {
    const { client, script } = scripted([state(1, form)]);
    expect(await client.save(url, form, { ...form })).toMatchObject({ attempts: 0, value: form });
    expect(script.lines).toEqual(['GET']);
  });
});

describe('put', () => {
  test('replaces the state that was read, or that of the tag', async () => {
    const steps = [state(1, { title: 'a' }), state(2, { title: 'b' }), state(3, { title: 'c' })];
    const { client, script } = scripted(steps, { idempotency: true });
    await client.get(url);
    expect(await client.put(url, { title: 'b' })).toEqual({
      value: { title: 'b' },
      etag: '"2"',
      created: false,
    });
    await client.put(url, { title: 'c' }, { etag: '"x"' });
    expect(script.lines).toEqual(['GET', 'PUT "1"', 'PUT "x"']);
    expect(script.sent[1]?.headers.get('Content-Type')).toBe('application/json');
    expect(script.sent[1]?.headers.get('Idempotency-Key')).not.toBeNull();
  });

  test('creates', async () => {
    const { client, script } = scripted([{ status: 201, headers: { ETag: '"1"' }, body: { title: 'a' } }]);
    expect(await client.put(url, { title: 'a' }, { create: true })).toMatchObject({
      created: true,
      etag: '"1"',
    });
    expect(script.lines).toEqual(['PUT *']);
  });

  test('a repeat of a creation has no content: it is read', async () => {
    const { client } = scripted([{ status: 201, headers: { ETag: '"1"' } }, state(1, { title: 'A' })]);
    expect(await client.put(url, { title: 'a' }, { create: true })).toMatchObject({
      created: true,
      value: { title: 'A' },
    });
  });

  test('of a state that nobody has named it is an error', async () => {
    const { client } = scripted([]);
    expect(await failure(client.put(url, { title: 'a' }))).toMatchObject({ code: 'precondition-unknown' });
  });

  test('is not tried again on another state', async () => {
    const { client, script } = scripted([state(1, {}), refused(2)]);
    await client.get(url);
    expect(await failure(client.put(url, { title: 'a' }))).toMatchObject({ status: 412, etag: '"2"' });
    expect(script.left).toEqual([]);
  });

  test.each([
    ['what was sent: made', { title: 'b' }, undefined],
    ['something else: uncertain', { title: 'c' }, 'uncertain'],
  ])('lost, then 412, and it is now %s', async (_what, now, code) => {
    const { client } = scripted([state(1, { title: 'a' }), 'lost', refused(2), state(2, now)]);
    await client.get(url);
    const put = client.put(url, { title: 'b' });
    if (code === undefined) expect(await put).toMatchObject({ value: now, etag: '"2"' });
    else
      expect(await failure(put)).toMatchObject({
        code,
        base: { title: 'a' },
        mine: { title: 'b' },
        theirs: now,
      });
  });

  test('lost, then 412, under a key: refused', async () => {
    const { client } = scripted([state(1, { title: 'a' }), 'lost', refused(2)], { idempotency: true });
    await client.get(url);
    expect(await failure(client.put(url, { title: 'b' }))).toMatchObject({ status: 412, uncertain: false });
  });
});

describe('remove', () => {
  const gone: readonly { what: string; steps: readonly Step[]; comes: object | undefined }[] = [
    { what: 'removed', steps: [{ status: 204 }], comes: undefined },
    { what: 'gone before', steps: [{ status: 404 }], comes: { status: 404 } },
    { what: 'lost, then gone', steps: ['lost', { status: 404 }], comes: undefined },
    { what: 'changed', steps: [refused(2)], comes: { status: 412 } },
    {
      what: 'lost, then another state',
      steps: ['lost', refused(2), state(2, { title: 'b' })],
      comes: { code: 'uncertain', base: { title: 'a' }, mine: undefined, theirs: { title: 'b' } },
    },
  ];

  test.each(gone.flatMap((row) => [false, true].map((idempotency) => ({ ...row, idempotency }))))(
    '$what, idempotency: $idempotency',
    async ({ steps, comes, idempotency }) => {
      const { client, script } = scripted([state(1, { title: 'a' }), ...steps], { idempotency });
      await client.get(url);
      const removed = client.remove(url);
      if (comes === undefined) await removed;
      else expect(await failure(removed)).toMatchObject(comes);
      expect(script.lines[1]).toBe('DELETE "1"');
      expect(script.sent[1]?.headers.get('Idempotency-Key')).toBeNull();
      expect(script.left).toEqual([]);
    },
  );

  test('whatever is there', async () => {
    const { client, script } = scripted([{ status: 204 }]);
    await client.remove(url, { etag: '*' });
    expect(script.lines).toEqual(['DELETE *']);
  });
});

test('options gives the lists', async () => {
  const headers = { Allow: 'GET, HEAD, PATCH', 'Accept-Patch': 'application/json-patch+json, text/x' };
  const { client } = scripted([{ status: 200, headers }, { status: 204 }]);
  expect(await client.options(url)).toEqual({
    allow: ['GET', 'HEAD', 'PATCH'],
    acceptPatch: ['application/json-patch+json', 'text/x'],
  });
  expect(await client.options(url)).toEqual({ allow: [], acceptPatch: [] });
});

describe('what answers remove() and options() with success', () => {
  const html = { 'Content-Type': 'text/html; charset=utf-8' };
  const rows: readonly { what: string; step: Step; removed: boolean; listed: boolean }[] = [
    { what: '204', step: { status: 204 }, removed: true, listed: true },
    { what: '200 without content', step: { status: 200 }, removed: true, listed: true },
    { what: '200 with JSON', step: { status: 200, body: { gone: 1 } }, removed: true, listed: true },
    {
      what: 'a login page',
      step: { status: 200, headers: html, body: '<form>' },
      ...{ removed: false, listed: false },
    },
    { what: 'broken JSON', step: { status: 200, body: '{"gone"' }, removed: false, listed: false },
    {
      what: 'text, with Allow, as Express sends it',
      step: { status: 200, headers: { ...html, Allow: 'GET,HEAD' }, body: 'GET,HEAD' },
      ...{ removed: false, listed: true },
    },
  ];

  test.each(rows)('$what', async ({ step, removed, listed }) => {
    const { client, script } = scripted([state(1, { title: 'a' }), step, step]);
    await client.get(url);
    const listing = client.options(url);
    if (listed) expect(await listing).toHaveProperty('allow');
    else expect(await failure(listing)).toMatchObject({ code: 'content-not-json', uncertain: false });
    const removing = client.remove(url);
    if (removed) await removing;
    else expect(await failure(removing)).toMatchObject({ code: 'content-not-json', uncertain: true });
    // What became of the resource is not known, or it is gone.
    expect(await failure(client.remove(url))).toMatchObject({ code: 'precondition-unknown' });
    expect(script.left).toEqual([]);
  });

  test('a deletion whose answer is cut short cannot be told from a login page', async () => {
    const { client } = scripted([{ status: 200, body: '{}', cut: true }]);
    const removing = client.remove(url, { etag: '*' });
    expect(await failure(removing)).toMatchObject({ code: 'content-not-json', uncertain: true });
  });
});

describe('headers', () => {
  test('of an object, and of a function that is asked for each sending; ours win', async () => {
    let calls = 0;
    const headers = () => Promise.resolve({ Authorization: `Bearer ${++calls}`, 'if-match': '"evil"' });
    const { client, script } = scripted([state(1, { title: 'a' }), 'lost', state(2, {})], { headers });
    await client.change(url, rename);
    expect(script.sent.map(({ headers: sent }) => sent.get('Authorization'))).toEqual([
      'Bearer 1',
      'Bearer 2',
      'Bearer 3',
    ]);
    expect(script.sent[1]?.headers.get('If-Match')).toBe('"1"');
  });

  test('what the function throws is what comes of the call, at once', async () => {
    const fault = new Error('signed out');
    const { client, script } = scripted([], { headers: () => Promise.reject(fault) });
    expect(await failure(client.get(url))).toBe(fault);
    expect(script.sent).toEqual([]);
  });

  test('a promise that never settles: the call fails when `timeout` is over, and leaves no timer', async () => {
    jest.useFakeTimers();
    const never = () => new Promise<never>(() => undefined);
    const { client, script } = scripted([], { headers: never, timeout: 90 });
    const failed = failure(client.get(url));
    await jest.advanceTimersByTimeAsync(89);
    expect(jest.getTimerCount()).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(await failed).toMatchObject({
      code: 'connection-failed',
      uncertain: false,
      cause: { message: expect.stringContaining('headers') },
    });
    expect(script.sent).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('those of the platform are sent, too', async () => {
    const headers = new Headers({ Authorization: 'Bearer 1' });
    const { client, script } = scripted([state(1, {})], { headers: headers as never });
    await client.get(url);
    expect(script.sent[0]?.headers.get('Authorization')).toBe('Bearer 1');
  });

  test.each([{ 'a b': 'c' }, { a: 'b\nc' }, { a: '\u2028' }])(
    '%j is invalid: the call rejects at once, and nothing is sent',
    async (headers) => {
      const { client, script } = scripted([], { headers });
      expect(await failure(client.get(url))).toMatchObject({ name: 'TypeError' });
      expect(script.sent).toEqual([]);
    },
  );

  test('credentials are handed on', async () => {
    const { client, script } = scripted([state(1, {})], { credentials: 'include' });
    await client.get(url);
    expect(script.sent[0]?.init.credentials).toBe('include');
  });
});

describe('URLs', () => {
  test.each([
    ['https://api.example', '/notes/1', 'https://api.example/notes/1'],
    ['https://api.example/v1/', 'notes/1', 'https://api.example/v1/notes/1'],
    ['https://api.example', 'https://api.example/notes/1', 'https://api.example/notes/1'],
    ['https://api.example', '//evil.example/x', 'https://api.example/evil.example/x'],
    ['https://api.example', '@evil.example', 'https://api.example/@evil.example'],
    [undefined, 'https://api.example/notes/1#top', 'https://api.example/notes/1'],
    [new URL('https://api.example/v1'), '/notes/1?a=b', 'https://api.example/v1/notes/1?a=b'],
    ['https://api.example/v1', 'https://api.example/v1', 'https://api.example/v1'],
    ['https://api.example/v1', '/a?b=../../c', 'https://api.example/v1/a?b=../../c'],
    ['https://api.example/v1', '/a/../b', 'https://api.example/v1/b'],
  ])('%s and %s', async (from, given, whole) => {
    const script = scriptedFetch(state(1, {}));
    await resourceClient(from, { fetch: script.fetch }).get(given);
    expect(script.sent[0]?.url).toBe(whole);
  });

  test.each([
    ['https://api.example', 'https://evil.example/notes/1', /not under the base/],
    ['https://api.example', 'https://api.example.evil.example/', /not under the base/],
    [
      'https://api.example/v1',
      '../v2/notes',
      /^"\.\.\/v2\/notes" is not under the base https:\/\/api\.example\/v1\/\./,
    ],
    ['https://api.example/v1', '/%2e%2e/v2', /not under the base/],
    ['https://api.example/v1', '..\\v2', /not under the base/],
    ['https://api.example/v1', 'https://api.example/v1/../v2', /not under the base/],
    [undefined, '/notes/1', /must be absolute/],
    [
      undefined,
      'https://me:secret@api.example/notes',
      /^The URL of api\.example contains a user name or password\./,
    ],
  ])('%s and %s is refused', async (from, given, message) => {
    const script = scriptedFetch();
    const error = await failure(resourceClient(from, { fetch: script.fetch }).get(given));
    expect(error).toMatchObject({ code: 'url-invalid', message: expect.stringMatching(message) });
    expect(script.sent).toEqual([]);
  });

  describe('in a page, where the base can be relative', () => {
    beforeEach(() => {
      Object.assign(globalThis, { location: { href: 'https://app.example/page/' } });
    });
    afterEach(() => {
      Reflect.deleteProperty(globalThis, 'location');
    });

    test.each([
      ['', '/notes/1', 'https://app.example/notes/1'],
      ['/', 'notes/1', 'https://app.example/notes/1'],
      ['/', '//evil.example/x', 'https://app.example/evil.example/x'],
      ['/api', '/notes/1', 'https://app.example/api/notes/1'],
      ['api', 'notes/1', 'https://app.example/page/api/notes/1'],
    ])('%j and %j', async (from, given, whole) => {
      const script = scriptedFetch(state(1, {}));
      await resourceClient(from, { fetch: script.fetch }).get(given);
      expect(script.sent[0]?.url).toBe(whole);
    });

    test.each(
      ['', '/'].flatMap((from) =>
        ['\\evil.example/x', '/\\evil.example/x', '\t/evil.example/x'].map((given) => [from, given] as const),
      ),
    )('%j and %j is refused: it is another origin, which would get the headers', async (from, given) => {
      const script = scriptedFetch();
      const error = await failure(resourceClient(from, { fetch: script.fetch }).get(given));
      expect(error).toMatchObject({
        code: 'url-invalid',
        message: expect.stringContaining('not under the base'),
      });
      expect(script.sent).toEqual([]);
    });
  });
});

describe('mistakes in options are told at once', () => {
  const wrong: readonly { options: object; code: string; message: RegExp }[] = [
    {
      options: { fetch: 'fetch' },
      code: 'option-type',
      message: /fetch: a value of type string must be a function\. Write/,
    },
    {
      options: { headers: 'x' },
      code: 'option-type',
      message: /headers: a value of type string must be an object/,
    },
    { options: { credentials: true }, code: 'option-value', message: /'same-origin'/ },
    {
      options: { idempotency: 'optional' },
      code: 'option-type',
      message: /idempotency: a value of type string must be a boolean\. Write true or false/,
    },
    {
      options: { idempotency: 1, timeout: Infinity },
      code: 'option-type',
      message: /idempotency.*\n.*timeout/,
    },
    { options: { timeout: 0 }, code: 'option-value', message: /timeout/ },
    { options: { credentials: 'yes', more: 1 }, code: 'option-unknown', message: /more.*\n.*credentials/ },
    {
      options: { onConflict: {} },
      code: 'option-type',
      message: /onConflict: a value of type object must be a function/,
    },
    {
      options: { idempotent: true },
      code: 'option-unknown',
      message: /idempotent is not a known option/,
    },
  ];

  test.each(wrong)('$options', ({ options, code, message }) => {
    const make = () => resourceClient(base, options);
    expect(make).toThrow(ArgumentError);
    expect(make).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));
  });

  test.each([[null], ['x'], [7]])('%j in place of options', (options) => {
    expect(() => resourceClient(base, options as never)).toThrow(ArgumentError);
  });

  test.each([
    ['not a URL'],
    [7],
    ['/relative'],
    ['https://a.example?b'],
    ['https://a.example/#b'],
    ['https://me@a.example'],
  ])('%j in place of a base', (from) => {
    expect(() => resourceClient(from as never)).toThrow(expect.objectContaining({ code: 'url-invalid' }));
  });
});
