import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { declareMethods, type Middleware, patchOptions } from 'patch-options';

/** The service behind the proxy. */
async function startService(): Promise<Server> {
  const items = express().use(express.json());
  items.get('/items', (_req, res) => void res.json([1]));
  items.put('/items/:id', (req, res) => void res.json(req.body));
  const server = createServer(items).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

export async function start(port: number): Promise<Server> {
  const service = await startService();
  const target = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  // docs: A proxy
  const app = express();

  app.use(patchOptions({ cors: { origin: 'https://app.example' } }));
  const pass: Middleware = (_req, _res, next) => {
    next();
  };
  app.all('/api/items', declareMethods(['GET', 'HEAD'], pass));
  app.all('/api/items/:id', declareMethods(['PUT'], pass));
  app.use('/api', createProxyMiddleware({ target }));
  // end
  return app.listen(port).on('close', () => {
    service.close();
    service.closeAllConnections();
  });
}
