import { hiddenMember, objectAboveHidden, type HiddenPath } from '../../formats/refuse-hidden';
import { isAtOrBelow, tokensIn } from '../../json/pointer';
import { changeMembers, isJsonObject, ownMember } from '../../json/value';
import { createPointerTree, type PointerNode } from './pointer-tree';

/**
 * The members of a value that clients can neither see nor change. They are removed before a patch is applied
 * and put back afterwards. They are never compared with anything, so no answer reveals anything about them.
 */
export class HiddenMembers {
  readonly paths: readonly HiddenPath[];
  readonly #tree: PointerNode;

  /** @param pointers - JSON Pointers, none of them empty */
  constructor(pointers: readonly string[] = []) {
    const all = [...new Set(pointers)].map(tokensIn);
    // A path below another hidden one adds nothing.
    this.paths = all.filter((path) => !all.some((above) => above !== path && isAtOrBelow(path, above)));
    this.#tree = createPointerTree(this.paths);
  }

  /** The value without its hidden members; the value itself if it has none. */
  visible<T>(value: T): T {
    // The app hides only members that are optional to it; the compiler cannot follow paths that are data.
    return without(value, this.#tree) as T;
  }

  /**
   * The final check of the result of any patch format: nothing is written at or below a hidden path, and
   * every object above one is still an object.
   *
   * @throws PatchError 422 `hidden-member`
   */
  assertUntouched(visible: unknown, result: unknown): void {
    for (const path of this.paths) {
      let [before, after] = [visible, result];
      for (const [depth, token] of path.entries()) {
        if (!isJsonObject(after)) {
          if (isJsonObject(before)) throw objectAboveHidden(path.slice(0, depth));
          break;
        }
        if (depth === path.length - 1 && Object.hasOwn(after, token)) throw hiddenMember(path);
        before = isJsonObject(before) ? ownMember(before, token) : undefined;
        after = ownMember(after, token);
      }
    }
  }

  /**
   * The result of a patch with the hidden members of `base`. Members that `base` lacks are left out.
   */
  restored<T>(result: T, base: unknown): T {
    return restored(result, base, this.#tree) as T;
  }

  /** Whether a JSON Pointer leads to a hidden member or into one. */
  covers(pointer: string): boolean {
    const tokens = tokensIn(pointer);
    return this.paths.some((path) => isAtOrBelow(tokens, path));
  }
}

/** Visits the hidden members only, and copies each object above them once. */
function without(value: unknown, { children }: PointerNode): unknown {
  if (!isJsonObject(value)) return value;
  return changeMembers(value, children.keys(), (name, old) => {
    const node = children.get(name);
    return node === undefined || node.whole ? undefined : without(old, node);
  });
}

/** The order of members that no client sees together does not matter: those that are put back come last. */
function restored(result: unknown, base: unknown, node: PointerNode): unknown {
  // Where there is no object for one, `assertUntouched` has seen that there was none.
  if (!isJsonObject(result)) return result;
  const { children } = node;
  return changeMembers(result, children.keys(), (name, old) => {
    const [child, kept] = [children.get(name), isJsonObject(base) ? ownMember(base, name) : undefined];
    return child === undefined || child.whole ? kept : restored(old, kept, child);
  });
}
