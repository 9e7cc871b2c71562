import { setTimeout as passed } from 'node:timers/promises';
import type { IRouter, RequestHandler } from 'express';
import supertest from 'supertest';
import { MemoryStore, mergePatch, patchHandler, resource, type PatchHandlerOptions } from '../../../lib';
import { frameworks, type ExpressModule } from '../../support/frameworks';

interface Row {
  readonly title: string;
  readonly options: PatchHandlerOptions<unknown>;
  /** What is stored. Default: `1`. */
  readonly stored?: string;
  /** Where the routes are mounted on a router of its own. */
  readonly mount?: string;
  readonly mergeParams?: boolean;
  readonly route: string;
  readonly url: string;
  /** Part of what is told; undefined: nothing is. */
  readonly told: string | undefined;
}

const rows: readonly Row[] = [
  {
    title: 'no key, on a route of the app',
    options: {},
    route: '/notes/:id',
    url: '/notes/1',
    told:
      "patchHandler(): the store has no resource for '/notes/1' (the default key is the path), but it has " +
      "'1'. Add { key: 'id' }.",
  },
  {
    title: 'no key, on a nested router',
    options: {},
    mount: '/api/notes',
    route: '/:note',
    url: '/api/notes/1',
    told: "the store has no resource for '/api/notes/1' (the default key is the path), but it has '1'. Add { key: 'note' }.",
  },
  {
    title: 'no key, on the root of a nested router: without the slash that the router adds',
    options: {},
    mount: '/notes/:id',
    mergeParams: true,
    route: '/',
    url: '/notes/1',
    told: "the store has no resource for '/notes/1' (the default key is the path), but it has '1'. Add { key: 'id' }.",
  },
  {
    title: 'no key, on the root of a nested router, with a query',
    options: {},
    mount: '/notes/:id',
    mergeParams: true,
    route: '/',
    url: '/notes/1?a=/',
    told: "the store has no resource for '/notes/1' (the default key",
  },
  {
    title: 'no key, on the root of a nested router, with a slash that the client has sent',
    options: {},
    mount: '/notes/:id',
    mergeParams: true,
    route: '/',
    url: '/notes/1/',
    told: "the store has no resource for '/notes/1/' (the default key",
  },
  {
    title: 'mergeParams',
    options: { key: (req) => req.params.id },
    mount: '/notes/:id',
    mergeParams: true,
    route: '/body',
    url: '/notes/2/body',
    told: undefined,
  },
  {
    title: 'a resource that is not there',
    options: { key: (req) => req.params.id },
    route: '/notes/:id',
    url: '/notes/2',
    told: undefined,
  },
  {
    title: 'a resource that is not there, without a key',
    options: {},
    stored: '/notes/1',
    route: '/notes/:id',
    url: '/notes/2',
    told: undefined,
  },
  {
    title: 'a key that the app refuses',
    options: { key: (req) => (/^\d+$/.test(String(req.params.id)) ? req.params.id : undefined) },
    route: '/notes/:id',
    url: '/notes/x',
    told: undefined,
  },
  {
    title: 'a key of the session, which there is none of',
    options: { key: (req) => Reflect.get(req, 'user') as undefined },
    mount: '/api',
    route: '/me',
    url: '/api/me',
    told: undefined,
  },
  {
    title: 'a parameter that may be left out, with a key in its place',
    options: { key: (req) => req.params.other ?? 'first' },
    route: '/notes/:id',
    url: '/notes/1',
    told: undefined,
  },
  { title: 'a route without parameters', options: {}, route: '/notes', url: '/notes', told: undefined },
];

describe.each(frameworks)('a target that is not found, over %s', (_name, express) => {
  async function toldOf({ options, stored = '1', mount, mergeParams = false, route, url }: Row) {
    const store = new MemoryStore();
    await store.replace(stored, null, {});
    const app = express();
    const routes = mount === undefined ? app : express.Router({ mergeParams });
    addRoute(routes, route, store, options);
    if (mount !== undefined) app.use(mount, routes);
    return warningsOf(app, url);
  }

  function addRoute(
    routes: IRouter,
    route: string,
    store: MemoryStore,
    options: PatchHandlerOptions<unknown>,
  ): void {
    routes.patch(route, patchHandler(store, [mergePatch()], options));
  }

  /** Two requests: what each shows is told once. */
  async function warningsOf(app: ReturnType<ExpressModule>, url: string): Promise<unknown[]> {
    const warn = jest.spyOn(process, 'emitWarning').mockReturnValue();
    for (let sent = 0; sent < 2; sent += 1) {
      const { body } = await supertest(app)
        .patch(url)
        .set('Content-Type', 'application/merge-patch+json')
        .send('{"a":1}')
        .expect(404);
      expect(body).toMatchObject({ code: 'target-not-found' });
    }
    await passed(10);
    const calls = [...warn.mock.calls];
    warn.mockRestore();
    return calls;
  }

  test.each(rows)('$title', async (row) => {
    const expected = [[expect.stringContaining(row.told ?? ''), { code: 'PATCH_OPTIONS_KEY' }]];
    expect(await toldOf(row)).toEqual(row.told === undefined ? [] : expected);
  });

  test.each(['get', 'put', 'delete'] as const)('%s of a resource tells it, too', async (method) => {
    const store = new MemoryStore();
    await store.replace('1', null, {});
    const note = resource(store, [mergePatch()]);
    const app = express();
    app[method]('/notes/:id', note[method]);
    const warn = jest.spyOn(process, 'emitWarning').mockReturnValue();
    await supertest(app)[method]('/notes/1').set('Content-Type', 'application/json').expect(404);
    await passed(10);
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/^resource\(\): the store has no resource/), { code: 'PATCH_OPTIONS_KEY' }],
    ]);
    warn.mockRestore();
  });

  test.each([
    { title: 'a key, with the request, which names the tenant', url: '/notes/1', asked: [['1', true]] },
    { title: 'no list, as wildcards give', url: '/notes/list', asked: [] },
    { title: 'no text that stores cannot hold', url: '/notes/%00', asked: [] },
  ])('the store is asked for $title', async ({ url, asked }) => {
    const store = new MemoryStore();
    const get = jest.spyOn(store, 'get');
    const app = express();
    const asWildcard: RequestHandler<Record<string, unknown>> = (req, _res, next) => {
      if (req.params['id'] === 'list') req.params['id'] = ['a', 'b'];
      next();
    };
    app.get('/notes/:id', asWildcard, resource(store, [mergePatch()]).get);
    await supertest(app).get(url).expect(404);
    await passed(10);
    const besidesPath = get.mock.calls.filter(([key]) => key !== url);
    expect(besidesPath.map(([key, context]) => [key, context?.request?.originalUrl === url])).toEqual(asked);
  });

  test('it looks ten times at most, and what the store or the key throws then is nobody’s concern', async () => {
    const store = new MemoryStore();
    const get = jest.spyOn(store, 'get').mockImplementation((key) => {
      if (key === '1') throw new Error('out of order');
      return Promise.resolve(undefined);
    });
    const app = express();
    app.get('/notes/:id', resource(store, [mergePatch()]).get);
    const warn = jest.spyOn(process, 'emitWarning').mockReturnValue();
    for (let sent = 0; sent < 15; sent += 1) await supertest(app).get('/notes/1').expect(404);
    await passed(10);
    expect(get.mock.calls.filter(([key]) => key === '1')).toHaveLength(10);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });
});
