/** Without Express: the standalone `router` on Node's own server. The only difference is that `root` is required. */
import { createServer } from 'node:http';
import {
  entityTag,
  jsonPatch,
  MemoryStore,
  methodNotAllowed,
  patchHandler,
  patchOptions,
  sendProblem,
  ProblemError,
} from 'patch-options';
import createRouter from 'router';

const notes = new MemoryStore();
void notes.replace('1', null, { title: 'Buy milk' });

const router = createRouter();

// Requests in Express have a reference to their app; requests in `router` do not.
router.use(patchOptions({ root: router, cors: { origin: 'https://app.example' } }));

router.get('/notes/:id', async (req, res) => {
  const note = await notes.get(req.params.id);
  if (note === undefined) {
    sendProblem(res, new ProblemError(404, 'no-such-note', `There is no note ${req.url ?? ''}.`));
  } else {
    res.setHeader('ETag', entityTag(note));
    res.setHeader('Content-Type', 'application/json');
    res.end(JSON.stringify(note.value));
  }
});
router.patch('/notes/:id', patchHandler(notes, [jsonPatch()], { key: 'id' }));

router.use(methodNotAllowed({ root: router }));

// Requests that no route answers, and errors, are passed back to the caller of the router.
createServer((req, res) => {
  router(req, res, (error) => {
    res.statusCode = error ? 500 : 404;
    res.end();
  });
}).listen(3000, '127.0.0.1');
