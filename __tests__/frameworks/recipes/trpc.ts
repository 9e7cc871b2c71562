import { initTRPC } from '@trpc/server';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import express from 'express';
import type { Server } from 'node:http';
import { patchOptions } from 'patch-options';

export function start(port: number): Server {
  // docs: tRPC
  const t = initTRPC.create({ isDev: false });
  const router = t.router({ hello: t.procedure.query(() => 'Hello') });
  const app = express();

  // It finds its procedures itself: GET for queries, POST for mutations, 405 for the other.
  app.use(patchOptions({ cors: { origin: 'https://app.example', fallbackMethods: ['GET', 'POST'] } }));
  app.use('/trpc', createExpressMiddleware({ router }));
  // end
  return app.listen(port);
}
