import { formatPointer, parsePointer, valueAt } from '../../json/pointer';
import { isArray, isEqualJson, isJsonObject, ownMember, setMember, type JsonObject } from '../../json/value';

/** The options that restrict which members clients can write, as JSON Pointers. */
export interface Protection {
  readonly readOnly?: readonly string[] | undefined;
  readonly writable?: readonly string[] | undefined;
}

/**
 * Makes the check that a change leaves alone what clients cannot write.
 *
 * @returns the JSON Pointer of the first protected member that is changed; undefined if there is none
 */
export function protectionCheck({
  readOnly = [],
  writable,
}: Protection): (before: unknown, after: unknown) => string | undefined {
  const guarded = readOnly.map((pointer) => ({ pointer, path: parsePointer(pointer)?.tokens ?? [] }));
  const root = writable && pointerTree(writable);
  return (before, after) => {
    for (const { pointer, path } of guarded) {
      if (!isEqualJson(valueAt(after, path), valueAt(before, path))) return pointer;
    }
    const path = root && firstChange(before, after, root, []);
    return path && formatPointer(path);
  };
}

/** A patch shares the parts that it leaves alone, so equal references end the search. */
function firstChange(
  before: unknown,
  after: unknown,
  node: PointerNode | undefined,
  path: readonly string[],
): readonly string[] | undefined {
  if (before === after || node?.whole === true) return undefined;
  if (node === undefined) return isEqualJson(before, after) ? undefined : path;
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const name of memberNames(before, after)) {
      const [old, next] = [ownMember(before, name), ownMember(after, name)];
      if (old === next) continue;
      const change = firstChange(old, next, node.children.get(name), [...path, name]);
      if (change !== undefined) return change;
    }
    return undefined;
  }
  if (isArray(before) && isArray(after) && before.length === after.length) {
    for (const [index, old] of before.entries()) {
      const change = firstChange(old, after[index], node.children.get(String(index)), [
        ...path,
        String(index),
      ]);
      if (change !== undefined) return change;
    }
    return undefined;
  }
  return isEqualJson(before, after) ? undefined : path;
}

/** The member names of both objects, without duplicates. */
function memberNames(before: JsonObject, after: JsonObject): string[] {
  return [...Object.keys(before), ...Object.keys(after).filter((name) => !Object.hasOwn(before, name))];
}

/** Adds members to the representation that a PUT sends. Neither argument is modified. */
export type Complete = (before: unknown, sent: unknown) => unknown;

/**
 * Makes the function that adds the current members that a PUT leaves out but cannot remove. Members that the
 * PUT does send stay as they are, and the rules check them.
 */
export function keptMembers({ readOnly = [], writable }: Protection): Complete {
  if (writable === undefined && readOnly.length === 0) return (_before, sent) => sent;
  const root = pointerTree(writable ?? readOnly);
  const keepsListed = writable === undefined;
  return (before, sent) =>
    !root.whole && isJsonObject(before) && isJsonObject(sent)
      ? completed(before, sent, root, keepsListed)
      : sent;
}

/** @param keepsListed - whether the `whole` nodes of the tree are kept, or all others */
function completed(
  before: JsonObject,
  sent: JsonObject,
  node: PointerNode,
  keepsListed: boolean,
): JsonObject {
  const kept: JsonObject = {};
  for (const name of Object.keys(before)) {
    const member = valueToKeep(before, sent, name, node.children.get(name), keepsListed);
    if (member !== undefined) setMember(kept, name, member);
  }
  const names = Object.keys(kept);
  if (names.length === 0) return sent;
  // If the request has all the members, its order is kept, so that GET can return the same bytes; otherwise
  // that of the current value.
  const inOrder = names.every((name) => Object.hasOwn(sent, name)) ? [sent] : [before, sent];
  const whole: JsonObject = {};
  for (const name of inOrder.flatMap(Object.keys)) {
    const member = Object.hasOwn(kept, name) ? kept[name] : ownMember(sent, name);
    if (member !== undefined) setMember(whole, name, member);
  }
  return whole;
}

/** The value to put in place of what was sent; undefined to leave that as it is. */
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
    // It can be removed with its content, unless some of that must stay.
    return keepsListed && Object.keys(whole).length === 0 ? undefined : whole;
  }
  const isKept = (node?.whole === true) === keepsListed;
  return isKept && !isSent ? old : undefined;
}

/**
 * A list of JSON Pointers as a tree of reference tokens. A `whole` node stands for its value and everything
 * below.
 */
interface PointerNode {
  whole: boolean;
  readonly children: Map<string, PointerNode>;
}

function pointerTree(pointers: readonly string[]): PointerNode {
  const root: PointerNode = { whole: false, children: new Map() };
  for (const pointer of pointers) {
    let node = root;
    for (const token of parsePointer(pointer)?.tokens ?? []) {
      const next = node.children.get(token) ?? { whole: false, children: new Map<string, PointerNode>() };
      node.children.set(token, next);
      node = next;
    }
    node.whole = true;
  }
  return root;
}
