import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type Response } from 'express';
import {
  entityTag,
  jsonPatch,
  keyedMergePatch,
  mergePatch,
  methodNotAllowed,
  patchOptions,
  resource,
  type OutcomeStore,
} from 'patch-options';
import { asNote, noteErrors, type Note } from './note';
import { welcome } from './welcome';

/** Any store of the package. */
export interface Notes extends OutcomeStore<Note> {
  delete(key: string, expected?: string): Promise<boolean>;
}

export interface NotesAppOptions {
  readonly notes: Notes;
  readonly list: () => Promise<readonly Note[]> | readonly Note[];
  /** The origins whose pages can call the API. */
  readonly origin: string | readonly string[];
  /** The address of the page that uses the API, once it is known. */
  readonly page?: () => string | undefined;
}

/** The notes API: the list and POST are the app's own; one note, OPTIONS, preflights and 405 come from patch-options. */
export function notesApp({ notes, list, origin, page = () => undefined }: NotesAppOptions): Express {
  const app = express();
  const json = express.json();
  // The list has a strong ETag, made from its bytes, with which clients ask whether it has changed.
  app.set('etag', 'strong');

  app.use(patchOptions({ cors: { origin } }));

  app.get('/', welcome(page));

  app.get('/notes', async (_req, res) => {
    res.json(await list());
  });

  app.post('/notes', json, async (req, res) => {
    const note = asNote(req.body, newId());
    if (refusedAsInvalid(note, res)) return;
    const created = await notes.replace(note.id, null, note);
    if (created === undefined || 'current' in created)
      throw new Error(`The new identifier ${note.id} was taken`);
    res.status(201).location(`/notes/${note.id}`).set('ETag', entityTag(created)).json(created.value);
  });

  // Tags are patched one by one: if two clients add different tags, both tags are kept.
  const tags = keyedMergePatch({ '/tags': 'self' });
  const note = resource(notes, [jsonPatch(), mergePatch(), tags], {
    key: 'id',
    // PUT restores a deleted note; PATCH only changes an existing one.
    create: ({ method, params: { id = '' } }) => (method === 'PUT' ? { id, title: '' } : undefined),
    readOnly: ['/id'],
    validate: noteErrors,
    idempotency: 'optional',
  });
  app.route('/notes/:id').get(note.get).put(note.put).patch(note.patch).delete(note.delete);

  app.use(methodNotAllowed());
  app.use(reportFault);
  return app;
}

/** Keys in the order of creation, so that the list, which is sorted by key, is in that order too. */
function newId(): string {
  return `${Date.now().toString(36)}-${randomUUID().slice(0, 8)}`;
}

function refusedAsInvalid(note: Note, res: Response): boolean {
  const errors = noteErrors(note);
  if (errors.length > 0) res.status(422).json({ errors });
  return errors.length > 0;
}

// Express recognises an error handler by its four parameters.
const reportFault: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  const status = hasStatus(error) ? error.status : 500;
  if (status >= 500) console.error(error);
  if (res.headersSent) next(error);
  else res.status(status).json({ status, title: STATUS_CODES[status] });
};

function hasStatus(error: unknown): error is { status: number } {
  return typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number';
}
