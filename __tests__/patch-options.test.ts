import { createServer } from 'node:http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import supertest from 'supertest';
import { jsonPatch } from '../lib/patch/formats/json-patch';
import { mergePatch } from '../lib/patch/formats/merge-patch';
import { patchHandler } from '../lib/patch/patch-handler';
import type * as Bundle from '../lib/patch-options';
import { patchOptions, type PatchOptions } from '../lib/patch-options';
import { resource } from '../lib/patch/resource/resource';
import { MemoryStore } from '../lib/stores/memory/memory-store';
import { frameworks, type ExpressModule } from './support/frameworks';
import { inheritedOptions, inheritedPolicies } from './support/inherited-options';
import { mistakesOf } from './support/mistakes-of';
import { serving } from './support/serving';

const origin = 'https://app.example';
const preflight = { Origin: origin, 'Access-Control-Request-Method': 'PATCH' };
const login: RequestHandler = (req, res, next) => {
  if (req.get('Authorization') === 'Bearer me') next();
  else res.status(401).end();
};

/** An error handler to Express, which calls it for no request. */
const onlyErrors: ErrorRequestHandler = (error, _req, _res, next) => {
  next(error);
};

async function noted() {
  const store = new MemoryStore();
  await store.replace('1', null, { title: 'Buy milk' });
  return { store, patch: patchHandler(store, [jsonPatch(), mergePatch()], { key: (req) => req.params.id }) };
}

function host(express: ExpressModule, options: PatchOptions) {
  const app = express();
  app.use(patchOptions(options));
  app.use(login);
  app.get('/notes/:id', (_req, res) => void res.json({}));
  return app;
}

