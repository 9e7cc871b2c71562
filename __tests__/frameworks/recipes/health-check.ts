import express from 'express';
import type { Server } from 'node:http';
import { patchOptions } from 'patch-options';

export function start(port: number): Server {
  // docs: Health checks
  const app = express();

  app.use(patchOptions({ cors: { origin: 'https://app.example' } }));
  // For a load balancer that sends OPTIONS /, where no other route matches the path.
  app.options('/', (_req, res) => void res.sendStatus(200));
  // end
  return app.listen(port);
}
