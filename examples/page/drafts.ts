import type { Note } from '../note.js';

/** What the fields of a form hold, as it was typed. */
export interface Typed {
  readonly title: string;
  readonly body: string;
  readonly tags: string;
}

/** What somebody has typed and not saved, and the state that they have typed it on. */
export interface Draft {
  readonly base: Note;
  readonly etag: string;
  readonly typed: Typed;
}

const prefix = 'draft:';

/** In the place of the identifier that a new note does not have yet. */
export const newNote = '';

/**
 * What was not saved, note by note, for as long as this tab is open: a reload does not lose it. Where the browser keeps
 * nothing, everything else works as it does.
 */
export const drafts = {
  find(id: string): Draft | undefined {
    return unlessDenied(() => draftIn(sessionStorage.getItem(prefix + id)));
  },
  keep(id: string, draft: Draft): void {
    unlessDenied(() => {
      sessionStorage.setItem(prefix + id, JSON.stringify(draft));
    });
  },
  drop(id: string): void {
    unlessDenied(() => {
      sessionStorage.removeItem(prefix + id);
    });
  },
  /** Of notes that exist, or did. */
  all(): readonly Draft[] {
    const keys = unlessDenied(() => Object.keys(sessionStorage)) ?? [];
    const ids = keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
    return ids.flatMap((id) => (id === newNote ? [] : (drafts.find(id) ?? [])));
  },
};

/** Storage is off, or full. */
function unlessDenied<Value>(use: () => Value): Value | undefined {
  try {
    return use();
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** Undefined for what an older version of this page may have left. */
function draftIn(stored: string | null): Draft | undefined {
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
