import { ConnectionError, resourceClient, type Fetch, type ResourceClient } from 'patch-options/client';
import type { Note, NoteError } from '../note.js';

/** The notes API, as a page of another origin uses it. The client covers everything but the list and POST. */
export interface NotesApi extends ResourceClient<Note> {
  list(): Promise<readonly Note[]>;
  /** @throws NotCreatedError, ConnectionError */
  create(note: Note): Promise<Note>;
}

export class NotCreatedError extends Error {
  override readonly name = 'NotCreatedError';
}

/** How many milliseconds a request can take, including retries. The page itself says much sooner that no answer has come. */
const timeout = 10_000;

export function notesApi(api: string, send: Fetch): NotesApi {
  const client = resourceClient<Note>(api, { idempotency: true, timeout, fetch: send });
  return {
    ...client,
    list: async () => (await client.get<readonly Note[]>('/notes')).value,
    create: async (note) => {
      const { status, text } = await post(send, `${api}/notes`, note);
      if (status !== 201)
        throw new NotCreatedError(readErrors(text) ?? `The API answered ${String(status)}.`);
      return JSON.parse(text) as Note;
    },
  };
}

/** Sent only once, because a retry could create a second note. */
async function post(send: Fetch, url: string, content: unknown) {
  const headers = { 'Content-Type': 'application/json' };
  const signal = AbortSignal.timeout(timeout);
  try {
    const body = JSON.stringify(content);
    const response = await send(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    return { status: response.status, text: await response.text() };
  } catch (cause) {
    throw new ConnectionError('POST', url, true, cause);
  }
}

/** The errors that the API reports for the note; undefined if it reports none. */
function readErrors(text: string): string | undefined {
  try {
    const { errors } = JSON.parse(text) as { readonly errors: readonly NoteError[] };
    return errors.map(({ detail }) => detail).join(' ');
  } catch {
    return undefined;
  }
}

export function notePath(id: string): string {
  return `/notes/${encodeURIComponent(id)}`;
}
