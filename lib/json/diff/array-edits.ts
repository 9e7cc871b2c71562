import { isArray, isContainer, isJsonObject, ownMember } from '../value';
import { differingRuns } from './differing-runs';

/** What happened to each element of an array, and what was inserted between them. */
export interface ArrayEdits {
  /** The new value of the element; undefined if it was removed. */
  kept(index: number): unknown;
  /** The elements that were inserted before the element, or at the end. */
  insertedAt(index: number): readonly unknown[];
}

/** The members by which apps identify elements. */
const identifiers = ['id', '_id', 'key'];

/** The edits between two arrays; undefined if finding them would be too expensive. */
export function findEdits(before: readonly unknown[], after: readonly unknown[]): ArrayEdits | undefined {
  const runs = differingRuns(before, after);
  if (runs === undefined) return undefined;
  const elements = [...before];
  const inserted = new Map<number, unknown[]>();
  for (const run of runs) {
    let index = run.before.start;
    for (let i = run.after.start; i < run.after.end; i++) {
      const element = after[i];
      if (index < run.before.end && isSameElement(before[index], element)) {
        elements[index++] = element;
        continue;
      }
      const there = inserted.get(index);
      if (there === undefined) inserted.set(index, [element]);
      else there.push(element);
    }
    elements.fill(undefined, index, run.before.end);
  }
  return { kept: (index) => elements[index], insertedAt: (index) => inserted.get(index) ?? [] };
}

/** Whether one can be the changed form of the other: not if they are objects with different identifiers. */
function isSameElement(before: unknown, after: unknown): boolean {
  if (!isJsonObject(before) || !isJsonObject(after)) {
    return isContainer(before) === isContainer(after) && isArray(before) === isArray(after);
  }
  return identifiers.every((name) => ownMember(before, name) === ownMember(after, name));
}
