import type { Application, RequestHandler } from 'express';
import type { OptionsHandlerOptions } from '../../lib/options/options-handler';
import { declareAcceptPatch } from '../../lib/express/handler-metadata';
import type { ExpressModule } from './frameworks';

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
export const targets: readonly (readonly [path: string, allow: string])[] = [
  ['/notes', 'GET, HEAD, OPTIONS, POST'],
  ['/notes?page=2', 'GET, HEAD, OPTIONS, POST'],
  ['/notes/7', 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
  ['/trash/7', 'DELETE, OPTIONS'],
  ['/admin/users', 'GET, HEAD, OPTIONS'],
  ['/own', 'OPTIONS, PATCH'],
];

/** Options under which the answer to OPTIONS differs. */
export const optionsOfHandler: readonly (readonly [title: string, options: OptionsHandlerOptions])[] = [
  ['no options', {}],
  ['status 204', { status: 204 }],
  ['a body', { body: (target) => ({ about: target }) }],
  ['a body that is undefined', { body: () => undefined }],
];
