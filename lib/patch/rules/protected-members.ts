import type { Awaitable } from '../../config/object';
import { inspectName, inspectResult } from '../../config/inspect';
import { formatPointer, isAtOrBelow, parsePointer, tokensIn, valueAt } from '../../json/pointer';
import {
  changeMembers,
  differingNames,
  isArray,
  isEqualJson,
  isJsonObject,
  ownMember,
  setMember,
  type JsonObject,
} from '../../json/value';
import type { PatchRequest } from '../../http/middleware';
import { createPointerTree, type PointerNode } from './pointer-tree';

/** The members that clients cannot write, or the only ones that they can, as JSON Pointers. */
interface ProtectedMembers {
  readonly readOnly?: readonly string[] | undefined;
  readonly writable?: readonly string[] | undefined;
}

/** The options of `patchHandler` that protect members. */
interface ProtectionOptions<T> {
  readonly readOnly?: readonly string[];
  readonly writable?:
    | readonly string[]
    | ((req: PatchRequest, current: T | undefined) => Awaitable<readonly string[] | 'all'>);
}

/** The members of one state of the resource that one request must not change. */
export interface Protection {
  /** The JSON Pointer of the first protected member that is changed; undefined if there is none. */
  readonly firstChange: (before: unknown, after: unknown) => string | undefined;
  /**
   * Whether the members are protected because this request lacks the right to change them, which others may
   * have.
   */
  readonly isRight: boolean;
  /** Adds the current values of members that a PUT leaves out but cannot remove. */
  readonly complete: Complete;
  /** The result without changes to protected members of objects, unless other requests may change these. */
  readonly leaveOut: (before: unknown, after: unknown) => unknown;
  /** Whether the member at this path, or a part of it, is protected. */
  readonly protects: (path: readonly string[]) => 'whole' | 'part' | undefined;
}

/**
 * Creates the function that finds the protected members for a request. It is called once for each state, so
 * that the members that PUT keeps, and both checks of the result, follow from one answer of the app.
 *
 * @param keptByStore - the members that only the store writes, which a PUT can leave out
 * @throws TypeError if the app's function returns neither a list of JSON Pointers nor `'all'`
 */
export function compileProtection<T>(
  { readOnly, writable }: ProtectionOptions<T>,
  keptByStore: readonly string[] | undefined,
): (req: PatchRequest, current: T | undefined) => Protection | Promise<Protection> {
  const completeByStore = keptMembers({ readOnly: keptByStore });
  const leaveOutForStore = leftOut({ readOnly: keptByStore });
  const compile = (members: ProtectedMembers, isRight = false): Protection => {
    const complete = keptMembers(members);
    const leaveOut = leftOut(members);
    return {
      firstChange: protectionCheck(members),
      isRight,
      complete: (before, sent) => completeByStore(before, complete(before, sent)),
      leaveOut: isRight
        ? (_before, after) => after
        : (before, after) => leaveOutForStore(before, leaveOut(before, after)),
      protects: protectedPaths(members),
    };
  };
  if (typeof writable !== 'function') {
    const protection = compile({ readOnly, writable });
    return () => protection;
  }
  const everything = compile({});
  return async (req, current) => {
    const pointers = checkedPointers(await writable(req, current));
    return pointers === 'all' ? everything : compile({ writable: pointers }, true);
  };
}

/** Anything else, such as undefined, would grant or deny rights by accident. */
function checkedPointers(result: unknown): readonly string[] | 'all' {
  if (result === 'all') return result;
  if (!Array.isArray(result)) throw invalidPointers(`returned ${inspectResult(result)}`);
  // A hole in the list becomes undefined; map() would skip it.
  return Array.from(result, (pointer: unknown) => {
    const parsed = typeof pointer === 'string' ? parsePointer(pointer) : undefined;
    if (parsed?.tokens.includes('*') === false) return parsed.text;
    const reason = parsed === undefined ? 'which is not a JSON Pointer' : 'in which * is not a wildcard';
    throw invalidPointers(`returned a list with ${inspectName(pointer)}, ${reason}`);
  });
}

function invalidPointers(what: string): TypeError {
  return new TypeError(
    `The option writable ${what}. Return a list of JSON Pointers, such as ['/title'], or 'all'.`,
  );
}

function protectedPaths({ readOnly = [], writable }: ProtectedMembers): Protection['protects'] {
  const closed = readOnly.map(tokensIn);
  const open = writable?.map(tokensIn);
  return (path) => {
    if (open === undefined) return coverage(closed, path);
    const opened = coverage(open, path);
    return opened === undefined ? 'whole' : opened === 'part' ? 'part' : undefined;
  };
}

/** Whether one of these paths leads to the member at `path` or above it (`whole`), or into it (`part`). */
export function coverage(
  paths: readonly (readonly string[])[],
  path: readonly string[],
): 'whole' | 'part' | undefined {
  if (paths.some((other) => isAtOrBelow(path, other))) return 'whole';
  return paths.some((other) => isAtOrBelow(other, path)) ? 'part' : undefined;
}

/**
 * Creates the check that a change does not touch members that clients cannot write.
 *
 * @returns the JSON Pointer of the first protected member that is changed; undefined if there is none
 */
