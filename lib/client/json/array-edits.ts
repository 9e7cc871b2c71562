import { isArray, isContainer, isJsonObject, memberOf } from '../../parsers/json/value';
import { differingRuns } from './differing-runs';

/** What became of each element of an array, and what was inserted between them. */
export interface ArrayEdits {
  /** What now stands for the element; undefined where it was removed. */
  kept(index: number): unknown;
  /** What was inserted in front of the element, or at the end. */
  insertedAt(index: number): readonly unknown[];
}

/** The members by which apps tell one element from another. */
const names = ['id', '_id', 'key'];

/** Undefined where finding them would cost too much. */
export function editsOf(before: readonly unknown[], after: readonly unknown[]): ArrayEdits | undefined {
  const runs = differingRuns(before, after);
  if (runs === undefined) return undefined;
  const elements = [...before];
  const inserted = new Map<number, unknown[]>();
  for (const run of runs) {
    let place = run.before.start;
    for (let i = run.after.start; i < run.after.end; i++) {
      const element = after[i];
      if (place < run.before.end && isSameThing(before[place], element)) elements[place++] = element;
      else inserted.set(place, [...(inserted.get(place) ?? []), element]);
    }
    elements.fill(undefined, place, run.before.end);
  }
  return { kept: (index) => elements[index], insertedAt: (index) => inserted.get(index) ?? [] };
}

/** Whether one may have become the other: two objects that name themselves differently have not. */
function isSameThing(before: unknown, after: unknown): boolean {
  if (!isJsonObject(before) || !isJsonObject(after)) {
    return isContainer(before) === isContainer(after) && isArray(before) === isArray(after);
  }
  return names.every((name) => memberOf(before, name) === memberOf(after, name));
}
