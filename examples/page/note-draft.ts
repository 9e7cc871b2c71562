import type { Note } from '../note.js';

/** What can be edited of a note. What it leaves out is empty here. */
export interface Draft {
  readonly title: string;
  readonly body: string;
  readonly tags: readonly string[];
}

export type Member = keyof Draft;

/** An operation of JSON Patch (RFC 6902 4), of the three that are needed here. */
export type Operation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: string | readonly string[] }
  | { readonly op: 'remove'; readonly path: string };

export const members: readonly Member[] = ['title', 'body', 'tags'];

export function draftOf({ title, body = '', tags = [] }: Note): Draft {
  return { title, body, tags };
}

/** What is empty is left out. */
export function noteOf({ title, body, tags }: Draft): Omit<Note, 'id'> {
  return { title, ...(body !== '' && { body }), ...(tags.length > 0 && { tags }) };
}

export function changedMembers(from: Draft, to: Draft): readonly Member[] {
  return members.filter((member) => !isSame(from[member], to[member]));
}

/** The patch document that makes a note say what the draft does. */
export function patchTo(draft: Draft, note: Note): readonly Operation[] {
  const wanted = noteOf(draft);
  return changedMembers(draftOf(note), draft).map((member) => {
    const path = `/${member}`;
    const value = wanted[member];
    if (value === undefined) return { op: 'remove', path };
    return { op: note[member] === undefined ? 'add' : 'replace', path, value };
  });
}

/**
 * My changes on top of theirs: what I did not touch stays as they left it, so that keeping mine undoes nothing of
 * theirs that I never looked at.
 */
export function rebased(mine: Draft, base: Draft, theirs: Draft): Draft {
  const changed = changedMembers(base, mine);
  return { ...theirs, ...Object.fromEntries(changed.map((member) => [member, mine[member]])) };
}

function isSame(one: string | readonly string[], other: string | readonly string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
