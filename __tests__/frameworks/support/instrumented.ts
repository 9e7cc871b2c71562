/**
 * Starts the instrumentation that is named, before all else is loaded. Then it asks explainCors, and prints what that answered and which
 * headers the app received: `node typescript.mjs instrumented.ts dd-trace`.
 */
const withoutTypes: string = 'newrelic';

const starts: Readonly<Record<string, () => Promise<unknown>>> = {
  none: () => Promise.resolve(),
  'dd-trace': async () => (await import('dd-trace')).default.init(),
  'elastic-apm-node': async () =>
    (await import('elastic-apm-node')).default.start({
      serviceName: 'notes',
      disableSend: true,
      centralConfig: false,
      cloudProvider: 'none',
      logLevel: 'off',
    }),
  newrelic: () => import(withoutTypes),
  '@sentry/node': async () => (await import('@sentry/node')).init({ tracesSampleRate: 1 }),
  opentelemetry: async () => {
    const { NodeSDK } = await import('@opentelemetry/sdk-node');
    const { HttpInstrumentation } = await import('@opentelemetry/instrumentation-http');
    const { ExpressInstrumentation } = await import('@opentelemetry/instrumentation-express');
    new NodeSDK({ instrumentations: [new HttpInstrumentation(), new ExpressInstrumentation()] }).start();
  },
};

async function main(name: string): Promise<void> {
  await starts[name]?.();
  const { default: http } = await import('node:http');
  const { default: express } = await import('express');
  const { patchOptions } = await import('patch-options');
  const { explainCors } = await import('patch-options/explain');
  const origin = 'https://app.example';
  const app = express();
  const received: string[] = [];
  app.use((req, _res, next) => {
    received.push(Object.keys(req.headers).join(' '));
    next();
  });
  app.use(patchOptions({ cors: { origin, credentials: true } }));
  const notes = express.Router();
  notes.get('/:id', (_req, res) => void res.json({}));
  notes.patch('/:id', (_req, res) => void res.json({}));
  app.use('/notes', notes);
  const question = { origin, method: 'PATCH', path: '/notes/1', credentials: true };
  const codes: string[] = [];
  for (const asked of [
    { ...question, headers: { 'if-match': '"a"' }, send: true, body: '{}' },
    { ...question, method: 'GET', headers: { cookie: 'a=1' } },
    { ...question, headers: { 'x-a': '1', cookie: 'a=1' } },
    { ...question, method: 'DELETE', headers: 'if-match' },
    { ...question, origin: 'https://b.example' },
    { ...question, path: '/absent', headers: 'if-match' },
  ]) {
    codes.push((await explainCors(app, asked)).code);
  }
  console.log(JSON.stringify({ codes, received, request: String(http.request) }));
  // They keep the process for what they would send.
  process.exit();
}

void main(process.argv[2] ?? 'none');
