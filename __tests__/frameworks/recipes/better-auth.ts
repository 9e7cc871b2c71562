import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { toNodeHandler } from 'better-auth/node';
import { randomUUID } from 'node:crypto';
import express from 'express';
import type { Server } from 'node:http';
import { declareMethods, methodNotAllowed, patchOptions } from 'patch-options';

const database = memoryAdapter({ user: [], session: [], account: [], verification: [] });
const settings = {
  database,
  secret: randomUUID(),
  baseURL: 'http://localhost',
  emailAndPassword: { enabled: true },
};

export function start(port: number): Server {
  // docs: better-auth
  const origin = 'https://app.example';
  const auth = betterAuth({ ...settings, trustedOrigins: [origin] });
  const app = express();

  app.use(patchOptions({ cors: { origin, credentials: true } }));
  app.all('/api/auth/*splat', declareMethods(['GET', 'POST'], toNodeHandler(auth)));
  app.use(methodNotAllowed());
  // end
  return app.listen(port);
}
