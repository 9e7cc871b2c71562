import { formatPointer } from '../../parsers/json/pointer';
import { isArray, isEqualJson, isJsonObject, type JsonObject } from '../../parsers/json/value';
import { differingRuns } from './differing-runs';

/** An operation of a JSON Patch (RFC 6902), of those that a difference is told by. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/**
 * The JSON Patch (RFC 6902) that makes `after` of `before`, two JSON values; no operation where they are equal.
 *
 * Of objects it names the members that differ. Arrays are compared by a longest common subsequence, so that what was
 * inserted or removed is that and no more; an array is replaced whole where that takes fewer characters, or where it is long
 * and nearly all of it differs. Neither value is changed; the operations share parts of `after`.
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

/** Never replaced whole: above a member that the server hides, that would be refused. */
function ofObjects(before: JsonObject, after: JsonObject, path: string): readonly JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  for (const name of Object.keys(before)) {
    const place = path + formatPointer([name]);
    if (!Object.hasOwn(after, name)) operations.push({ op: 'remove', path: place });
    else operations.push(...operationsBetween(before[name], after[name], place));
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
    // What comes before is made already, so that places are those of `after`.
    const { start, end } = run.after;
    const replaced = Math.min(run.before.end - run.before.start, end - start);
    for (let i = 0; i < replaced; i++) {
      const place = `${path}/${start + i}`;
      operations.push(...operationsBetween(before[run.before.start + i], after[start + i], place));
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
