import type { Handler } from 'express';
import { ConfigurationError } from '../../lib/config/options-check';
import { declareRoutes } from '../../lib/express/declare-routes';
import { methodNotAllowed } from '../../lib/allow/method-not-allowed';
import { optionsHandler } from '../../lib/allow/options-handler';
import { flavours } from '../routes/flavours';
import type { Buildable } from '../routes/route-trees';
import { mistakesOf } from '../support/mistakes-of';
import { allowOf } from '../support/allow-of';

const own: Handler = (_req, res) => {
  res.setHeader('handler', 'own');
  res.end();
};
const plain = { app: false, caseSensitive: false, strict: false, mergeParams: false, steps: [] };

describe.each(flavours)('declareRoutes on $name', ({ router, app }) => {
  /** Our handler, what is built, and the 405. */
  function built(build: (root: Buildable) => unknown): Buildable {
    const root = (app === undefined ? router(plain) : app()) as Buildable;
    const options = app === undefined ? { root } : {};
    root.use(optionsHandler(options));
    build(root);
    root.use(methodNotAllowed(options));
    return root;
  }
  const nested = () => router(plain) as Buildable;

  const routes = {
    '/messages': ['GET', 'HEAD', 'POST'],
    '/messages/:id': ['GET', 'PATCH'],
    '/messages/:id/likes/': ['PUT'],
    '/files/*path': ['GET'],
    '/v1.0/$metadata': ['GET'],
    '/': ['DELETE'],
  };

  it.each([
    { path: '/messages', allow: '200 GET, HEAD, OPTIONS, POST' },
    { path: '/messages?page=2', allow: '200 GET, HEAD, OPTIONS, POST' },
    { path: '/messages/7', allow: '200 GET, OPTIONS, PATCH' },
    { path: '/Messages/7/', allow: '200 GET, OPTIONS, PATCH' },
    { path: '/messages/7/likes', allow: '200 OPTIONS, PUT' },
    { path: '/messages/7/likes/', allow: '200 OPTIONS, PUT' },
    { path: '/messages/%zz', allow: '200 GET, OPTIONS, PATCH' },
    { path: '/files/a/b.txt', allow: '200 GET, OPTIONS' },
    { path: '/files', allow: '404' },
    { path: '/files/', allow: '404' },
    { path: '/v1.0/$metadata', allow: '200 GET, OPTIONS' },
    { path: '/v1x0/$metadata', allow: '404' },
    { path: '/messages/7/8', allow: '404' },
    { path: '/', allow: '200 DELETE, OPTIONS' },
  ])('OPTIONS $path: $allow', async ({ path, allow }) => {
    expect(
      await allowOf(
        built((root) => root.use(declareRoutes(routes))),
        path,
      ),
    ).toBe(allow);
  });

  it('405 is of the same routes, and HEAD is none where GET is declared', async () => {
    const root = built((outer) => outer.use(declareRoutes(routes)));
    expect(await allowOf(root, '/messages/7', 'DELETE')).toBe('405 GET, OPTIONS, PATCH');
    expect(await allowOf(root, '/messages/7', 'HEAD')).toBe('404');
    expect(await allowOf(root, '/messages/7', 'PATCH')).toBe('404');
  });

  it('every request passes on, one that Express would find malformed too', async () => {
    const root = built((outer) => {
      outer.use(declareRoutes(routes));
      outer.use('/messages', own);
    });
    for (const path of ['/messages/7', '/messages/%zz'])
      for (const method of ['GET', 'DELETE']) expect(await allowOf(root, path, method)).toBe('200 own');
  });

  it('under a path, it is about routes under that path, beside those that can be seen', async () => {
    const root = built((outer) => {
      outer.use('/api', declareRoutes({ '/messages/:id': ['PATCH'], '/': ['GET'] }));
      outer.route('/api/messages/:id')['delete']?.(own);
      const inner = nested();
      inner.use(declareRoutes({ '/:id': ['GET'] }));
      outer.use('/users', inner);
    });
    expect(await allowOf(root, '/api/messages/7')).toBe('200 DELETE, OPTIONS, PATCH');
    expect(await allowOf(root, '/api')).toBe('200 GET, OPTIONS');
    expect(await allowOf(root, '/users/7')).toBe('200 GET, OPTIONS');
    expect(await allowOf(root, '/messages/7')).toBe('404');
  });

  it('a bare wildcard is in Allow, and causes no 405', async () => {
    const root = built((outer) => {
      outer.use(declareRoutes({ '/*any': ['GET'] }));
      outer.route('/notes')['post']?.(own);
    });
    expect(await allowOf(root, '/notes')).toBe('200 GET, OPTIONS, POST');
    expect(await allowOf(root, '/nowhere', 'PUT')).toBe('404');
  });

  it('with OPTIONS, the service answers OPTIONS itself', async () => {
    const root = built((outer) => {
      outer.use(declareRoutes({ '/a': ['GET', 'OPTIONS'] }));
      outer.use('/a', own);
    });
    expect(await allowOf(root, '/a')).toBe('200 own');
  });

  it('in front of a rewriter, it is about the URL as it was', async () => {
    const root = built((outer) => {
      outer.use(declareRoutes({ '/old/:id': ['GET', 'HEAD', 'PUT'] }));
      outer.use((req: { url: string }, _res: unknown, next: () => void) => {
        req.url = req.url.replace('/old', '/new');
        next();
      });
      outer.route('/new/:id')['put']?.(own);
    });
    expect(await allowOf(root, '/old/7')).toBe('200 GET, HEAD, OPTIONS, PUT');
    expect(await allowOf(root, '/old/7', 'PUT')).toBe('200 own');
  });
});

