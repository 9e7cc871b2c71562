/** One question for each way in which a browser keeps a page from an answer, and the one in which it does not. */
import npmCors from 'cors';
import express, { type RequestHandler } from 'express';
import { corsPreflight, declareMethods, optionsHandler, patchOptions, type CorsOptions } from '../../lib';
import { explainCors, type CorsQuestion, type Explanation } from '../../lib/explain';
import { failedStep, sayAllowed } from '../../lib/cors/fetch-steps';
import { corsPolicy } from '../../lib/cors/policy/policy';
import { targetMethods } from '../../lib/routes/method-set';

function notesApp(options: CorsOptions): express.Express {
  const app = express();
  app.use(corsPreflight(options));
  app.patch('/notes/:id', () => undefined);
  app.all('/anything', () => undefined);
  app.options('/own', () => undefined);
  return app;
}

const origin = 'https://app.example';
const ofCredentials: CorsOptions = { origin, credentials: true };
const rows: readonly (readonly [CorsOptions, Partial<CorsQuestion>])[] = [
  [{}, {}],
  [{}, { method: 'TRACE' }],
  [{ origin }, { origin: 'https://other.example' }],
  [{ origin }, { origin: 'http://app.example:8080' }],
  [{ origin }, { origin: `${origin}/` }],
  [{ origin }, { origin: `${origin}/notes` }],
  [{ origin }, { origin: 'https://other.example', method: 'GET' }],
  [{ origin }, { origin: `${origin}, ${origin}` }],
  [{ origin }, { origin: `https://${'a'.repeat(1_024)}` }],
  [{ origin }, { origin: 'ä' }],
  [{ origin: () => Promise.reject(new Error('out of order')) }, {}],
  [{ origin: () => new Promise(() => undefined) }, {}],
  [{}, { credentials: true }],
  [{ origin }, { credentials: true }],
  [{}, { path: '/absent' }],
  [{}, { method: 'patch' }],
  [{ methods: 'GET' }, { method: 'patch' }],
  [{}, { method: 'DELETE' }],
  [{}, { method: 'PURGE', path: '/anything' }],
  [{ methods: 'GET' }, {}],
  [{}, { headers: 'x-request-id' }],
  [{ allowedHeaders: '*' }, { headers: 'authorization' }],
  [ofCredentials, { headers: 'x-request-id', credentials: true }],
  [{ allowedHeaders: 'requested' }, { headers: 'x y' }],
  [{ allowedHeaders: 'requested' }, { headers: 'x'.repeat(5_000) }],
  [{ unseen: 'GET' }, { path: '/absent' }],
  [{}, { path: '/own' }],
  [{}, { headers: 'cookie' }],
  [{}, { headers: 'user-agent' }],
];

/** Apps in which the instance that is asked, or another, stands elsewhere than in front. */
const apps: readonly ((app: express.Express, cors: RequestHandler) => unknown)[] = [
  (app, cors) => app.patch('/notes/:id', done).use(cors),
  (app, cors) => app.use(express.Router().get('/notes/:id', done)).use(cors),
  (app, cors) => app.options('/notes/:id', done).use(cors),
  (app, cors) => app.use(optionsHandler()).use(cors),
  (app, cors) => app.use(patchOptions()).use(cors),
  (app, cors) => app.use(npmCors()).use(cors),
  (app, cors) => app.use('/other', cors),
  (app, cors) => app.use('/notes', corsPreflight()).use(cors).patch('/notes/:id', done),
  (app, cors) =>
    app
      .use(
        (req, res, next) => {
          requireLogin(req, res, next);
        },
        requireLogin,
        cors,
      )
      .patch('/notes/:id', done),
  (app, cors) => app.use(cors).use('/notes', requireLogin),
  (app, cors) => app.use(requireLogin).use('/other', cors),
  (app, cors) => app.use(cors, npmCors()).patch('/notes/:id', done),
  (app, cors) => app.use(cors, npmCors()),
  (app, cors) => app.use(Object.assign(requireLogin.bind(undefined), cors)).patch('/notes/:id', done),
  (app, cors) =>
    app
      .use(declareMethods([], requireLogin), cors)
      .param('id', (_req, _res, next) => {
        next();
      })
      .patch('/notes/:id', done),
];

/** Apps without an instance, and the method that is asked about. */
const bareApps: readonly (readonly [(app: express.Express) => unknown, string])[] = [
  [(app) => app.patch('/notes/:id', done), 'PATCH'],
  [(app) => app.get('/notes/:id', done), 'GET'],
  [(app) => app.use(requireLogin).patch('/notes/:id', done), 'PATCH'],
  [(app) => app.options('/notes/:id', done), 'PATCH'],
  [(app) => app.use(patchOptions()).patch('/notes/:id', done), 'PATCH'],
  [(app) => app.use(patchOptions()).get('/notes/:id', done), 'GET'],
  [(app) => app.use(npmCors()).patch('/notes/:id', done), 'PATCH'],
];

const requireLogin: RequestHandler = (_req, _res, next) => {
  next();
};
const done: RequestHandler = (_req, res) => void res.end();

const question = { origin, method: 'PATCH', path: '/notes/1' };

export function explanations(): Promise<string[]> {
  const ofRows = rows.map(([options, asked]) => {
    return explainCors(notesApp(options), { ...question, ...asked });
  });
  const ofBare = bareApps.map(([add, method]) => {
    const app = express();
    add(app);
    return explainCors(app, { ...question, method });
  });
  const ofApps = apps.map((add) => {
    const app = express();
    add(app, corsPreflight());
    return explainCors(app, question);
  });
  const router = express.Router().use(corsPreflight()).patch('/notes/:id', done);
  const ofRouter = explainCors(router, question);
  const elsewhere = explainCors(express().use('/other', corsPreflight()), { ...question, method: 'GET' });
  // Said by DEBUG alone, of what the app has answered, and of what a stranger has sent.
  const decision = { allowOrigin: '*', code: undefined };
  const policy = corsPolicy({});
  const ofDebug = [
    { preflight: true, decision, answered: { status: 404, methods: undefined } },
    { preflight: true, decision, answered: { status: 200, methods: undefined } },
    { preflight: true, decision, answered: { status: 204, methods: ['GET'] } },
    { preflight: true, decision, target: targetMethods(['PATCH']), behindRoutes: true },
  ].map((findings) => failedStep(policy, { method: 'PATCH', headers: [] }, findings));
  const listed = failedStep(
    policy,
    { method: 'GET', headers: undefined },
    { preflight: true, decision, target: targetMethods(['GET']) },
  );
  const told = [...ofDebug, listed].map((failure) =>
    failure === undefined ? '' : lineOf({ ...failure, notes: [] }),
  );
  told.push(sayAllowed({ method: 'PATCH', headers: [] }, policy));
  return Promise.all(
    [...ofRows, ...ofApps, ...ofBare, ofRouter, elsewhere].map(async (asked) => lineOf(await asked)),
  ).then((lines) => [...lines, ...told]);
}

function lineOf({
  code,
  step,
  reason,
  notes,
}: Pick<Explanation, 'code' | 'step' | 'reason' | 'notes'>): string {
  return [`${code}: ${reason}${step === undefined ? '' : ` (${step})`}`, ...notes].join('\n  ');
}
