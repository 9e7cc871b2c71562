import type { Server } from 'node:http';
import { join } from 'node:path';
import express from 'express';
import { patchOptions } from 'patch-options';

export function start(port: number): Server {
  const files = join(__dirname, '../recipes');
  // docs: Static files and other routes that cannot be seen
  const app = express();

  app.use(patchOptions({ cors: { origin: 'https://app.example', fallbackMethods: ['GET', 'HEAD'] } }));
  app.use('/files', express.static(files));
  // end
  return app.listen(port);
}
