import type { Application, RequestHandler } from 'express';
import type { OptionsHandlerOptions } from '../../lib/allow/options-handler';
import { declareAcceptPatch } from '../../lib/express/handler-metadata';
import type { ExpressModule } from '../support/frameworks';

const answer: RequestHandler = (_req, res) => {
  res.send('the handler');
};
const patchAnswer = declareAcceptPatch<RequestHandler>(
  (_req, res) => {
    res.status(204).end();
  },
  ['application/json-patch+json', 'application/merge-patch+json'],
);

/** The routes that the tests of OPTIONS are about. */
export function addRoutes(app: Application, express: ExpressModule): Application {
  app.get('/notes', answer);
  app.post('/notes', answer);
  app.route('/notes/:id').get(answer).patch(patchAnswer);
  app.delete(['/notes/:id', '/trash/:id'], answer);
  const nested = express.Router();
  nested.put('/:id', answer);
  app.use('/notes', nested);
  const admin = express();
  admin.get('/users', answer);
  app.use('/admin', admin);
  app.patch('/own', answer);
  app.options('/notes/:id/own', (_req, res) => {
    res.set('Allow', 'PURGE').status(299).end();
  });
  app.get('/notes/:id/own', answer);
  return app;
}

/** Targets that have routes, and the methods of those. */
export const targets: readonly { readonly path: string; readonly allow: string }[] = [
  { path: '/notes', allow: 'GET, HEAD, OPTIONS, POST' },
  { path: '/notes?page=2', allow: 'GET, HEAD, OPTIONS, POST' },
  { path: '/notes/7', allow: 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT' },
  { path: '/trash/7', allow: 'DELETE, OPTIONS' },
  { path: '/admin/users', allow: 'GET, HEAD, OPTIONS' },
  { path: '/own', allow: 'OPTIONS, PATCH' },
];

/** Options under which the answer to OPTIONS differs. */
export const optionsOfHandler: readonly {
  readonly title: string;
  readonly options: OptionsHandlerOptions;
}[] = [
  { title: 'no options', options: {} },
  { title: 'status 204', options: { status: 204 } },
  { title: 'a body', options: { body: (target) => ({ about: target }) } },
  { title: 'a body that is undefined', options: { body: () => undefined } },
];
