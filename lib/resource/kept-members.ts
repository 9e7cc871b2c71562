import { isJsonObject, ownMember, setMember, type JsonObject } from '../json/value';
import { pointerTree, type PointerNode } from '../patch/rules/pointer-tree';

/** The options that restrict what clients can write. */
interface Writability {
  readonly readOnly?: readonly string[] | undefined;
  readonly writable?: readonly string[] | undefined;
}

/** Adds members to the representation that a PUT sends. Neither argument is modified. */
export type Complete = (before: unknown, sent: unknown) => unknown;

/**
 * Makes the function that adds the current members that a PUT leaves out but cannot remove. Members that the PUT does
 * send stay as they are, and the rules check them.
 */
export function keptMembers({ readOnly = [], writable }: Writability): Complete {
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
    const member = keptOf(before, sent, name, node.children.get(name), keepsListed);
    if (member !== undefined) setMember(kept, name, member);
  }
  const names = Object.keys(kept);
  if (names.length === 0) return sent;
  // If the request has all the members, its order is kept, so that GET can return the same bytes; otherwise that of
  // the current value.
  const inOrder = names.every((name) => Object.hasOwn(sent, name)) ? [sent] : [before, sent];
  const whole: JsonObject = {};
  for (const name of inOrder.flatMap(Object.keys)) {
    const member = Object.hasOwn(kept, name) ? kept[name] : ownMember(sent, name);
    if (member !== undefined) setMember(whole, name, member);
  }
  return whole;
}

/** The value to put in place of what was sent; undefined to leave that as it is. */
function keptOf(
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