describe.each(frameworks)('patchOptions (%s)', (_name, express) => {
  test('without cors there is no CORS at all', async () => {
    await serving(host(express, {}), async (server) => {
      const answer = await supertest(server).options('/notes/1').set(preflight).expect(200);
      expect(answer.get('Allow')).toBe('GET, HEAD, OPTIONS');
      expect(Object.keys(answer.headers).filter((name) => /^access-control-|^vary$/.test(name))).toEqual([]);
    });
  });

  test('with cors, preflights and OPTIONS are answered before your app’s authentication', async () => {
    await serving(host(express, { cors: { origin } }), async (server) => {
      await supertest(server)
        .options('/notes/1')
        .set(preflight)
        .expect('Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS');
      await supertest(server).options('/notes/1').expect(200).expect('Allow', 'GET, HEAD, OPTIONS');
      await supertest(server)
        .get('/notes/1')
        .set('Origin', origin)
        .expect(401)
        .expect('Access-Control-Allow-Origin', origin);
    });
  });

  test.each(inheritedPolicies)('a policy that is $what keeps its origin', async ({ cors }) => {
    await serving(host(express, { cors }), async (server) => {
      await supertest(server)
        .options('/notes/1')
        .set(preflight)
        .expect('Access-Control-Allow-Origin', origin);
      const other = { ...preflight, Origin: 'https://other.example' };
      await supertest(server).options('/notes/1').set(other).expect(403);
    });
  });

  test.each(inheritedOptions)('options that are $what keep cors and body', async ({ options }) => {
    await serving(host(express, options), async (server) => {
      await supertest(server)
        .options('/notes/1')
        .set('Origin', origin)
        .expect('Access-Control-Allow-Origin', origin)
        .expect('"the body"');
    });
  });

  test('cors.root that is undefined leaves the root beside it', async () => {
    const root = express.Router();
    root.get('/notes/:id', (_req, res) => void res.end());
    const front = patchOptions({ root, cors: { root: undefined, origin } });
    const server = createServer((req, res) => {
      front(req, res, () => res.writeHead(404).end());
    });
    await supertest(server)
      .options('/notes/1')
      .set(preflight)
      .expect('Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS');
  });

  test.each([
    { how: 'alone', options: {} },
    { how: 'with resources', options: { resources: {} } },
  ])('the target is found in an app that another calls under a prefix, $how', async ({ options }) => {
    const inner = express().use(patchOptions({ cors: { origin }, ...options }));
    inner.get('/notes/:id', (_req, res) => void res.end());
    const outer = express().use('/api', (req, res, next) => {
      inner(req, res, next);
    });
    await serving(outer, async (server) => {
      await supertest(server).options('/api/notes/1').expect(200).expect('Allow', 'GET, HEAD, OPTIONS');
      await supertest(server)
        .options('/api/notes/1')
        .set(preflight)
        .expect('Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS');
    });
  });

  describe('resources', () => {
    test('PATCH is answered behind its guard, and is part of every answer about the target', async () => {
      const { store, patch } = await noted();
      const options = { cors: { origin }, resources: { '/notes/:id': { guard: login, patch } } };
      await serving(host(express, options), async (server) => {
        const request = supertest(server).patch('/notes/1').type('application/merge-patch+json');
        await request.send('{"title":"x"}').expect(401);
        await supertest(server)
          .options('/notes/1')
          .expect('Allow', 'GET, HEAD, OPTIONS, PATCH')
          .expect('Accept-Patch', 'application/json-patch+json, application/merge-patch+json');
        await supertest(server)
          .options('/notes/1')
          .set(preflight)
          .expect('Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS, PATCH');
        await supertest(server)
          .patch('/notes/1')
          .set('Authorization', 'Bearer me')
          .type('application/merge-patch+json')
          .send('{"title":"Buy bread"}')
          .expect(204);
      });
      expect((await store.get('1'))?.value).toEqual({ title: 'Buy bread' });
    });

    test('several guards run in turn, and none where that is said', async () => {
      const { patch } = await noted();
      const seen: string[] = [];
      const see =
        (name: string): RequestHandler =>
        (_req, _res, next) => {
          seen.push(name);
          next();
        };
      const resources = {
        '/notes/:id': { guard: [see('first'), see('second')], patch },
        '/open/:id': { guard: 'none', patch },
      } as const;
      await serving(host(express, { resources }), async (server) => {
        for (const path of ['/notes/1', '/open/1']) {
          await supertest(server).patch(path).type('application/merge-patch+json').send('{}').expect(204);
        }
      });
      expect(seen).toEqual(['first', 'second']);
    });

    test('your app’s own OPTIONS handler for such a target wins', async () => {
      const { patch } = await noted();
      const app = express();
      app.use(patchOptions({ resources: { '/notes/:id': { guard: 'none', patch } } }));
      app.options('/notes/:id', (_req, res) => void res.set('X-Mine', 'yes').status(204).end());
      await serving(app, (server) =>
        supertest(server).options('/notes/1').expect(204).expect('X-Mine', 'yes'),
      );
    });

    test('the parameters of the mount path are those of the guard and of the key, too', async () => {
      const store = new MemoryStore();
      for (const tenant of ['a', 'b']) await store.replace(`${tenant}/1`, null, { of: tenant });
      const note = resource(store, [mergePatch()], {
        key: ({ params }) => `${String(params['tenant'])}/${String(params['id'])}`,
      });
      const ownTenant: RequestHandler = (req, res, next) => {
        if (req.get('Authorization') === req.params['tenant']) next();
        else res.sendStatus(403);
      };
      const app = express();
      app.use('/:tenant', patchOptions({ resources: { '/notes/:id': { guard: ownTenant, ...note } } }));
      await serving(app, async (server) => {
        await supertest(server).get('/a/notes/1').set('Authorization', 'a').expect(200, { of: 'a' });
        await supertest(server).get('/b/notes/1').set('Authorization', 'a').expect(403);
        await supertest(server).delete('/b/notes/1').set('Authorization', 'b').expect(204);
      });
      expect(await store.get('a/1')).toBeDefined();
      expect(await store.get('b/1')).toBeUndefined();
    });

    test('a target of which only the PATCH is known', async () => {
      const { patch } = await noted();
      const app = express().use(patchOptions({ resources: { '/notes/:id': { guard: 'none', patch } } }));
      await serving(app, async (server) => {
        await supertest(server).options('/notes/1').expect(200).expect('Allow', 'OPTIONS, PATCH');
        await supertest(server).options('/other').expect(404);
        await supertest(server).get('/notes/1').expect(404);
      });
    });
  });
});

