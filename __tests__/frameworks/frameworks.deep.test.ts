/**
 * Each recipe of docs/frameworks.md as it is, and with the library left out: what differs, and whether Allow is true.
 *
 * @jest-environment ./__tests__/frameworks/support/environment.mjs
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import * as graphql from 'graphql';
import { io } from 'socket.io-client';
import { portOf } from '../support/serving';
import { type Answer, exchange, type Fields } from './support/exchange';
import { libraryLeftOut } from './support/library-left-out';
import { loadByNode } from './support/load-by-node';

interface Recipe {
  readonly start: (port: number) => Server | Promise<Server>;
}

interface Row {
  readonly name: string;
  readonly load: () => Promise<Recipe>;
  readonly fields?: Fields;
  /** Requests change what later ones are answered: each gets a server of its own. */
  readonly changes?: true;
  /** What Allow lists by path; undefined: OPTIONS is answered as without the library. */
  readonly targets: Readonly<Record<string, string | undefined>>;
  /** Methods in Allow that are answered 404 all the same, by the app: nothing is there. */
  readonly absent?: Readonly<Record<string, readonly string[]>>;
  /** Methods that a route for all verbs takes beside the eight that Allow names for it. */
  readonly beyond?: Readonly<Record<string, readonly string[]>>;
}

