import type { Server } from 'node:http';
import express from 'express';
import { methodNotAllowed, patchOptions } from 'patch-options';
import vhost from 'vhost';

export function start(port: number): Server {
  // docs: Virtual hosts
  const api = express();
  api.use(patchOptions({ root: api, cors: { origin: 'https://app.example' } }));
  api.get('/cats', (_req, res) => void res.json(['Tom']));
  api.use(methodNotAllowed({ root: api }));

  const site = express();
  site.use(vhost('api.example', api));
  site.get('/about', (_req, res) => void res.send('about'));
  // end
  return site.listen(port);
}