describe('declareRoutes() with routes that cannot be', () => {
  it.each<{ readonly routes: unknown; readonly code: string; readonly message: string }>([
    { routes: undefined, code: 'option-type', message: 'routes: undefined must be an object.' },
    { routes: ['GET'], code: 'option-type', message: "routes: [ 'GET' ] must be an object." },
    { routes: {}, code: 'option-empty', message: 'routes: {} is empty. Pass at least one route' },
    {
      routes: { 'a/:id': ['GET'] },
      code: 'route-path-invalid',
      message: `routes["a/:id"]: 'a/:id' must be a path of whole segments. Write '/a/:id'.`,
    },
    { routes: { '': ['GET'] }, code: 'route-path-invalid', message: "Write '/'." },
    ...[
      '/a/:id?',
      '/a{/:b}',
      '/a/*',
      '/*a/b',
      '/a*b',
      '/a/:id.json',
      '/a//b',
      '/a b',
      '/a?b=c',
      '/(a)',
      '/ä',
    ].map((path) => ({
      routes: { [path]: ['GET'] },
      code: 'route-path-invalid',
      message: 'must be a path of whole segments. Write text and parameters',
    })),
    {
      routes: { '/a': 'GET' },
      code: 'option-type',
      message: `routes["/a"]: 'GET' must be a list of methods. Pass an array such as ['GET', 'PATCH'].`,
    },
    {
      routes: { '/a': [] },
      code: 'option-empty',
      message: `routes["/a"]: [] is empty. Pass at least one method`,
    },
    {
      routes: { '/a': ['get'] },
      code: 'method-case',
      message: `routes["/a"][0]: 'get' must be in upper case. Write 'GET'.`,
    },
    {
      routes: { '/a': ['GET', 'FETCH'] },
      code: 'method-unknown',
      message: `routes["/a"][1]: 'FETCH' is not an HTTP method that Node parses.`,
    },
  ])('$message', ({ routes, code, message }) => {
    const declare = () => declareRoutes(routes as Record<string, string[]>);
    expect(declare).toThrow(ConfigurationError);
    expect(declare).toThrow(message);
    expect(declare).toThrow(
      expect.objectContaining({ mistakes: [expect.objectContaining({ code }) as unknown] }) as Error,
    );
  });

  it('all mistakes at once', () => {
    const make = () => declareRoutes({ a: ['get'], '/b?': [], '/c': [1] as never });
    expect(mistakesOf(make).map(({ code }) => code)).toEqual([
      'route-path-invalid',
      'method-case',
      'route-path-invalid',
      'option-empty',
      'method-unknown',
    ]);
  });

  it('what others put on Object.prototype is no route', () => {
    Object.assign(Object.prototype, { '/polluted': ['GET'] });
    try {
      expect(() => declareRoutes({})).toThrow('routes: {} is empty');
    } finally {
      Reflect.deleteProperty(Object.prototype, '/polluted');
    }
  });
});
