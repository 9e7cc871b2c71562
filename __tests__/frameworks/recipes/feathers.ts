import type { Server } from 'node:http';
import express, { errorHandler, json, notFound, rest } from '@feathersjs/express';
import { feathers } from '@feathersjs/feathers';
import { declareMethods, methodNotAllowed, type Middleware, patchOptions } from 'patch-options';

class Messages {
  find(): Promise<string[]> {
    return Promise.resolve(['hello']);
  }

  get(id: string): Promise<object> {
    return Promise.resolve({ id });
  }

  create(data: object): Promise<object> {
    return Promise.resolve(data);
  }

  patch(id: string | null): Promise<object> {
    return Promise.resolve({ id });
  }

  remove(id: string | null): Promise<object> {
    return Promise.resolve({ id });
  }
}

export async function start(port: number): Promise<Server> {
  // docs: Feathers
  const app = express(feathers());

  app.use(patchOptions({ cors: { origin: 'https://app.example' } }));
  // Feathers looks its services up itself, so Express cannot see their routes. It treats POST with an id as a create, too.
  const pass: Middleware = (_req, _res, next) => {
    next();
  };
  const messages = declareMethods(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'], pass);
  app.all('/messages', messages);
  app.all('/messages/:id', messages);
  app.use(json());
  app.configure(rest());
  app.use('messages', new Messages());
  app.use(methodNotAllowed());
  app.use(notFound());
  app.use(errorHandler({ logger: false }));
  // end
  return app.listen(port);
}
