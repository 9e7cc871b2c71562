import { createRequestHandler } from '@react-router/express';
import express from 'express';
import type { Server } from 'node:http';
import { patchOptions } from 'patch-options';
import type { ServerBuild } from 'react-router';

/** What its compiler writes to build/server/index.js, of a resource route. */
export const build = {
  entry: { module: { default: () => new Response() } },
  routes: {
    root: { id: 'root', path: '', module: { default: () => null } },
    note: {
      id: 'note',
      parentId: 'root',
      path: 'notes/:id',
      module: {
        loader: () => Response.json({}),
        action: ({ request }: { readonly request: Request }) =>
          request.method === 'PATCH' ? Response.json({}) : new Response(null, { status: 405 }),
      },
    },
  },
  assets: { entry: { module: '', imports: [] }, routes: {}, url: '', version: '1' },
  publicPath: '/',
  assetsBuildDirectory: '',
  future: {},
  ssr: true,
  isSpaMode: false,
  prerender: [],
  routeDiscovery: { mode: 'initial' },
} as unknown as ServerBuild;

export function start(port: number): Server {
  // docs: React Router
  const app = express();

  // It finds its routes itself: a loader answers GET and HEAD, an action the other methods.
  const unseen = ['GET', 'HEAD', 'PATCH'];
  app.use(patchOptions({ cors: { origin: 'https://app.example', unseen } }));
  app.use(createRequestHandler({ build }));
  // end
  return app.listen(port);
}