const rows: readonly Row[] = [
  {
    name: 'NestJS 11',
    load: () => import('./recipes/nest'),
    targets: {
      '/cats': 'GET, HEAD, OPTIONS, POST',
      '/cats/1': 'DELETE, GET, HEAD, OPTIONS, PATCH',
      '/cats/any': 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT, QUERY',
      '/': undefined,
      '/dogs': undefined,
    },
    absent: { '/cats/1': ['DELETE'] },
    beyond: { '/cats/any': ['PROPFIND'] },
  },
  {
    name: 'NestJS 11, its server',
    load: async () => ({ start: (await import('./recipes/nest')).startAttached }),
    targets: {
      '/cats': 'GET, HEAD, OPTIONS, POST',
      '/cats/1': 'DELETE, GET, HEAD, OPTIONS, PATCH',
      '/dogs': undefined,
    },
    absent: { '/cats/1': ['DELETE'] },
  },
  {
    name: 'json-server',
    load: () => import('./recipes/json-server'),
    changes: true,
    targets: {
      '/posts': 'GET, HEAD, OPTIONS, POST',
      '/posts/1': 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT',
      '/profile': 'GET, HEAD, OPTIONS, PATCH, POST, PUT',
      '/nowhere': undefined,
    },
  },
  {
    name: 'Feathers 5',
    load: () => import('./recipes/feathers'),
    targets: {
      '/messages': 'DELETE, GET, HEAD, OPTIONS, PATCH, POST',
      '/messages/1': 'DELETE, GET, HEAD, OPTIONS, PATCH, POST',
      '/nowhere': undefined,
    },
  },
  {
    name: 'graphql-http',
    load: () => import('./recipes/graphql'),
    targets: { '/graphql': 'GET, OPTIONS, POST', '/nowhere': undefined },
  },
  {
    name: 'Apollo Server 5',
    load: () => {
      // Apollo loads parts of it later, and takes no other instance.
      jest.doMock('graphql', () => graphql);
      return import('./recipes/apollo');
    },
    targets: { '/graphql': 'GET, HEAD, OPTIONS, POST', '/nowhere': undefined },
  },
  {
    name: 'tRPC 11',
    load: () => import('./recipes/trpc'),
    targets: { '/trpc/hello': undefined, '/nowhere': undefined },
  },
  {
    name: 'MCP SDK 1',
    load: () => import('./recipes/mcp'),
    targets: { '/mcp': 'DELETE, GET, OPTIONS, POST', '/nowhere': undefined },
  },
  {
    name: 'MCP SDK 2',
    load: () => import('./recipes/mcp-2'),
    targets: { '/mcp': 'OPTIONS, POST', '/nowhere': undefined },
  },
  {
    name: 'better-auth',
    load: () => {
      loadByNode('better-auth', 'better-auth/adapters/memory', 'better-auth/node');
      return import('./recipes/better-auth');
    },
    targets: { '/api/auth/ok': 'GET, OPTIONS, POST', '/nowhere': undefined },
    absent: { '/api/auth/ok': ['POST'] },
  },
  {
    name: 'Next 16',
    load: () => {
      loadByNode('next');
      return import('./recipes/next');
    },
    targets: { '/notes/1': 'OPTIONS, PATCH', '/api/notes/1': undefined, '/nowhere': undefined },
  },
  {
    name: 'Vite 8',
    load: () => {
      loadByNode('vite');
      return import('./recipes/vite');
    },
    targets: {
      '/notes/1': 'OPTIONS, PATCH',
      '/pages/a': 'GET, HEAD, OPTIONS',
      '/entry-server.js': undefined,
      '/nowhere': undefined,
    },
  },
  {
    name: 'React Router 7',
    load: () => {
      loadByNode('@react-router/express');
      return import('./recipes/react-router');
    },
    targets: { '/notes/1': undefined, '/nowhere': undefined },
  },
  {
    name: 'serverless-http 4',
    load: () => import('./recipes/lambda'),
    targets: { '/notes/1': 'OPTIONS, PATCH', '/nowhere': undefined },
  },
  {
    name: 'Firebase functions 7',
    load: () => import('./recipes/firebase'),
    targets: { '/notes/1': 'OPTIONS, PATCH', '/nowhere': undefined },
  },
  {
    name: 'health checks',
    load: () => import('./recipes/health-check'),
    targets: { '/': undefined, '/nowhere': undefined },
  },
  {
    name: 'WebDAV',
    load: () => import('./recipes/webdav'),
    targets: { '/dav/notes': 'GET, HEAD, OPTIONS, PROPFIND, PUT', '/nowhere': undefined },
  },
  {
    name: 'http-proxy-middleware',
    load: () => import('./recipes/proxy'),
    targets: { '/api/items': 'GET, HEAD, OPTIONS', '/api/items/1': 'OPTIONS, PUT', '/nowhere': undefined },
  },
  {
    name: 'npm cors replaced, where routes cannot be seen',
    load: () => import('./recipes/fallback-methods'),
    targets: { '/files/nest.ts': undefined, '/files/nowhere': undefined, '/nowhere': undefined },
  },
  {
    name: 'vhost',
    load: () => import('./recipes/vhost'),
    fields: { host: 'api.example' },
    targets: { '/cats': 'GET, HEAD, OPTIONS', '/about': undefined, '/nowhere': undefined },
  },
  {
    name: 'usual middlewares and socket.io',
    load: () => import('./recipes/usual-middlewares'),
    fields: { authorization: 'Bearer secret' },
    targets: {
      '/': 'GET, HEAD, OPTIONS',
      '/files': 'OPTIONS, POST',
      '/me': 'GET, HEAD, OPTIONS, PATCH',
      '/static/vhost.ts': undefined,
      '/nowhere': undefined,
      '/socket.io/?EIO=4&transport=polling': undefined,
    },
  },
];

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'];
const origin = 'https://app.example';

