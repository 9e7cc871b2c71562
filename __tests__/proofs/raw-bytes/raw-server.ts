/**
 * A server in a process of its own: `raw-server.ts <framework>`. Says its port, and for each line of its standard input what it
 * holds; ends when its standard input does. What nothing catches ends it as it ends any process.
 */
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  jsonPatch,
  MemoryStore,
  mergePatch,
  methodNotAllowed,
  optionsListener,
  patchOptions,
  resource,
} from '../../../lib';
import { type ExpressModule, frameworks } from '../../support/frameworks';
import { portOf } from '../../support/serving';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
/** What clients can name: a store that creates under any key would grow with the requests. */
const keys = ['1', '2', '3', 'new'];

function appOf(express: ExpressModule): ReturnType<ExpressModule> {
  const app = express();
  const notes = resource(new MemoryStore<object>(), [jsonPatch(), mergePatch()], {
    key: (req) => keys.find((key) => key === req.params.id) ?? 'other',
    create: true,
    idempotency: 'optional',
    idempotencyLimits: { keep: 10 },
    limits: { bytes: 4_096, result: 4_096, depth: 20 },
  });
  app.use(patchOptions({ cors: { origin: ['https://app.example', 'https://*.app.example'] } }));
  app.get('/notes/:id', notes.get);
  app.put('/notes/:id', notes.put);
  app.patch('/notes/:id', notes.patch);
  app.delete('/notes/:id', notes.delete);
  app.all('/search', (_req, res) => void res.json({}));
  app.use(methodNotAllowed());
  return app;
}

function serve(name: string | undefined): void {
  const found = frameworks.find(([framework]) => framework === name);
  if (found === undefined) throw new Error(`${String(name)} is not a framework of these tests`);
  // Requests that never end are answered with 408, soon.
  const timeouts = { headersTimeout: 500, requestTimeout: 1_000, connectionsCheckingInterval: 100 };
  const server = createServer(
    timeouts,
    optionsListener(appOf(found[1]), { cors: { origin: 'https://app.example' } }),
  );
  server.listen(0, '127.0.0.1', () => {
    console.log(portOf(server));
  });
  createInterface({ input: process.stdin })
    .on('line', () => {
      collectGarbage();
      const { heapUsed, external } = process.memoryUsage();
      console.log(heapUsed + external);
    })
    .on('close', () => process.exit());
}

serve(process.argv[2]);
