import type { Note } from '../note.js';

/** The contents of the fields of a form, as typed. */
export interface Typed {
  readonly title: string;
  readonly body: string;
  readonly tags: string;
}

/** Unsaved text, and the state that it is based on. */
export interface Draft {
  readonly base: Note;
  readonly etag: string;
  readonly typed: Typed;
}

/** Stands for the id that a new note does not have yet. */
export const newNote = '';

/**
 * The unsaved text of one person, note by note, for as long as this tab is open: it survives a reload. If the browser allows no
 * storage, everything else still works.
 */
export class Drafts {
  readonly #prefix: string;

  constructor(person: string) {
    this.#prefix = `draft:${person}:`;
  }

  find(id: string): Draft | undefined {
    return unlessDenied(() => readDraft(sessionStorage.getItem(this.#prefix + id)));
  }

  keep(id: string, draft: Draft): void {
    unlessDenied(() => {
      sessionStorage.setItem(this.#prefix + id, JSON.stringify(draft));
    });
  }

  drop(id: string): void {
    unlessDenied(() => {
      sessionStorage.removeItem(this.#prefix + id);
    });
  }

  /** The drafts of notes that exist, or have existed. */
  all(): readonly Draft[] {
    const keys = unlessDenied(() => Object.keys(sessionStorage)) ?? [];
    const own = keys.filter((key) => key.startsWith(this.#prefix));
    const ids = own.map((key) => key.slice(this.#prefix.length));
    return ids.flatMap((id) => (id === newNote ? [] : (this.find(id) ?? [])));
  }
}

/** The storage is disabled, or full. */
function unlessDenied<Value>(use: () => Value): Value | undefined {
  try {
    return use();
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** Undefined for data of another form, such as that of an older version of this page. */
function readDraft(stored: string | null): Draft | undefined {
  try {
    const draft: unknown = JSON.parse(stored ?? '');
    return isDraft(draft) ? draft : undefined;
  } catch {
    return undefined;
  }
}

function isDraft(value: unknown): value is Draft {
  if (!isObject(value) || !isObject(value['base']) || !isObject(value['typed'])) return false;
  const { base, typed, etag } = value;
  return [etag, base['id'], base['title'], typed['title'], typed['body'], typed['tags']].every(
    (text) => typeof text === 'string',
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
