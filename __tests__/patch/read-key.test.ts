/** The option `key`: the parameters of the route, each pair of which is a resource of its own. */
import express, { type ErrorRequestHandler, type IRouter, type RequestHandler } from 'express';
import request from 'supertest';
import { mergePatch } from '../../lib/patch/formats/merge-patch';
import type { PatchHandlerOptions } from '../../lib/patch/handler-options';
import { resource } from '../../lib/patch/resource/resource';
import { joinKey, splitKey } from '../../lib/stores/contract/key';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import { type ExpressModule, frameworks } from '../support/frameworks';
import { times } from '../support/deep-scale';
import { mistakesOf, shown } from '../support/mistakes-of';
import { fc } from '../support/properties';

type Key = PatchHandlerOptions<unknown>['key'];

interface Mounted {
  readonly route: string | string[];
  readonly mount?: string;
  readonly mergeParams?: boolean;
}

/** A PUT that creates, and what it is stored under or what the app's error handler gets. */
async function put(
  framework: ExpressModule,
  key: Key,
  { route, mount, mergeParams = true }: Mounted,
  ...urls: string[]
) {
  const store = new MemoryStore();
  const app = framework();
  const router: IRouter = mount === undefined ? app : framework.Router({ mergeParams });
  const options = { ...(key !== undefined && { key }), create: true } as const;
  router.put(route, resource(store, [mergePatch()], options).put);
  if (mount !== undefined) app.use(mount, router);
  const errors: string[] = [];
  const onError: ErrorRequestHandler = (error: unknown, _req, res, next) => {
    errors.push(String(error));
    if (res.headersSent) next(error);
    else res.sendStatus(500);
  };
  app.use(onError);
  const warn = jest.spyOn(process, 'emitWarning').mockReturnValue();
  const statuses: number[] = [];
  for (const url of urls) {
    const { status } = await request(app).put(url).send({ url });
    statuses.push(status);
  }
  const warnings = warn.mock.calls.map(([warning]) => String(warning));
  warn.mockRestore();
  return { keys: [...store.entries()].map(([stored]) => stored), statuses, errors, warnings };
}

describe.each(frameworks)('key, over %s', (_name, framework) => {
  test.each<{ title: string; key: Key; mounted: Mounted; url: string; stored: string }>([
    { title: 'a parameter', key: 'id', mounted: { route: '/notes/:id' }, url: '/notes/7', stored: '7' },
    {
      title: 'decoded',
      key: 'id',
      mounted: { route: '/notes/:id' },
      url: '/notes/a%2Fb%20%C3%A9',
      stored: 'a/b é',
    },
    {
      ...{ title: 'a pair, in the order of the option', key: ['org', 'id'], stored: 'acme/7' },
      ...{ mounted: { route: '/notes/:id/of/:org' }, url: '/notes/7/of/acme' },
    },
    {
      ...{ title: 'a pair, each percent-encoded', key: ['org', 'id'], stored: 'a%2Fb/%C3%A9%25' },
      ...{ mounted: { route: '/:org/:id' }, url: '/a%2Fb/%C3%A9%25' },
    },
    {
      ...{ title: 'of the router around it', key: ['org', 'id'], stored: 'acme/7' },
      ...{ mounted: { mount: '/:org', route: '/:id' }, url: '/acme/7' },
    },
    {
      ...{ title: 'by a function', key: (req) => `${req.params.id}!`, stored: '7!' },
      ...{ mounted: { route: '/notes/:id' }, url: '/notes/7' },
    },
  ])('$title', async ({ key, mounted, url, stored }) => {
    expect(await put(framework, key, mounted, url)).toEqual({
      ...{ keys: [stored], statuses: [201], errors: [], warnings: [] },
    });
  });

  const mergeFix =
    'Correct the name. If the parameter is in the path that the router is mounted at, create the router with express.Router({ mergeParams: true }).';

  test.each<{ title: string; key: Key; mounted: Mounted; url: string; error: string }>([
    {
      ...{
        title: 'a parameter that the route does not have',
        key: 'noteId',
        mounted: { route: '/notes/:id' },
      },
      url: '/notes/7',
      error: `TypeError: The option key names 'noteId', which on the route PUT '/notes/:id' is not one of its parameters: id. ${mergeFix}`,
    },
    {
      ...{ title: 'a parameter of the outer router', key: ['org', 'id'] },
      ...{ mounted: { mount: '/:org', route: '/:id', mergeParams: false }, url: '/acme/7' },
      error: `TypeError: The option key names 'org', which on the route PUT '/:id' is not one of its parameters: id. ${mergeFix}`,
    },
    {
      ...{
        title: 'a name of Object.prototype',
        key: 'constructor',
        mounted: { route: '/notes' },
        url: '/notes',
      },
      error: `TypeError: The option key names 'constructor', which on the route PUT '/notes' is not one of its parameters: none. ${mergeFix}`,
    },
  ])('$title is an error of the app, not a 404', async ({ key, mounted, url, error }) => {
    expect(await put(framework, key, mounted, url)).toEqual({
      ...{ keys: [], statuses: [500], errors: [error], warnings: [] },
    });
  });

  test('a parameter that is left out is told once', async () => {
    const { warnings, keys } = await put(
      express,
      'id',
      { route: '/:org/notes/:id' },
      '/a/notes/7',
      '/b/notes/7',
    );
    expect(keys).toEqual(['7']);
    expect(warnings).toEqual([
      "resource(): on the route PUT '/:org/notes/:id', org is not part of the key, so requests that differ only there get the same resource. Write key: ['org', 'id']. If id alone identifies the resource, write (req) => req.params.id.",
    ]);
  });

  test('so is a key that is not set, unless the parameter is a wildcard', async () => {
    const { warnings, keys } = await put(express, undefined, { route: '/notes/:id' }, '/notes/7', '/notes/8');
    expect(keys).toEqual(['/notes/7', '/notes/8']);
    expect(warnings).toEqual([
      "resource(): on the route PUT '/notes/:id', the key is the whole path, because the option key is not set. Write key: 'id'; or (req) => req.baseUrl + req.path, if the whole path is meant.",
    ]);
    expect(await put(express, undefined, { route: '/files/*path' }, '/files/a')).toMatchObject({
      warnings: [],
    });
  });

  test('so is one of the router around it', async () => {
    const { warnings } = await put(
      express,
      ['org', 'id'],
      { mount: '/:region', route: '/:org/:id' },
      '/eu/a/7',
    );
    expect(warnings).toEqual([
      "resource(): on the route PUT '/:org/:id', region is not part of the key, so requests that differ only there get the same resource. Write key: ['region', 'org', 'id'].",
    ]);
  });

  test('a parameter of the router around it that is in the key is not told', async () => {
    const mounted = { mount: '/:org', route: '/:id' };
    const { warnings } = await put(framework, ['org', 'id'], mounted, '/acme/7', '/other/7');
    expect(warnings).toEqual([]);
  });

  test('a function is not told, because it says what it leaves out', async () => {
    const key: Key = (req) => req.params.id;
    const { warnings } = await put(framework, key, { route: '/:org/notes/:id' }, '/a/notes/7');
    expect(warnings).toEqual([]);
  });
});