export function protectionCheck({
  readOnly = [],
  writable,
}: ProtectedMembers): (before: unknown, after: unknown) => string | undefined {
  const guarded = readOnly.map((pointer) => ({ pointer, path: tokensIn(pointer) }));
  const root = writable && createPointerTree(writable.map(tokensIn));
  return (before, after) => {
    for (const { pointer, path } of guarded) {
      if (!isEqualJson(valueAt(after, path), valueAt(before, path))) return pointer;
    }
    const path = root && firstChange(before, after, root);
    return path && formatPointer(path);
  };
}

/**
 * The path to the first change outside the `whole` nodes. A patch shares the parts that it does not touch, so
 * equal references end the search.
 */
function firstChange(
  before: unknown,
  after: unknown,
  node: PointerNode | undefined,
): readonly string[] | undefined {
  if (before === after || node?.whole === true) return undefined;
  if (node !== undefined && isJsonObject(before) && isJsonObject(after)) {
    for (const name of differingNames(before, after)) {
      const change = firstChange(ownMember(before, name), ownMember(after, name), node.children.get(name));
      if (change !== undefined) return [name, ...change];
    }
    return undefined;
  }
  if (node !== undefined && isArray(before) && isArray(after) && before.length === after.length) {
    for (let index = 0; index < before.length; index++) {
      const [old, next] = [before[index], after[index]];
      const change = old === next ? undefined : firstChange(old, next, node.children.get(String(index)));
      if (change !== undefined) return [String(index), ...change];
    }
    return undefined;
  }
  return isEqualJson(before, after) ? undefined : [];
}

/** Creates the function that undoes changes to protected members of objects. */
function leftOut({ readOnly = [], writable }: ProtectedMembers): Protection['leaveOut'] {
  const isListed = writable === undefined;
  const root = createPointerTree((writable ?? readOnly).map(tokensIn));
  return (before, after) => (root.whole ? after : withoutChanges(before, after, root, isListed));
}

/** @param isListed - whether the `whole` nodes of the tree are protected, or all other members */
function withoutChanges(before: unknown, after: unknown, node: PointerNode, isListed: boolean): unknown {
  if (!isJsonObject(before) || !isJsonObject(after)) return after;
  const names = isListed ? node.children.keys() : new Set([...Object.keys(before), ...Object.keys(after)]);
  return changeMembers(after, names, (name, next) => {
    const [child, old] = [node.children.get(name), ownMember(before, name)];
    if (child === undefined || child.whole) return (child !== undefined) === isListed ? old : next;
    return withoutChanges(old, next, child, isListed);
  });
}

/** Adds members to the representation that a PUT sends. Neither argument is modified. */
type Complete = (before: unknown, sent: unknown) => unknown;

/**
 * Creates the function that adds the current values of members that a PUT leaves out but cannot remove.
 * Members that the PUT sends stay as they are, and the rules check them.
 */
export function keptMembers({ readOnly = [], writable }: ProtectedMembers): Complete {
  if (writable === undefined && readOnly.length === 0) return (_before, sent) => sent;
  const root = createPointerTree((writable ?? readOnly).map(tokensIn));
  const keepsListed = writable === undefined;
  return (before, sent) =>
    !root.whole && isJsonObject(before) && isJsonObject(sent)
      ? completed(before, sent, root, keepsListed)
      : sent;
}

/** @param keepsListed - whether the `whole` nodes of the tree are kept, or all other members */
function completed(
  before: JsonObject,
  sent: JsonObject,
  node: PointerNode,
  keepsListed: boolean,
): JsonObject {
  const membersToKeep: JsonObject = {};
  for (const name of keepsListed ? node.children.keys() : Object.keys(before)) {
    const member = valueToKeep(before, sent, name, node.children.get(name), keepsListed);
    if (member !== undefined) setMember(membersToKeep, name, member);
  }
  const names = Object.keys(membersToKeep);
  // If the request has all the members, they keep its order, so that GET can return the same bytes; otherwise
  // the order of the current value.
  if (names.every((name) => Object.hasOwn(sent, name))) {
    return changeMembers(sent, names, (name) => membersToKeep[name]);
  }
  const whole: JsonObject = {};
  for (const name of Object.keys(before)) {
    const member = Object.hasOwn(membersToKeep, name) ? membersToKeep[name] : ownMember(sent, name);
    if (member !== undefined) setMember(whole, name, member);
  }
  for (const name of Object.keys(sent)) if (!Object.hasOwn(before, name)) setMember(whole, name, sent[name]);
  return whole;
}

/** The value that replaces the sent one; undefined to keep the sent one. */
function valueToKeep(
  before: JsonObject,
  sent: JsonObject,
  name: string,
  node: PointerNode | undefined,
  keepsListed: boolean,
): unknown {
  const old = ownMember(before, name);
  const isSent = Object.hasOwn(sent, name);
  if (node !== undefined && !node.whole && isJsonObject(old)) {
    const next = isSent ? ownMember(sent, name) : {};
    if (!isJsonObject(next)) return undefined;
    const whole = completed(old, next, node, keepsListed);
    if (isSent) return whole === next ? undefined : whole;
    // It can be removed with its content, unless a part of the content must stay.
    return keepsListed && Object.keys(whole).length === 0 ? undefined : whole;
  }
  const isKept = (node?.whole === true) === keepsListed;
  return isKept && !isSent ? old : undefined;
}
