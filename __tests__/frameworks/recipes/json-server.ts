import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import jsonServer from 'json-server';
import { methodNotAllowed, patchOptions } from 'patch-options';

declare module 'json-server' {
  interface JsonServerRouter<T> {
    /** Documented, and missing in the types. */
    render: (req: IncomingMessage, res: ServerResponse) => void;
  }
}

export function start(port: number): Server {
  // docs: json-server
  const data = { posts: [{ id: 1, title: 'One' }], profile: { name: 'Ann' } };
  const app = jsonServer.create();
  const router = jsonServer.router(data);

  app.use(patchOptions({ cors: { origin: 'https://app.example' } }));
  app.use(jsonServer.defaults({ noCors: true, logger: false }));
  app.use(router);

  // Its router ends every request, so nothing after it is reached: render is where it sends its 404.
  const refuse = methodNotAllowed();
  const { render } = router;
  router.render = (req, res) => {
    refuse(req, res, () => {
      render(req, res);
    });
  };
  // end
  return app.listen(port);
}
