import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import {
  checkPreconditions,
  entityTag,
  jsonPatch,
  mergePatch,
  methodNotAllowed,
  patchHandler,
  patchOptions,
  sendProblem,
  type OutcomeStore,
  type Stored,
} from 'patch-options';
import { asNote, noteErrors, type Note } from './note';

/** Any of the package's stores, and the host's own query for the list. */
export interface Notes extends OutcomeStore<Note> {
  delete(key: string, expected?: string): Promise<boolean>;
}

export interface NotesAppOptions {
  readonly notes: Notes;
  readonly list: () => Promise<readonly Note[]> | readonly Note[];
  /** Who may call from a browser. */
  readonly origin: string | readonly string[];
}

/** How often a write is tried before its client is told that others keep writing. */
const turns = 20;

/** The notes API: the host's own GET, POST, PUT and DELETE; OPTIONS, preflights, PATCH and 405 from patch-options. */
export function notesApp({ notes, list, origin }: NotesAppOptions): Express {
  const app = express();
  const json = express.json();

  app.use(patchOptions({ cors: { origin } }));

  app.get('/notes', async (_req, res) => {
    res.json(await list());
  });

  app.post('/notes', json, async (req, res) => {
    const note = asNote(req.body, newId());
    if (refusedAsInvalid(note, res)) return;
    const created = await notes.replace(note.id, null, note);
    if (created === undefined) throw new Error(`The new identifier ${note.id} was taken`);
    res.location(`/notes/${note.id}`);
    send(res.status(201), created);
  });

  app.get('/notes/:id', async (req, res) => {
    const stored = await notes.get(req.params.id);
    if (stored === undefined) {
      res.sendStatus(404);
      return;
    }
    if (!refusedByPrecondition(req, res, stored)) send(res, stored);
  });

  app.put('/notes/:id', json, async (req, res) => {
    const note = asNote(req.body, req.params.id);
    // Where somebody else writes in between, the precondition is judged again, against what is there then.
    for (let turn = 1; turn <= turns; turn++) {
      const stored = await notes.get(note.id);
      if (refusedByPrecondition(req, res, stored) || refusedAsInvalid(note, res)) return;
      const written = await notes.replace(note.id, stored?.version ?? null, note);
      if (written === undefined) continue;
      send(res.status(stored === undefined ? 201 : 200), written);
      return;
    }
    res.sendStatus(409);
  });

  app.delete('/notes/:id', async (req, res) => {
    for (let turn = 1; turn <= turns; turn++) {
      const stored = await notes.get(req.params.id);
      if (stored === undefined) {
        res.sendStatus(404);
        return;
      }
      if (refusedByPrecondition(req, res, stored)) return;
      if (!(await notes.delete(req.params.id, stored.version))) continue;
      res.sendStatus(204);
      return;
    }
    res.sendStatus(409);
  });

  app.patch(
    '/notes/:id',
    patchHandler(notes, [jsonPatch(), mergePatch()], {
      key: (req) => req.params.id,
      readOnly: ['/id'],
      validate: noteErrors,
      idempotency: 'optional',
    }),
  );

  app.use(methodNotAllowed());
  app.use(reportFault);
  return app;
}

/** In the order of creation, so that the list, which is sorted by key, is too. */
function newId(): string {
  return `${Date.now().toString(36)}-${randomUUID().slice(0, 8)}`;
}

/** The representation under the tag that PATCH compares and returns. */
function send(res: Response, stored: Stored<Note>): void {
  res.set('ETag', entityTag(stored)).json(stored.value);
}

function refusedByPrecondition(req: Request, res: Response, stored: Stored<Note> | undefined): boolean {
  const problem = checkPreconditions(req, stored);
  if (problem !== undefined) sendProblem(res, problem);
  return problem !== undefined;
}

function refusedAsInvalid(note: Note, res: Response): boolean {
  const errors = noteErrors(note);
  if (errors.length > 0) res.status(422).json({ errors });
  return errors.length > 0;
}

// Express knows an error handler by its four parameters.
const reportFault: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  const status = hasStatus(error) ? error.status : 500;
  if (status >= 500) console.error(error);
  if (res.headersSent) next(error);
  else res.status(status).json({ status, title: STATUS_CODES[status] });
};

function hasStatus(error: unknown): error is { status: number } {
  return typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number';
}
