import { isArray, isContainer, isJsonObject } from '../value';
import { differingRuns } from './differing-runs';
import type { Pass } from './merge-pass';

/** What happened to each element of an array, and what was inserted between them. */
export interface ArrayEdits {
  /** The new value of the element; undefined if it was removed. */
  elementAt(index: number): unknown;
  /** The elements that were inserted before the element, or at the end. */
  insertionsAt(index: number): readonly unknown[];
}

/**
 * The edits between two arrays; undefined if finding them would be too expensive.
 *
 * @param path - of the array
 */
export function findEdits(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  { readKeys, values }: Pick<Pass, 'readKeys' | 'values'>,
): ArrayEdits | undefined {
  const runs = differingRuns(before, after, values);
  if (runs === undefined) return undefined;
  /** Whether one can be the changed form of the other: not if they are objects with different identities. */
  const isSameElement = (one: unknown, other: unknown): boolean => {
    if (!isJsonObject(one) || !isJsonObject(other)) {
      return isContainer(one) === isContainer(other) && isArray(one) === isArray(other);
    }
    return readKeys.every((readKey) => readKey(one, path) === readKey(other, path));
  };
  const elements = [...before];
  const insertions = new Map<number, unknown[]>();
  for (const run of runs) {
    let index = run.before.start;
    for (let i = run.after.start; i < run.after.end; i++) {
      const element = after[i];
      if (index < run.before.end && isSameElement(before[index], element)) {
        elements[index++] = element;
        continue;
      }
      const there = insertions.get(index) ?? [];
      there.push(element);
      insertions.set(index, there);
    }
    elements.fill(undefined, index, run.before.end);
  }
  return { elementAt: (index) => elements[index], insertionsAt: (index) => insertions.get(index) ?? [] };
}
