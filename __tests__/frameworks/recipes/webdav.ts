import express from 'express';
import type { Server } from 'node:http';
import { declareMethods, type Middleware, patchOptions } from 'patch-options';

/** As a WebDAV server on a mount path does. */
const dav: Middleware = (req, res) => {
  res.statusCode = ['GET', 'HEAD', 'PROPFIND', 'PUT'].includes(req.method ?? '') ? 200 : 405;
  res.end();
};

export function start(port: number): Server {
  // docs: WebDAV
  const app = express();

  // In front, so that the answer to OPTIONS has what clients of WebDAV look for.
  app.use('/dav', (_req, res, next) => {
    res.set({ DAV: '1, 2', 'MS-Author-Via': 'DAV' });
    next();
  });
  app.use(patchOptions({ cors: { origin: 'https://app.example' } }));
  app.use('/dav', declareMethods(['GET', 'HEAD', 'PROPFIND', 'PUT'], dav));
  // end
  return app.listen(port);
}
