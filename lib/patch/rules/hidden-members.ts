import { hiddenMember, objectAboveHidden, type HiddenPath } from '../../formats/refuse-hidden';
import { isAtOrBelow, tokensIn } from '../../json/pointer';
import { isJsonObject, ownMember, setMember, type JsonObject } from '../../json/value';

/**
 * The members of a value that clients can neither see nor change. They are removed before a patch is applied
 * and put back afterwards. They are never compared with anything, so no answer reveals anything about them.
 */
export class HiddenMembers {
  readonly paths: readonly HiddenPath[];

  /** @param pointers - JSON Pointers, none of them empty */
  constructor(pointers: readonly string[] = []) {
    const all = [...new Set(pointers)].map(tokensIn);
    // A path below another hidden one adds nothing.
    this.paths = all.filter((path) => !all.some((above) => above !== path && isAtOrBelow(path, above)));
  }

  /** The value without its hidden members; the value itself if it has none. */
  visible<T>(value: T): T {
    // The app hides only members that are optional to it; the compiler cannot follow paths that are data.
    return this.paths.reduce<unknown>((rest, path) => without(rest, path), value) as T;
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
    return this.paths.reduce<unknown>((value, path) => restored(value, base, path), result) as T;
  }

  /** Whether a JSON Pointer leads to a hidden member or into one. */
  covers(pointer: string): boolean {
    const tokens = tokensIn(pointer);
    return this.paths.some((path) => isAtOrBelow(tokens, path));
  }
}

function without(value: unknown, [name, ...rest]: HiddenPath): unknown {
  if (name === undefined || !isJsonObject(value) || !Object.hasOwn(value, name)) return value;
  const child = rest.length === 0 ? undefined : without(value[name], rest);
  if (rest.length > 0 && child === value[name]) return value;
  const copy = { ...value };
  if (rest.length === 0) Reflect.deleteProperty(copy, name);
  else setMember(copy, name, child);
  return copy;
}

function restored(result: unknown, base: unknown, path: HiddenPath): unknown {
  const kept = memberAt(base, path);
  return kept === undefined ? without(result, path) : withMember(result, base, path, kept);
}

/** The member at `path`, if the path leads through objects only. */
function memberAt(value: unknown, path: HiddenPath): unknown {
  let node = value;
  for (const token of path) {
    if (!isJsonObject(node)) return undefined;
    node = ownMember(node, token);
  }
  return node;
}

function withMember(
  result: unknown,
  base: unknown,
  [name = '', ...rest]: HiddenPath,
  kept: unknown,
): unknown {
  // Never: `assertUntouched` has seen that each object above it is there.
  if (!isJsonObject(result) || !isJsonObject(base)) return result;
  const old = ownMember(result, name);
  const next = rest.length === 0 ? kept : withMember(old, ownMember(base, name), rest, kept);
  if (next === old) return result;
  if (!Object.hasOwn(result, name)) return keepOrder(base, result, name, next);
  const copy = { ...result };
  setMember(copy, name, next);
  return copy;
}

/** Adds a member, before those that follow it in `base`: the order of members is part of the body. */
function keepOrder(base: JsonObject, result: JsonObject, name: string, value: unknown): JsonObject {
  const names = Object.keys(base);
  const later = new Set(names.slice(names.indexOf(name) + 1));
  const ordered: JsonObject = {};
  for (const [other, member] of Object.entries(result)) {
    if (later.has(other) && !Object.hasOwn(ordered, name)) setMember(ordered, name, value);
    setMember(ordered, other, member);
  }
  if (!Object.hasOwn(ordered, name)) setMember(ordered, name, value);
  return ordered;
}
