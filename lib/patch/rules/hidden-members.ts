import { hiddenMember, objectAboveHidden, type HiddenPath } from '../formats/refuse-hidden';
import { tokensIn, valueAt } from '../../json/pointer';
import { changeMembers, isJsonObject, ownMember } from '../../json/value';
import { createPointerTree, type PointerNode } from './pointer-tree';

/**
 * The members of a value that clients cannot see: `hidden` members, which they cannot change either, and
 * `writeOnly` members. They are removed before a patch is applied and put back afterwards. They are never
 * compared with anything, so no answer reveals anything about them.
 */
export class HiddenMembers {
  /** The paths of members that clients cannot change either. */
  readonly paths: readonly HiddenPath[];
  readonly #writeOnly: readonly HiddenPath[];
  /** The paths of all members that clients cannot see. */
  readonly #tree: PointerNode;

  /**
   * @param hidden - JSON Pointers, none of them empty
   * @param writeOnly - JSON Pointers of the members that clients can set
   */
  constructor(hidden: readonly string[] = [], writeOnly: readonly string[] = []) {
    this.paths = [...new Set(hidden)].map(tokensIn);
    this.#writeOnly = [...new Set(writeOnly)].map(tokensIn);
    this.#tree = createPointerTree([...this.paths, ...this.#writeOnly]);
  }

  /** The value without its hidden members; the value itself if it has none. */
  visible<T>(value: T): T {
    // The app must hide only members that are optional in T; the compiler cannot follow paths that are data.
    return without(value, this.#tree) as T;
  }

  /** The result without the members that clients can neither see nor change. */
  leaveOut(result: unknown): unknown {
    return this.paths.length === 0 ? result : without(result, createPointerTree(this.paths));
  }

  /**
   * The final check of the result of any patch format: it has no value at or below a path in `hidden`, and
   * every object above a member that clients cannot see is still an object.
   *
   * @throws PatchError 422 `hidden-member`
   */
  assertUntouched(visible: unknown, result: unknown): void {
    for (const path of [...this.paths, ...this.#writeOnly]) {
      let [before, after] = [visible, result];
      for (const [depth, token] of path.entries()) {
        if (!isJsonObject(after)) {
          if (isJsonObject(before)) throw objectAboveHidden(path.slice(0, depth));
          break;
        }
        if (depth === path.length - 1 && Object.hasOwn(after, token) && this.paths.includes(path))
          throw hiddenMember(path);
        before = isJsonObject(before) ? ownMember(before, token) : undefined;
        after = ownMember(after, token);
      }
    }
  }

  /**
   * The result of a patch with the members of `base` that the client has not set. Members that `base` lacks
   * are left out.
   */
  restored<T>(result: T, base: unknown): T {
    return restored(result, base, this.#tree) as T;
  }

  /** The paths of the members that the client has not set in this result, so that `base` has their values. */
  unset(result: unknown): readonly HiddenPath[] {
    return [...this.paths, ...this.#writeOnly.filter((path) => valueAt(result, path) === undefined)];
  }
}

/** Visits only the hidden members, and copies each object above them once. */
function without(value: unknown, { children }: PointerNode): unknown {
  if (!isJsonObject(value)) return value;
  return changeMembers(value, children.keys(), (name, old) => {
    const node = children.get(name);
    return node === undefined || node.whole ? undefined : without(old, node);
  });
}

/**
 * Members that are put back come last. Their order does not matter, because no client sees them beside the
 * other members.
 */
function restored(result: unknown, base: unknown, node: PointerNode): unknown {
  // If there is no object for the member, there was none before: `assertUntouched` has checked that.
  if (!isJsonObject(result)) return result;
  const { children } = node;
  return changeMembers(result, children.keys(), (name, old) => {
    const [child, earlier] = [children.get(name), isJsonObject(base) ? ownMember(base, name) : undefined];
    // A member in `hidden` is never in the result: `assertUntouched` has checked that.
    if (child !== undefined && !child.whole) return restored(old, earlier, child);
    return old === undefined ? earlier : old;
  });
}
