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

const prefix = 'draft:';

/** Stands for the id that a new note does not have yet. */
export const newNote = '';

/**
 * Unsaved text of each note, for as long as this tab is open: it survives a reload. If the browser allows no storage,
 * everything else still works.
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
  /** The drafts of notes that exist, or have existed. */
  all(): readonly Draft[] {
    const keys = unlessDenied(() => Object.keys(sessionStorage)) ?? [];
    const ids = keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
    return ids.flatMap((id) => (id === newNote ? [] : (drafts.find(id) ?? [])));
  },
};

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
