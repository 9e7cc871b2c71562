import { ApolloServer } from '@apollo/server';
import { expressMiddleware } from '@as-integrations/express5';
import express from 'express';
import type { Server } from 'node:http';
import { methodNotAllowed, patchOptions } from 'patch-options';

export async function start(port: number): Promise<Server> {
  // docs: Apollo Server
  const server = new ApolloServer({ typeDefs: 'type Query { hello: String }' });
  await server.start();
  const app = express();

  // In place of cors() in Apollo's own example.
  const allowedHeaders = ['Apollo-Require-Preflight', 'X-Apollo-Operation-Name'];
  app.use(patchOptions({ cors: { origin: 'https://app.example', allowedHeaders } }));
  const graphql = expressMiddleware(server);
  app.route('/graphql').all(express.json()).get(graphql).post(graphql);
  app.use(methodNotAllowed());
  // end
  return app.listen(port);
}
