/** Answers preflights before Express runs, for a server that gets many of them. */
import { createServer } from 'node:http';
import express from 'express';
import {
  entityTag,
  jsonPatch,
  MemoryStore,
  methodNotAllowed,
  optionsListener,
  patchHandler,
} from 'patch-options';

const counters = new MemoryStore<{ count: number }>();
void counters.replace('visits', null, { count: 0 });

const app = express();

// The middleware of the app runs for every request except OPTIONS, which is answered before Express runs.
app.use((_req, res, next) => {
  res.set('X-Reached', 'Express');
  next();
});
app.get('/counters/:name', async (req, res) => {
  const counter = await counters.get(req.params.name);
  if (counter) res.set('ETag', entityTag(counter)).json(counter.value);
  else res.sendStatus(404);
});
app.patch('/counters/:name', patchHandler(counters, [jsonPatch()], { key: 'name' }));
app.use(methodNotAllowed());

// Instead of app.listen(3000). It takes the options of patchOptions except `resources`, and gives the same answers:
// the methods are still those of the app's routes, including routes that are added later.
const listener = optionsListener(app, { cors: { origin: 'https://app.example' } });

createServer(listener).listen(3000, '127.0.0.1');
