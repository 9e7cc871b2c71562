import type { Server } from 'node:http';
import express from 'express';
import { buildSchema } from 'graphql';
import { createHandler } from 'graphql-http/lib/use/express';
import { declareMethods, methodNotAllowed, patchOptions } from 'patch-options';

export function start(port: number): Server {
  // docs: GraphQL
  const schema = buildSchema('type Query { hello: String }');
  const app = express();

  app.use(patchOptions({ cors: { origin: 'https://app.example' } }));
  // It answers 405 to all other methods, including HEAD.
  app.all('/graphql', declareMethods(['GET', 'POST'], createHandler({ schema })));
  app.use(methodNotAllowed());
  // end
  return app.listen(port);
}
