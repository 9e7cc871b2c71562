import { formatPointer } from '../pointer';
import { childValues, isArray, isContainer, isJsonObject, type JsonObject } from '../value';
import { differingRuns, type DifferingRun } from './differing-runs';
import { EqualValues } from './equal-values';

/** An operation of a JSON Patch (RFC 6902), as `createJsonPatch` uses them. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/**
 * Creates the JSON Patch (RFC 6902) that turns `before` into `after`.
 *
 * Objects are compared member by member. Arrays are compared by a longest common subsequence, so that only
 * inserted and removed elements are in the patch; an array is replaced as a whole if that is shorter, if it
 * is long and almost completely different, or if the patch would have more than 1,000 operations.
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
  return new Difference(before, after).operations;
}

/** By default, servers refuse patches with more (`limits.operations` of `jsonPatch`). */
const maxOperations = 1000;

class Difference {
  readonly operations: JsonPatchOperation[] = [];
  readonly #values = new EqualValues();
  readonly #lengths = new Map<unknown, number>();

  constructor(before: unknown, after: unknown) {
    this.#addValue(before, after, '');
  }

  #addValue(before: unknown, after: unknown, path: string): void {
    if (isArray(before) && isArray(after)) this.#addArray(before, after, path);
    else if (isJsonObject(before) && isJsonObject(after)) this.#addObject(before, after, path);
    else if (before !== after) this.operations.push({ op: 'replace', path, value: after });
  }

  /** Objects are never replaced as a whole: the server refuses that for an object with a hidden member. */
  #addObject(before: JsonObject, after: JsonObject, path: string): void {
    for (const name of Object.keys(before)) {
      const pointer = path + formatPointer([name]);
      if (Object.hasOwn(after, name)) this.#addValue(before[name], after[name], pointer);
      else this.operations.push({ op: 'remove', path: pointer });
    }
    for (const name of Object.keys(after)) {
      if (Object.hasOwn(before, name)) continue;
      this.operations.push({ op: 'add', path: path + formatPointer([name]), value: after[name] });
    }
  }

  #addArray(before: readonly unknown[], after: readonly unknown[], path: string): void {
    const first = this.operations.length;
    const runs = differingRuns(before, after, this.#values);
    for (const run of runs ?? []) this.#addRun(before, after, run, path);
    const operations = this.operations.slice(first);
    const whole: JsonPatchOperation = { op: 'replace', path, value: after };
    const isWhole =
      runs === undefined ||
      this.operations.length > maxOperations ||
      this.#length(operations) > this.#length([whole]);
    if (isWhole) this.operations.splice(first, operations.length, whole);
  }

  /** Earlier runs are applied by then, so the indexes are those of `after`. */
  #addRun(before: readonly unknown[], after: readonly unknown[], run: DifferingRun, path: string): void {
    const { start, end } = run.after;
    const replaced = Math.min(run.before.end - run.before.start, end - start);
    for (let i = 0; i < replaced; i++) {
      this.#addValue(before[run.before.start + i], after[start + i], `${path}/${start + i}`);
    }
    const removed = run.before.end - run.before.start - replaced;
    for (let i = 0; i < removed; i++) {
      this.operations.push({ op: 'remove', path: `${path}/${start + replaced}` });
    }
    for (let i = start + replaced; i < end; i++) {
      this.operations.push({ op: 'add', path: `${path}/${i}`, value: after[i] });
    }
  }

  /** About how long the value is as JSON text. Each part is measured once, however many lists it is in. */
  #length(value: unknown): number {
    if (!isContainer(value)) return JSON.stringify(value).length;
    const known = this.#lengths.get(value);
    if (known !== undefined) return known;
    const names = isArray(value) ? 1 : JSON.stringify(Object.keys(value)).length;
    const length = childValues(value).reduce<number>((sum, child) => sum + 1 + this.#length(child), names);
    this.#lengths.set(value, length);
    return length;
  }
}
