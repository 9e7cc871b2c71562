/**
 * The recipes of docs/frameworks.md in Chromium: a page of the origin that they allow, a page of another one, and the first page again
 * without the library. `explainCors` says of each what the browser does.
 *
 * @jest-environment ./__tests__/frameworks/support/environment.mjs
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import * as graphql from 'graphql';
import type { explainCors } from 'patch-options/explain';
import { askBoth, PagesOfSites, placeOf, type Asked } from '../explain/same-as-chromium';
import { describeInChromium } from '../support/chromium';
import { libraryLeftOut } from './support/library-left-out';
import { loadByNode } from './support/load-by-node';
import type * as mistakes from './support/mistakes';

interface Recipe {
  readonly start: (port: number) => Server | Promise<Server>;
}

interface Row {
  readonly name: string;
  readonly load: () => Promise<Recipe>;
  readonly asked: Asked;
}

const content = { 'content-type': 'application/json' };
const patch = (path: string): Asked => ({ method: 'PATCH', path, headers: content, body: '{}' });
const post = (path: string, headers = {}): Asked => ({
  method: 'POST',
  path,
  headers: { ...content, ...headers },
  body: '{}',
});

const rows: readonly Row[] = [
  { name: 'Nest', load: () => import('./recipes/nest'), asked: patch('/cats/1') },
  {
    name: 'Nest, its server',
    load: async () => ({ start: (await import('./recipes/nest')).startAttached }),
    asked: patch('/cats/1'),
  },
  { name: 'json-server', load: () => import('./recipes/json-server'), asked: patch('/posts/1') },
  { name: 'Feathers', load: () => import('./recipes/feathers'), asked: patch('/messages/1') },
  { name: 'graphql-http', load: () => import('./recipes/graphql'), asked: post('/graphql') },
  {
    name: 'Apollo',
    load: () => {
      // Apollo loads parts of it later, and takes no other instance.
      jest.doMock('graphql', () => graphql);
      return import('./recipes/apollo');
    },
    asked: post('/graphql', { 'apollo-require-preflight': 'true' }),
  },
  { name: 'tRPC', load: () => import('./recipes/trpc'), asked: post('/trpc/hello') },
  {
    name: 'Next',
    load: () => {
      loadByNode('next');
      return import('./recipes/next');
    },
    asked: patch('/notes/1'),
  },
  {
    name: 'Next, a route handler',
    load: () => {
      loadByNode('next');
      return import('./recipes/next');
    },
    asked: patch('/api/notes/1'),
  },
  {
    name: 'React Router',
    load: () => {
      loadByNode('@react-router/express');
      return import('./recipes/react-router');
    },
    asked: patch('/notes/1'),
  },
  {
    name: 'Vite',
    load: () => {
      loadByNode('vite');
      return import('./recipes/vite');
    },
    asked: patch('/notes/1'),
  },
  {
    name: 'better-auth',
    load: () => {
      loadByNode('better-auth', 'better-auth/adapters/memory', 'better-auth/node');
      return import('./recipes/better-auth');
    },
    asked: { ...post('/api/auth/sign-in/email'), credentials: true },
  },
  {
    name: 'MCP, SDK 1',
    load: () => import('./recipes/mcp'),
    asked: post('/mcp', { 'mcp-session-id': '1' }),
  },
  {
    name: 'MCP, SDK 2',
    load: () => import('./recipes/mcp-2'),
    asked: post('/mcp', { 'mcp-method': 'tools/list' }),
  },
  {
    name: 'health checks',
    load: () => import('./recipes/health-check'),
    asked: { method: 'GET', path: '/' },
  },
  {
    name: 'WebDAV',
    load: () => import('./recipes/webdav'),
    asked: { method: 'PROPFIND', path: '/dav/notes' },
  },
  { name: 'AWS Lambda', load: () => import('./recipes/lambda'), asked: patch('/notes/1') },
  { name: 'Firebase', load: () => import('./recipes/firebase'), asked: patch('/notes/1') },
  {
    name: 'http-proxy-middleware',
    load: () => import('./recipes/proxy'),
    asked: { method: 'PUT', path: '/api/items/1', headers: content, body: '{}' },
  },
  {
    name: 'static files',
    load: () => import('./recipes/unseen'),
    asked: { method: 'GET', path: '/files/nest.ts', headers: { 'if-match': '*' } },
  },
  {
    name: 'usual middlewares and socket.io',
    load: () => import('./recipes/usual-middlewares'),
    asked: {
      ...patch('/me'),
      headers: { ...content, authorization: 'Bearer secret' },
    },
  },
];

interface Mistake {
  readonly start: keyof typeof mistakes;
  readonly from: string;
  readonly asked: Asked;
  readonly code: string;
}

const cookies = { credentials: true } as const;
const app = 'https://app.example';
const mistakeRows: readonly Mistake[] = [
  { start: 'behindNext', from: app, asked: patch('/notes/1'), code: 'cors-no-allow-origin' },
  { start: 'behindNext', from: app, asked: patch('/api/notes/1'), code: 'cors-no-allow-origin' },
  { start: 'withCorsOfVite', from: app, asked: patch('/notes/1'), code: 'cors-no-allow-origin' },
  {
    start: 'withCorsOfVite',
    from: 'http://localhost:5173',
    asked: { ...patch('/notes/1'), ...cookies },
    code: 'cors-credentials-not-allowed',
  },
  { start: 'withoutUnseen', from: app, asked: patch('/notes/1'), code: 'cors-method-not-allowed' },
  { start: 'withCorsOfFirebase', from: app, asked: patch('/notes/1'), code: 'cors-other-origin' },
  { start: 'withoutAllowedOrigins', from: app, asked: patch('/notes/1'), code: 'cors-no-allow-origin' },
  {
    start: 'withoutAllowedHeaders',
    from: app,
    asked: { ...patch('/notes/1'), headers: { 'mcp-session-id': '1' } },
    code: 'cors-header-not-allowed',
  },
  {
    start: 'withoutCredentials',
    from: app,
    asked: { ...patch('/notes/1'), ...cookies },
    code: 'cors-credentials-not-allowed',
  },
];

describeInChromium('recipes', () => {
  const pages = new PagesOfSites();

  beforeAll(async () => {
    jest.spyOn(process, 'emitWarning').mockReturnValue();
    jest.spyOn(console, 'error').mockReturnValue();
    await pages.open();
  });
  afterAll(async () => {
    await pages.close();
    jest.restoreAllMocks();
  });

  const servers: Server[] = [];

  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
  });

  /** Both answers on a server that is started for the question. */
  async function ask(load: () => Promise<Recipe>, asked: Asked, origin: string, isLeftOut = false) {
    let recipe: Recipe | undefined;
    let explain: typeof explainCors | undefined;
    await jest.isolateModulesAsync(async () => {
      if (isLeftOut) jest.doMock('patch-options', () => libraryLeftOut);
      recipe = await load();
      explain = (await import('patch-options/explain')).explainCors;
      jest.dontMock('patch-options');
    });
    if (recipe === undefined || explain === undefined) throw new Error('Nothing was loaded');
    const server = await recipe.start(0);
    if (!server.listening) await once(server, 'listening');
    servers.push(server);
    return askBoth(pages, explain, origin, placeOf(server), asked);
  }

  const refused = { allowed: false };

  test.each(mistakeRows)('$start: $asked.path from $from, $code', async (row) => {
    const { start, from, asked, code } = row;
    const load = async (): Promise<Recipe> => {
      loadByNode('next', 'vite', '@react-router/express');
      return { start: (await import('./support/mistakes'))[start] };
    };
    const answers = await ask(load, asked, from);
    expect(answers.browsed).toMatchObject(refused);
    expect(answers.codes[0]).toBe(code);
    expect(answers.explained).toEqual([answers.browsed, answers.browsed]);
  });

  describe.each(rows)('$name', ({ load, asked }) => {
    test('a page of the allowed origin', async () => {
      const { codes, browsed, explained } = await ask(load, asked, app);
      expect(codes[0]).toBe('cors-allowed');
      expect(explained).toEqual([browsed, browsed]);
    });

    test('a page of another origin', async () => {
      const { browsed, explained } = await ask(load, asked, 'https://other.example');
      expect(browsed).toMatchObject(refused);
      expect(explained).toEqual([browsed, browsed]);
    });

    test('without the library', async () => {
      const { codes, browsed, explained } = await ask(load, asked, app, true);
      expect(codes[0]).toBe('cors-no-allow-origin');
      expect(browsed).toMatchObject(refused);
      expect(explained).toEqual([browsed, browsed]);
    });
  });
});
