import { isJsonObject, memberOf, setMember, type JsonObject } from '../parsers/json/value';
import { pointerTree, type PointerNode } from '../patch/rules/pointer-tree';

/** The options that say what may be written. */
interface Writability {
  readonly readOnly?: readonly string[] | undefined;
  readonly writable?: readonly string[] | undefined;
}

/** Completes the representation that a PUT sends; neither argument is changed. */
export type Complete = (before: unknown, sent: unknown) => unknown;

/**
 * Makes the function that puts into a representation what it leaves out and what PUT may not remove, as it stands. What it
 * sends in its place stays as it was sent, for the rules to judge.
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

/** @param keepsListed - whether the nodes that are whole are kept, or all beside them */
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
  // As it was sent, so that it may come back byte for byte; with more than that in it, in the order that it had.
  const inOrder = names.every((name) => Object.hasOwn(sent, name)) ? [sent] : [before, sent];
  const whole: JsonObject = {};
  for (const name of inOrder.flatMap(Object.keys)) {
    const member = Object.hasOwn(kept, name) ? kept[name] : memberOf(sent, name);
    if (member !== undefined) setMember(whole, name, member);
  }
  return whole;
}

/** What a member is to be in place of what was sent; undefined where that stands. */
function keptOf(
  before: JsonObject,
  sent: JsonObject,
  name: string,
  node: PointerNode | undefined,
  keepsListed: boolean,
): unknown {
  const old = memberOf(before, name);
  const isSent = Object.hasOwn(sent, name);
  if (node !== undefined && !node.whole && isJsonObject(old)) {
    const next = isSent ? memberOf(sent, name) : {};
    if (!isJsonObject(next)) return undefined;
    const whole = completed(old, next, node, keepsListed);
    if (isSent) return whole === next ? undefined : whole;
    // It may be removed with what is in it, unless something in it has to stay.
    return keepsListed && Object.keys(whole).length === 0 ? undefined : whole;
  }
  const isKept = (node?.whole === true) === keepsListed;
  return isKept && !isSent ? old : undefined;
}
