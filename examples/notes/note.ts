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

/** A note as a client sent it, with the id that the server assigns; check it with `noteErrors`. */
export function asNote(sent: unknown, id: string): Note {
  const members = typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? sent : {};
  return { title: '', ...members, id };
}

/** Returns the errors of a note, member by member; an empty list if it is valid. */
export function noteErrors(note: Note): readonly NoteError[] {
  const found: NoteError[] = [];
  const members: Record<string, unknown> = { ...note };
  for (const [name, value] of Object.entries(members)) {
    const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`; // RFC 6901 3
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) found.push({ detail: 'A note has no such member.', pointer });
    else for (const { detail, at = '' } of rule(value)) found.push({ detail, pointer: pointer + at });
  }
  if (!('title' in members)) found.push({ detail: 'Title is required.', pointer: '/title' });
  return found;
}

/** An error in a value, and where it is. */
type Rule = (value: unknown) => readonly { readonly detail: string; readonly at?: string }[];

const isText = (value: unknown): value is string => typeof value === 'string';
const textCalled =
  (name: string): Rule =>
  (value) =>
    isText(value) ? [] : [{ detail: `${name} must be a string.` }];

const rules: Record<string, Rule> = {
  id: textCalled('Id'),
  title: (value) =>
    isText(value) && value.trim() === ''
      ? [{ detail: 'Title cannot be blank.' }]
      : textCalled('Title')(value),
  body: textCalled('Body'),
  tags: (value) => {
    if (!Array.isArray(value) || !value.every(isText))
      return [{ detail: 'Tags must be an array of strings.' }];
    const seen = new Set<string>();
    return value.flatMap((tag, at) => {
      if (seen.has(tag)) return [{ detail: 'Each tag can be listed only once.', at: `/${at}` }];
      seen.add(tag);
      return [];
    });
  },
};