test.each([
  { title: 'an optional parameter that is left out', route: '/notes{/:id}' },
  { title: 'a parameter that one of several paths does not have', route: ['/notes', '/notes/:id'] },
])('$title names no resource: 404', async ({ route }) => {
  const { statuses, errors } = await put(express, 'id', { route }, '/notes', '/notes/7');
  expect([statuses, errors]).toEqual([[404, 201], []]);
});

test('a number that a validator has made of the parameter is its digits', async () => {
  const app = express();
  const coerce: RequestHandler = (req, _res, next) => {
    req.params = Object.fromEntries(
      Object.entries(req.params).map(([name, value]) => [name, Number(value)]),
    ) as never;
    next();
  };
  const store = new MemoryStore();
  app.put('/notes/:id', coerce, resource(store, [mergePatch()], { key: 'id', create: true }).put);
  await request(app).put('/notes/07').send({}).expect(201);
  expect(await store.get('7')).toBeDefined();
});

test('a value that is neither text nor a number is an error', async () => {
  const app = express();
  app.param('id', (req, _res, next, id: string) => {
    Object.assign(req.params, { id: new Date(Number(id)) });
    next();
  });
  const errors: string[] = [];
  app.put('/notes/:id', resource(new MemoryStore(), [mergePatch()], { key: 'id', create: true }).put);
  const onError: ErrorRequestHandler = (error: unknown, _req, res, next) => {
    errors.push(String(error));
    if (res.headersSent) next(error);
    else res.sendStatus(500);
  };
  await request(app.use(onError)).put('/notes/7').send({}).expect(500);
  expect(errors).toEqual([
    "TypeError: The option key names 'id', which on the route PUT '/notes/:id' is a Date. Make a string of it: (req) => String(req.params.id).",
  ]);
});

test('a wildcard of Express 5 is a list, which only a function can join', async () => {
  const { statuses, errors } = await put(express, 'path', { route: '/files/*path' }, '/files/a/b');
  expect([statuses, errors]).toEqual([
    [500],
    [
      "TypeError: The option key names 'path', which on the route PUT '/files/*path' is a list. Join the list: (req) => req.params.path.join('/').",
    ],
  ]);
});

test.each<{ key: unknown }>([
  ...[
    { key: ':id' },
    { key: '/notes/:id' },
    { key: '' },
    { key: [] },
    { key: ['org', 7] },
    { key: ['org', ''] },
  ],
  ...[{ key: 7 }, { key: true }, { key: { id: 'id' } }, { key: '*path' }],
])('$key is a mistake', ({ key }) => {
  const mistakes = mistakesOf(() => resource(new MemoryStore(), [mergePatch()], { key } as object));
  expect(mistakes).toMatchObject([{ option: 'key', value: shown(key), code: 'option-type' }]);
});

describe('a key of several parts', () => {
  const part = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('', '/', '%', '%2F', '.', '..', 'a/b', ' '),
  );
  const parts = fc.array(
    part.filter((text) => !text.includes('\0')),
    { minLength: 1, maxLength: 3 },
  );

  test('no two lists of parts have the same key, and a store finds the parts again', () => {
    const property = fc.property(parts, parts, (some, others) => {
      const key = joinKey(some) ?? '';
      expect(splitKey(key, some.length)).toEqual(some);
      expect(key === joinKey(others)).toBe(JSON.stringify(some) === JSON.stringify(others));
    });
    fc.assert(property, { numRuns: times(250, 100_000) });
  });

  test.each([
    { key: 'acme', count: 2, why: 'too few parts' },
    { key: 'acme/7/8', count: 2, why: 'too many' },
    { key: 'acme/%37', count: 2, why: 'another spelling of 7' },
    { key: 'acme/%c3%a9', count: 2, why: 'another spelling of %C3%A9' },
    { key: 'acme/%', count: 2, why: 'not percent-encoded' },
    { key: 'acme/%00', count: 2, why: 'a NUL, which no column holds' },
    { key: 'acme/é', count: 2, why: 'not encoded' },
  ])('$key is none: $why', ({ key, count }) => {
    expect(splitKey(key, count)).toBeUndefined();
  });

  test.each(['\0', '\ud800'])('%j cannot be in one', (text) => {
    expect(joinKey(['acme', text])).toBeUndefined();
  });
});