describe('Mistakes are told when it is made', () => {
  const patch = patchHandler(new MemoryStore(), [mergePatch()]);
  const fixesOf = (options: object | null): string[] =>
    mistakesOf(() => Reflect.apply(patchOptions, undefined, [options])).map(
      ({ option, fix }) => `${option}: ${fix}`,
    );

  test.each([
    {
      options: { resources: { '/a': { patch } } },
      expected: `resources["/a"].guard: Pass the middlewares that run before its methods, such as authentication, or write 'none'.`,
    },
    {
      options: { resources: { '/a': { guard: [], patch } } },
      expected: `resources["/a"].guard: Pass the middlewares that run before its methods, such as authentication, or write 'none'.`,
    },
    {
      options: { resources: { '/a': { guard: 'none' } } },
      expected:
        'resources["/a"]: Pass { guard, patch: patchHandler(store, parsers) }, or { guard, ...resource(store, parsers) }.',
    },
    {
      options: { resources: { '/a': { guard: 'none', patch, key: 1 } } },
      expected: 'resources["/a"].key: The options are guard, get, put, patch, delete.',
    },
    {
      options: { resources: { '/a': { guard: onlyErrors, patch } } },
      expected: 'resources["/a"].guard: Pass a middleware (req, res, next).',
    },
    {
      options: { resources: { '/a': { guard: [login, onlyErrors], patch } } },
      expected: 'resources["/a"].guard[1]: Pass a middleware (req, res, next).',
    },
    {
      options: { resources: { '/a': { guard: login, patch: onlyErrors } } },
      expected: 'resources["/a"].patch: Pass a middleware (req, res, next).',
    },
    {
      options: { allowedHeaders: [] },
      expected: 'allowedHeaders: It is an option of cors: write cors: { allowedHeaders: … }.',
    },
    { options: { resource: {} }, expected: "resource: Did you mean 'resources'?" },
    { options: { status: 201 }, expected: 'status: Write 204 for an answer without content, 200 otherwise.' },
    {
      options: { cors: false },
      expected: expect.stringMatching(/^cors: Write \{ origin: … \}\. In place of/),
    },
    { options: { cors: [] }, expected: expect.stringMatching(/^cors: Write \{ origin: … \}\. In place of/) },
    {
      options: { cors: new Map() },
      expected: expect.stringMatching(/^cors: Write \{ origin: … \}\. In place of/),
    },
    {
      options: { root: 5, cors: {} },
      expected: expect.stringMatching(/^root: Pass the app or router that the server calls/),
    },
    {
      options: { cors: { root: 5 } },
      expected: expect.stringMatching(/^cors\.root: Pass the app or router that the server calls/),
    },
    {
      options: { resources: null },
      expected: "resources: Pass { '/path/:id': { guard, patch } }, or leave it out.",
    },
    {
      options: { resources: [] },
      expected: "resources: Pass { '/path/:id': { guard, patch } }, or leave it out.",
    },
    {
      options: { resources: new Map() },
      expected: "resources: Pass { '/path/:id': { guard, patch } }, or leave it out.",
    },
    {
      options: { resources: new Set() },
      expected: "resources: Pass { '/path/:id': { guard, patch } }, or leave it out.",
    },
    {
      options: { resources: { '/a': null } },
      expected: 'resources["/a"]: The options are guard, get, put, patch, delete.',
    },
    {
      options: { resources: { '/a': [] } },
      expected: 'resources["/a"]: The options are guard, get, put, patch, delete.',
    },
    {
      options: { resources: { '/a/*': { guard: 'none', patch } } },
      expected:
        'resources["/a/*"]: Express reports: Missing parameter name at index 4: /a/*; visit https://git.new/pathToRegexpError for info.',
    },
    {
      options: { resources: { 'a/:id': { guard: 'none', patch } } },
      expected: `resources["a/:id"]: Write '/a/:id'.`,
    },
    {
      options: { resources: { ':id': { guard: 'none', patch } } },
      expected: `resources[":id"]: Write '/:id'.`,
    },
    { options: [], expected: 'options: The options are cors, root, body, status, errors, resources.' },
    {
      options: new Set(),
      expected: 'options: The options are cors, root, body, status, errors, resources.',
    },
    { options: null, expected: 'options: The options are cors, root, body, status, errors, resources.' },
  ])('$expected, not $options', ({ options, expected }) => {
    expect(fixesOf(options)).toEqual([expected]);
  });

  test('all at once', () => {
    const fixes = fixesOf({ status: 201, cors: { origin: 'x/' }, resources: { '/a': {} }, more: 1 });
    expect(fixes.map((fix) => fix.replace(/:.*/, ''))).toEqual([
      'more',
      'status',
      'cors.origin',
      'resources["/a"].guard',
      'resources["/a"]',
    ]);
  });
});

test.each([
  { module: 'express', paths: ['{/a}/b', '/*any', '{*any}', ''] },
  { module: 'express4', paths: ['a?/b', '/*', '*', '', '(/a)?/b', ':a?/b', 'a|/b'] },
])('paths that $module has without a slash first, or with a wildcard of its own', ({ module, paths }) => {
  const resource = { guard: 'none', patch: patchHandler(new MemoryStore(), [mergePatch()]) } as const;
  jest.isolateModules(() => {
    jest.doMock('express', () => jest.requireActual<object>(module));
    const isolated = jest.requireActual<typeof Bundle>('../lib/patch-options');
    const resources = Object.fromEntries(paths.map((path) => [path, resource]));
    expect(() => isolated.patchOptions({ resources })).not.toThrow();
  });
});

test('Express is loaded only where resources are given', () => {
  jest.isolateModules(() => {
    jest.doMock('express', () => {
      throw new Error('Cannot find module express');
    });
    const isolated = jest.requireActual<typeof Bundle>('../lib/patch-options');
    expect(() => isolated.patchOptions({ cors: {} })).not.toThrow();
    expect(() => isolated.patchOptions({ resources: {} })).toThrow(
      'patchOptions() received invalid options:\n  resources: an object needs Express, which is not installed. Run npm install express. [express-missing]',
    );
  });
});
