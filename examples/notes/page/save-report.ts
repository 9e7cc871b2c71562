import type { Note } from '../note.js';
import { changedFields, inWords } from './fields.js';

/** A save that has succeeded. */
export interface Save {
  /** The note that the form started with. */
  readonly base: Note;
  /** The note in the form. */
  readonly mine: Note;
  /** The note that the API has now. */
  readonly value: Note;
  /** Whether this save has written anything. */
  readonly isWritten: boolean;
  /** Whether the API was not responding in the meantime. */
  readonly isLate: boolean;
}

export interface Report {
  readonly text: string;
  /** Whether the note in the form is saved. */
  readonly isSaved: boolean;
}

/** The result of a save, and the changes that it was merged with. */
export function saveReport({ base, mine, value, isWritten, isLate }: Save): Report {
  const edited = changedFields(base, mine);
  const theirs = changedFields(mine, value);
  const isKept = !edited.some((field) => theirs.includes(field));
  // An earlier attempt whose answer was lost may have written it.
  if (isWritten || (isLate && isKept && edited.length > 0)) {
    const merged = theirs.length > 0 ? `, with ${inWords(theirs)} that somebody else changed` : '';
    return { text: `Saved${isLate ? ' after all' : ''}${merged}.`, isSaved: true };
  }
  if (edited.length > 0)
    return isKept
      ? { text: 'Somebody else has made the same change.', isSaved: true }
      : { text: 'None of your changes were saved.', isSaved: false };
  const news = theirs.length > 0 ? ` Somebody else changed ${inWords(theirs)}.` : '';
  return { text: `You changed nothing.${news}`, isSaved: false };
}
