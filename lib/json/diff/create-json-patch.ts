import { formatPointer } from '../pointer';
import { jsonArgument } from '../to-json';
import { childValues, differingNames, isArray, isContainer, isJsonObject, type JsonObject } from '../value';
import { alignLists } from './align-lists';
import { EqualValues } from './equal-values';

/** An operation of a JSON Patch (RFC 6902) that `createJsonPatch` can create. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/**
 * Creates the JSON Patch (RFC 6902) that turns `before` into `after`.
 *
 * Objects are compared member by member. Elements of arrays are recognised by the member `id`, `_id` or `key`
 * if both arrays have its value exactly once, or else by equality; elements between recognised ones are
 * compared by position. An array is replaced as a whole if that is shorter, or if the patch would have more
 * than 1,000 operations.
 *
 * @param before - a JSON value; it is not modified
 * @param after - a JSON value; it is not modified, and the operations share parts of it
 * @returns the operations; none if the values are equal
 * @throws JsonError `not-json` for a value that JSON cannot hold, such as NaN or a Map
 *
 * @example
 * ```ts
 * createJsonPatch({ tags: ['a', 'c'] }, { tags: ['a', 'b', 'c'] });
 * // [{ op: 'add', path: '/tags/1', value: 'b' }]
 * ```
 */
export function createJsonPatch(before: unknown, after: unknown): readonly JsonPatchOperation[] {
  const [from, to] = [
    jsonArgument(before, 'The argument before', after),
    jsonArgument(after, 'The argument after', before),
  ];
  return new Difference(from, to).operations;
}

/** By default, servers refuse patches with more operations (`limits.operations` of `jsonPatch`). */
const maxOperations = 1000;
/** The approximate length of an operation without its path and value. */
const besidePath = 30;

class Difference {
  readonly operations: JsonPatchOperation[] = [];
  /** The approximate length of the operations as JSON text. */
  #length = 0;
  readonly #lengths = new Map<unknown, number>();
  readonly #values = new EqualValues();
  /** The reference tokens of the part that is being compared. */
  readonly #tokens: string[] = [];

  constructor(before: unknown, after: unknown) {
    this.#addValue(before, after);
  }

  #addValue(before: unknown, after: unknown): void {
    if (isArray(before) && isArray(after)) this.#addArray(before, after);
    else if (isJsonObject(before) && isJsonObject(after)) this.#addObject(before, after);
    else if (before !== after) this.#add('replace', after);
  }

  /** Objects are never replaced as a whole, because servers refuse that for an object with a hidden member. */
  #addObject(before: JsonObject, after: JsonObject): void {
    for (const name of differingNames(before, after)) {
      this.#at(name, () => {
        if (!Object.hasOwn(after, name)) this.#add('remove');
        else if (!Object.hasOwn(before, name)) this.#add('add', after[name]);
        else this.#addValue(before[name], after[name]);
      });
    }
  }

  /** Replaces an array as a whole if that is shorter, or if there would be too many operations. */
  #addArray(before: readonly unknown[], after: readonly unknown[]): void {
    // Most lists of texts and numbers inside two versions of a document are equal.
    if (before.length === after.length && before.every((element, i) => element === after[i])) return;
    const [count, length] = [this.operations.length, this.#length];
    // Only as many elements are measured as the operations are long.
    let wholeLength = length + formatPointer(this.#tokens).length + besidePath + 1;
    let measured = 0;
    let index = 0;
    for (const row of alignLists(before, after, this.#values)) {
      this.#at(String(index), () => {
        if (row.after === undefined) this.#add('remove');
        else if (row.before === undefined) this.#add('add', after[row.after]);
        else this.#addValue(before[row.before], after[row.after]);
      });
      if (row.after !== undefined) index++;
      while (wholeLength < this.#length && measured < after.length)
        wholeLength += 1 + this.#measure(after[measured++]);
      if (this.#length <= wholeLength && this.operations.length <= maxOperations) continue;
      this.operations.length = count;
      this.#length = length;
      this.#add('replace', after);
      return;
    }
  }

  #at(token: string, act: () => void): void {
    this.#tokens.push(token);
    act();
    this.#tokens.pop();
  }

  #add(op: 'add' | 'remove' | 'replace', value?: unknown): void {
    const path = formatPointer(this.#tokens);
    this.operations.push(op === 'remove' ? { op, path } : { op, path, value });
    this.#length += path.length + (op === 'remove' ? 0 : this.#measure(value)) + besidePath;
  }

  /**
   * The approximate length of the value as JSON text. Each part is measured once, even if it is in several
   * lists.
   */
  #measure(value: unknown): number {
    if (typeof value === 'string') return JSON.stringify(value).length;
    if (!isContainer(value)) return String(value).length;
    const known = this.#lengths.get(value);
    if (known !== undefined) return known;
    let length = isArray(value) ? 1 : JSON.stringify(Object.keys(value)).length;
    for (const child of childValues(value)) length += 1 + this.#measure(child);
    this.#lengths.set(value, length);
    return length;
  }
}
