/** A type, not an interface, so that it is assignable to plain JSON objects. */
export interface Note {
  readonly id: string;
  readonly title: string;
  readonly body?: string;
  readonly tags?: readonly string[];
}

export interface NoteError {
  readonly detail: string;
  readonly pointer: string;
}

/** What a client sent as a note, under the identifier that is the server's to give; `noteErrors` judges it. */
export function asNote(sent: unknown, id: string): Note {
  const members = typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? sent : {};
  return { title: '', ...members, id };
}

/** What is wrong with a note, member by member; an empty list: nothing. */
export function noteErrors(note: Note): readonly NoteError[] {
  const found: NoteError[] = [];
  const members: Record<string, unknown> = { ...note };
  for (const [name, value] of Object.entries(members)) {
    const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`; // RFC 6901 3
    if (!Object.hasOwn(rules, name)) found.push({ detail: 'A note has no such member.', pointer });
    else if (rules[name]?.is(value) !== true) found.push({ detail: rules[name]?.says ?? '', pointer });
  }
  if (!('title' in members)) found.push({ detail: 'A note has a title.', pointer: '/title' });
  return found;
}

const isText = (value: unknown): boolean => typeof value === 'string';

const rules: Record<string, { is: (value: unknown) => boolean; says: string }> = {
  id: { is: isText, says: 'An id is a string.' },
  title: { is: (value) => isText(value) && value !== '', says: 'A title is a string that is not empty.' },
  body: { is: isText, says: 'A body is a string.' },
  tags: { is: (value) => Array.isArray(value) && value.every(isText), says: 'Tags are a list of strings.' },
};
