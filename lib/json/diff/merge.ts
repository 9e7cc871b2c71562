import { setMember, type JsonObject } from '../value';
import { jsonArgument } from '../to-json';
import { EqualValues } from './equal-values';
import { createKeyReaders, defaultNames, readText, type Identity } from './identity';
import { checkElements } from './merge-check';
import { conflict, divide, type MergeNode } from './merge-node';

/** Options of `merge`. */
export interface MergeOptions {
  /**
   * The identity of list elements: the name of a member; a list of names, of which the first that identifies
   * every element is used; or a function of the element and the JSON Pointer of its list in `base`, which
   * returns undefined if the element has no identity. Default: `['id', '_id', 'key']`.
   */
  readonly identity?: Identity | undefined;
}

/** The result of `merge`. */
export interface MergeResult<T = unknown> {
  /**
   * JSON Pointers into `base` of the parts that both sides have changed in different ways, each once; empty
   * if there is no conflict. For an element that `base` does not have, or for two different orders of a list,
   * it is the pointer of the list. At each pointer, `withMine` and `withTheirs` have the whole value of one
   * side.
   */
  readonly paths: readonly string[];
  /** All changes of both sides, with the values of `mine` at `paths`. */
  readonly withMine: T;
  /** All changes of both sides, with the values of `theirs` at `paths`. */
  readonly withTheirs: T;
}

/**
 * Three-way merge: applies the change from `base` to `mine` and the change from `base` to `theirs`.
 *
 * Objects are merged member by member, at any depth. Equal changes are not a conflict. Lists are merged by
 * the first of these rules that holds in all three values:
 *
 * - Every element has an `identity` that no other element of its list has: elements that one side has added,
 *   removed, changed or moved are so in the result, and an element that both have added is one element. It is
 *   a conflict if one side has removed an element that the other has changed, or if both have moved elements
 *   in different ways.
 * - Every element is a text that the list has only once, and is its own identity. It is a conflict on the
 *   list if both sides have removed the same text and added different ones.
 * - Any other list is one value, and a conflict if both sides have changed it in different ways.
 *
 * Then the result is checked: an element with an identity that each of the three values has at most once must
 * be in the result at most once, and must be in it if both sides have it. If that fails, for example because
 * both sides have moved it to different lists, the smallest container with all its places becomes one value,
 * and a conflict.
 *
 * Without a conflict, the result is the same whichever side is passed as `mine`.
 *
 * @param base - the JSON value from which both changes started
 * @param mine - the JSON value with the changes of one side
 * @param theirs - the JSON value with the changes of the other side
 * @returns the merged value, with each side's values where they conflict, and the pointers of the conflicts.
 *   The arguments are not modified; the results share parts of them.
 * @throws JsonError `not-json` for a value that JSON cannot hold, such as NaN or a Map
 * @throws TypeError if `identity` is invalid, or is a function that returns anything but a string, a number
 *   or undefined; and the errors of that function
 *
 * @example
 * ```ts
 * const base = [{ id: 1, done: false }, { id: 2, done: false }];
 * const mine = [{ id: 2, done: false }, { id: 1, done: false }];
 * const theirs = [{ id: 1, done: true }, { id: 2, done: false }];
 * merge(base, mine, theirs).withMine;
 * // [{ id: 2, done: false }, { id: 1, done: true }]
 * ```
 */
export function merge<T>(
  base: T,
  mine: T,
  theirs: T,
  { identity = defaultNames }: MergeOptions = {},
): MergeResult<T> {
  const readKeys = [...createKeyReaders(identity), readText];
  const from = jsonArgument(base, 'The argument base');
  const values = [
    from,
    jsonArgument(mine, 'The argument mine', from),
    jsonArgument(theirs, 'The argument theirs', from),
  ] as const;
  const root = divide(values, new EqualValues(), readKeys);
  checkElements(root, readKeys);
  const paths = new Set<string>();
  addConflicts(root, paths);
  // The result consists of parts of three values of type T.
  const withTheirs = join(root, 1) as T;
  const withMine = paths.size > 0 ? (join(root, 0) as T) : withTheirs;
  return { paths: [...paths], withMine, withTheirs };
}

function addConflicts({ path, choices, parts, orders }: MergeNode, paths: Set<string>): void {
  for (const part of parts?.values() ?? []) addConflicts(part, paths);
  const isConflict =
    parts === undefined ? choices === conflict : orders !== undefined && orders[0] !== orders[1];
  if (isConflict) paths.add(path);
}

/** The merged value of a part, in `withMine` or in `withTheirs`. */
function join({ values, choices, parts, orders }: MergeNode, winner: 0 | 1): unknown {
  if (parts === undefined) return values[choices[winner]];
  if (orders !== undefined) {
    return orders[winner].flatMap((key) => {
      const part = parts.get(key);
      const element = part && join(part, winner);
      return element === undefined ? [] : [element];
    });
  }
  const object: JsonObject = {};
  for (const [name, part] of parts) {
    const member = join(part, winner);
    if (member !== undefined) setMember(object, String(name), member);
  }
  return object;
}
