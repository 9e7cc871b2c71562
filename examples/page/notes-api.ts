import { resourceClient, type ResourceClient } from 'patch-options/client';
import type { Note } from '../note.js';

/** The notes API, as a page of another origin uses it. What the client does not know is the list and POST. */
export interface NotesApi extends ResourceClient<Note> {
  list(): Promise<readonly Note[]>;
  /** @throws NotCreatedError */
  create(note: Note): Promise<Note>;
  /** The same API for somebody else, who knows nothing of what was read here. */
  elsewhere(): ResourceClient<Note>;
}

export class NotCreatedError extends Error {
  override readonly name = 'NotCreatedError';
}

export function notesApi(api: string): NotesApi {
  const open = () => resourceClient<Note>(api, { idempotency: true, timeout: 10_000 });
  const client = open();
  return {
    ...client,
    elsewhere: open,
    list: async () => (await client.get<readonly Note[]>('/notes')).value,
    create: async (note) => {
      const headers = { 'Content-Type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(note) };
      const response = await fetch(`${api}/notes`, init).catch((cause: unknown) => {
        throw new NotCreatedError(`No answer came from ${api}.`, { cause });
      });
      if (!response.ok) throw new NotCreatedError(`${response.status} ${response.statusText}`);
      return (await response.json()) as Note;
    },
  };
}

export function pathOf(id: string): string {
  return `/notes/${encodeURIComponent(id)}`;
}
