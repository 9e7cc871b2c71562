import { formatPointer } from '../pointer';
import { isArray, isEqualJson, isJsonObject, type JsonObject } from '../value';
import { differingRuns } from './differing-runs';

/** An operation of a JSON Patch (RFC 6902), as `createJsonPatch` uses them. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/**
 * Creates the JSON Patch (RFC 6902) that turns `before` into `after`.
 *
 * Objects are compared member by member. Arrays are compared by a longest common subsequence, so that only
 * inserted and removed elements are in the patch; an array is replaced as a whole if that is shorter, or if
 * it is long and almost completely different.
 *
 * @param before - a JSON value; it is not modified
 * @param after - a JSON value; it is not modified, and the operations share parts of it
 * @returns the operations; none if the values are equal
 *
 * @example
 * ```ts
 * createJsonPatch({ tags: ['a', 'c'] }, { tags: ['a', 'b', 'c'] });
 * // [{ op: 'add', path: '/tags/1', value: 'b' }]
 * ```
 */
export function createJsonPatch(before: unknown, after: unknown): readonly JsonPatchOperation[] {
  return operationsBetween(before, after, '');
}

function operationsBetween(before: unknown, after: unknown, path: string): readonly JsonPatchOperation[] {
  if (isArray(before) && isArray(after)) return ofArrays(before, after, path);
  if (isJsonObject(before) && isJsonObject(after)) return ofObjects(before, after, path);
  return isEqualJson(before, after) ? [] : [{ op: 'replace', path, value: after }];
}

/** Objects are never replaced as a whole: the server refuses that for an object with a hidden member. */
function ofObjects(before: JsonObject, after: JsonObject, path: string): readonly JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  for (const name of Object.keys(before)) {
    const pointer = path + formatPointer([name]);
    if (!Object.hasOwn(after, name)) operations.push({ op: 'remove', path: pointer });
    else operations.push(...operationsBetween(before[name], after[name], pointer));
  }
  for (const name of Object.keys(after)) {
    if (!Object.hasOwn(before, name)) {
      operations.push({ op: 'add', path: path + formatPointer([name]), value: after[name] });
    }
  }
  return operations;
}

function ofArrays(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
): readonly JsonPatchOperation[] {
  const whole: readonly JsonPatchOperation[] = [{ op: 'replace', path, value: after }];
  const runs = differingRuns(before, after);
  if (runs === undefined) return whole;
  const operations: JsonPatchOperation[] = [];
  for (const run of runs) {
    // Earlier runs are applied by then, so the indexes are those of `after`.
    const { start, end } = run.after;
    const replaced = Math.min(run.before.end - run.before.start, end - start);
    for (let i = 0; i < replaced; i++) {
      const pointer = `${path}/${start + i}`;
      operations.push(...operationsBetween(before[run.before.start + i], after[start + i], pointer));
    }
    const removed = run.before.end - run.before.start - replaced;
    for (let i = 0; i < removed; i++) operations.push({ op: 'remove', path: `${path}/${start + replaced}` });
    for (let i = start + replaced; i < end; i++) {
      operations.push({ op: 'add', path: `${path}/${i}`, value: after[i] });
    }
  }
  if (operations.length === 0) return operations;
  return JSON.stringify(operations).length > JSON.stringify(whole).length ? whole : operations;
}
