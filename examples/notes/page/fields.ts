import type { Note } from '../note.js';

/** The members of a note that people edit, with their labels. */
export const fieldLabels = { title: 'Title', body: 'Text', tags: 'Tags' } as const;

export type Field = keyof typeof fieldLabels;

export const fields: readonly Field[] = ['title', 'body', 'tags'];

/** A member as people read it; empty if the note does not have it. */
export function readField(note: Note, field: Field): string {
  return [note[field] ?? ''].flat().join(', ');
}

export function changedFields(before: Note, after: Note): readonly Field[] {
  return fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}

/** As in "the title, the text and the tags". */
export function inWords(named: readonly Field[]): string {
  const words = named.map((field) => `the ${fieldLabels[field].toLowerCase()}`);
  return new Intl.ListFormat('en-GB').format(words);
}
