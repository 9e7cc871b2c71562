import express from 'express';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { methodNotAllowed, patchOptions } from 'patch-options';
import { createServer } from 'vite';

const root = join(__dirname, '../support/vite-app');

export async function start(port: number): Promise<Server> {
  // docs: Vite
  const vite = await createServer({ root, appType: 'custom', server: { middlewareMode: true, cors: false } });
  const app = express();

  app.use(patchOptions({ cors: { origin: 'https://app.example' } }));
  app.patch('/notes/:id', (req, res) => void res.json({ id: req.params.id }));
  app.use(vite.middlewares);
  app.get('/pages/*page', async (req, res) => {
    const { render } = await vite.ssrLoadModule('/entry-server.js');
    res.send(render(req.path));
  });
  app.use(methodNotAllowed());
  // end
  const server = app.listen(port);
  server.once('close', () => void vite.close());
  return server;
}