describe.each(rows)('$name', ({ load, fields = {}, changes, targets, absent = {}, beyond = {} }) => {
  const servers: Server[] = [];
  let starts: readonly Recipe['start'][] = [];
  let running: readonly Server[] = [];
  const warnings: unknown[] = [];

  async function startOf(start: Recipe['start']): Promise<Server> {
    const server = await start(0);
    if (!server.listening) await once(server, 'listening');
    servers.push(server);
    return server;
  }

  /** The answers without the library, and with it. */
  async function both(method: string, path: string, more: Fields = {}): Promise<readonly Answer[]> {
    const asked = changes === undefined ? running : await Promise.all(starts.map(startOf));
    return Promise.all(asked.map((server) => exchange(portOf(server), method, path, { ...fields, ...more })));
  }

  beforeAll(async () => {
    jest.spyOn(process, 'emitWarning').mockImplementation((...given: unknown[]) => void warnings.push(given));
    const loaded: Recipe[] = [];
    await jest.isolateModulesAsync(async () => {
      jest.doMock('patch-options', () => libraryLeftOut);
      loaded.push(await load());
      jest.dontMock('patch-options');
    });
    await jest.isolateModulesAsync(async () => {
      loaded.push(await load());
    });
    starts = loaded.map(({ start }) => start);
    running = await Promise.all(starts.map(startOf));
  });

  afterAll(() => {
    jest.restoreAllMocks();
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  });

  describe.each(Object.entries(targets))('%s', (path, allow) => {
    test.each(methods)('%s: only a right 405 differs', async (method) => {
      const [without, withIt] = (await both(method, path)) as [Answer, Answer];
      if (withIt.status === 405 && without.status !== 405) {
        expect(without.status).toBe(404);
        expect(withIt.headers.allow).toBe(allow);
        expect(allow?.split(', ')).not.toContain(method);
      } else {
        // A cache is told that CORS fields depend on Origin.
        const vary = [without.headers.vary, 'Origin'].filter((name) => name !== undefined).join(', ');
        expect(withIt).toEqual({ ...without, headers: { ...without.headers, vary } });
      }
    });

    test.each(methods)('%s: Allow says whether it is answered', async (method) => {
      if (allow === undefined) return;
      const [without] = (await both(method, path)) as [Answer, Answer];
      const answered = ![404, 405].includes(without.status) || absent[path]?.includes(method) === true;
      const listed = [...allow.split(', '), ...(beyond[path] ?? [])];
      expect([method, answered]).toEqual([method, listed.includes(method)]);
    });

    test('OPTIONS', async () => {
      const [without, withIt] = (await both('OPTIONS', path)) as [Answer, Answer];
      if (allow === undefined) expect(withIt.status).toBe(without.status);
      else expect([withIt.status, withIt.headers.allow]).toEqual([200, allow]);
    });

    test('a preflight, and the CORS fields of what follows it', async () => {
      const [first = 'GET'] = allow?.split(', ').filter((method) => method !== 'OPTIONS') ?? [];
      const asking = { origin, 'access-control-request-method': first };
      const [, preflight] = (await both('OPTIONS', path, asking)) as [Answer, Answer];
      if (allow !== undefined) {
        expect(preflight.status).toBeLessThan(300);
        expect(preflight.headers['access-control-allow-methods']).toBe(allow);
      }
      const [without, withIt] = (await both(first, path, { origin })) as [Answer, Answer];
      expect(without.headers).not.toHaveProperty('access-control-allow-origin');
      if (allow !== undefined || path === '/nowhere') {
        expect(withIt.headers['access-control-allow-origin']).toBe(origin);
      }
      expect(withIt.status).toBe(without.status);
    });
  });

  test('the process is not warned', () => {
    expect(warnings).toEqual([]);
  });
});

const left: Server[] = [];

afterAll(() => {
  for (const server of left) {
    server.close();
    server.closeAllConnections();
  }
});

test('with fallbackMethods a preflight for a file goes well, and the file can be read', async () => {
  const { start } = await import('./recipes/fallback-methods');
  const server = start(0);
  left.push(server);
  await once(server, 'listening');
  for (const path of ['/files/nest.ts', '/files/nowhere']) {
    const asking = { origin, 'access-control-request-method': 'GET' };
    const { status, headers } = await exchange(portOf(server), 'OPTIONS', path, asking);
    expect([status, headers['access-control-allow-methods']]).toEqual([200, 'GET, HEAD']);
    const actual = await exchange(portOf(server), 'GET', path, { origin });
    expect(actual.headers['access-control-allow-origin']).toBe(origin);
  }
});

test('socket.io serves its clients behind attach()', async () => {
  const { start } = await import('./recipes/usual-middlewares');
  const server = start(0);
  left.push(server);
  await once(server, 'listening');
  for (const transports of [['polling'], ['websocket']]) {
    const client = io(`http://127.0.0.1:${portOf(server)}`, { transports, reconnection: false });
    await new Promise<void>((resolve, reject) => {
      client.on('connect', resolve);
      client.on('connect_error', reject);
    });
    expect(client.connected).toBe(true);
    client.close();
  }
});
