import { JsonError, type JsonErrorCode } from '../json-error';
import { formatPointer, quotedPointer } from '../pointer';
import { isArray, isContainer, isJsonObject, ownMember, type JsonObject } from '../value';
import { applyParsedMergePatch, mergeMembers } from './apply-merge-patch';
import type { Originals } from './copy-on-write';

/** The lists whose elements have a key, as a tree of the reference tokens of their JSON Pointers. */
export interface KeyedListTree {
  /** The member that identifies the elements of the list at this place, or `self` for a list of strings. */
  key?: string;
  readonly children: Map<string, KeyedListTree>;
  /** The lists below any element or member: the token `*`. */
  any?: KeyedListTree;
}

/**
 * Applies a parsed keyed merge patch: a merge patch (RFC 7396) on the view of the value in which the keyed
 * lists are objects, whose members are the elements by their keys. Neither argument is modified. The result
 * shares parts with both, and is the target itself if nothing changes.
 *
 * @param originals - empty; receives the edited lists and elements
 * @throws JsonError `patch-conflict` if a list that the patch addresses has no such view, or lacks an element
 *   whose key is not sent; `patch-kind` or `element-key` if the patch does not fit the view
 */
export function applyKeyedMergePatch(
  target: unknown,
  patch: unknown,
  lists: KeyedListTree,
  originals?: Originals,
): unknown {
  return applyAt(target, patch, { above: undefined, name: '', lists: [lists], originals });
}

/**
 * A step of the walk through the patch and the value: to a member, or to an element, which has an index in
 * the value.
 */
interface Step {
  /** Undefined for the whole value. */
  readonly above: Step | undefined;
  readonly name: string;
  readonly index?: number | undefined;
  /** The lists to which the path leads; there are several if one has a `*` where another has a name. */
  readonly lists: readonly KeyedListTree[];
  readonly originals: Originals | undefined;
}

function applyAt(target: unknown, patch: unknown, step: Step): unknown {
  const { lists } = step;
  if (lists.length === 0) return applyParsedMergePatch(target, patch);
  const key = lists.find((list) => list.key !== undefined)?.key;
  if (key !== undefined) return applyToList(target, patch, key, step);
  if (!isJsonObject(patch)) return patch;
  const before = isJsonObject(target) ? target : {};
  return mergeMembers(before, patch, (old, change, name) => applyAt(old, change, toStep(step, name)));
}

function toStep(above: Step, name: string, index?: number): Step {
  return { above, name, index, lists: listsBelow(above.lists, name), originals: above.originals };
}

/** A name is more specific than `*`, so it comes first. */
function listsBelow(lists: readonly KeyedListTree[], name: string): readonly KeyedListTree[] {
  const byName = lists.map(({ children }) => children.get(name));
  return [...byName, ...lists.map(({ any }) => any)].filter((list) => list !== undefined);
}

function applyToList(target: unknown, patch: unknown, key: string, list: Step): unknown {
  const { originals } = list;
  if (!isJsonObject(patch)) throw notByKey(list);
  const before = target === undefined ? [] : target;
  const indexes = isArray(before) ? indexByKey(before, key, patch) : undefined;
  if (!isArray(before) || indexes === undefined) throw withoutView(key, list);

  // Not slice(): V8 has no fast path for it on frozen arrays.
  const after: unknown[] = [...before];
  const added: NewElement[] = [];
  let isChanged = false;
  for (const name of Object.keys(patch)) {
    const change = patch[name];
    const index = indexes.get(mapKey(name));
    if (index === undefined && change === null) continue;
    const step = toStep(list, name, index);
    if (index === undefined) {
      added.push(newElement(change, key, step));
    } else {
      // Undefined, which is not JSON, stands for an element that is removed.
      const [old, next] = [
        before[index],
        change === null ? undefined : changedElement(before[index], change, key, step),
      ];
      after[index] = next;
      if (next === old) continue;
      isChanged = true;
      if (isContainer(next) && isContainer(old)) originals?.set(next, old);
    }
  }
  if (!isChanged && added.length === 0) return before;
  const elements: unknown[] = after.filter((element) => element !== undefined);
  // JSON objects have no order (RFC 8259 4), and JSON.parse has its own order for names such as "42".
  for (const { element } of added.sort((one, other) => compareKeys(one.key, other.key)))
    elements.push(element);
  originals?.set(elements, before);
  return elements;
}

interface NewElement {
  readonly key: string | number;
  readonly element: unknown;
}

/**
 * The indexes of the elements that a patch names; undefined if the list has no view by key, because a key is
 * missing or not unique.
 */
function indexByKey(
  list: readonly unknown[],
  key: string,
  patch: JsonObject,
): ReadonlyMap<string, number> | undefined {
  const names = new Set(Object.keys(patch).map(mapKey));
  const keys = new Set<string>();
  const indexes = new Map<string, number>();
  for (const [index, element] of list.entries()) {
    const elementKey = readKey(element, key);
    if (elementKey === undefined) return undefined;
    const text = mapKey(elementKey);
    keys.add(text);
    if (names.has(text)) indexes.set(text, index);
  }
  return keys.size === list.length ? indexes : undefined;
}

function readKey(element: unknown, key: string): string | number | undefined {
  if (key === 'self') return typeof element === 'string' ? element : undefined;
  const value = isJsonObject(element) ? ownMember(element, key) : undefined;
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

/**
 * V8 hashes names such as "42" by their value, so a client could choose names with the same hash. Such names
 * get another first character, and so do names that begin with that character, to stay distinct.
 */
function mapKey(key: string | number): string {
  const text = String(key);
  const first = text.charCodeAt(0);
  return first >= 0x30 && first <= 0x3a ? `:${text}` : text;
}

function changedElement(element: unknown, change: unknown, key: string, step: Step): unknown {
  if (key === 'self') {
    if (change === true) return element;
    throw notTrue(step);
  }
  if (!isJsonObject(change)) throw notAnElement(step);
  const sent = ownMember(change, key);
  if (sent !== undefined && sent !== readKey(element, key)) throw otherKey(key, step);
  return applyAt(element, change, step);
}

/**
 * An element is created only if its key is sent. Otherwise, a change of an element that someone has removed
 * would bring back a part of it.
 */
function newElement(change: unknown, key: string, step: Step): NewElement {
  const { name } = step;
  if (key === 'self') {
    if (change === true) return { key: name, element: name };
    throw notTrue(step);
  }
  if (!isJsonObject(change)) throw notAnElement(step);
  if (ownMember(change, key) === undefined) throw withoutElement(key, step);
  const sent = readKey(change, key);
  if (sent === undefined || String(sent) !== name) throw otherKey(key, step);
  return { key: sent, element: applyAt({}, change, step) };
}

/** Compares keys: numbers by value, then texts by their code units. */
function compareKeys(one: string | number, other: string | number): number {
  if (typeof one !== typeof other) return typeof one === 'number' ? -1 : 1;
  return one < other ? -1 : 1;
}

function withoutView(key: string, step: Step): JsonError {
  const what = key === 'self' ? 'strings without duplicates' : `objects, each with a different "${key}"`;
  return new JsonError(
    'patch-conflict',
    `The value at ${quoted(step)} is not a list of ${what}. Use another patch format for it.`,
    undefined,
    pointerTo(step, 'stored'),
  );
}

function withoutElement(key: string, step: Step): JsonError {
  const must = `does not exist. To create it, send its "${key}" as well`;
  return inPatch('patch-conflict', step, must);
}

function notByKey(step: Step): JsonError {
  return inPatch('patch-kind', step, 'must be an object by key, or null to remove the list');
}

function notAnElement(step: Step): JsonError {
  return inPatch('patch-kind', step, 'must be an object with the members to change, or null to remove it');
}

function notTrue(step: Step): JsonError {
  return inPatch('patch-kind', step, 'must be true to add the text, or null to remove it');
}

function otherKey(key: string, step: Step): JsonError {
  return inPatch(
    'element-key',
    step,
    `must have the "${key}" that names it: the key of an element cannot be changed`,
  );
}

function inPatch(code: JsonErrorCode, step: Step, must: string): JsonError {
  return new JsonError(code, `${quoted(step)} ${must}.`, undefined, pointerTo(step, 'patch'));
}

function quoted(step: Step): string {
  return quotedPointer(pointerTo(step, 'patch'), 200);
}

function pointerTo(step: Step, where: 'patch' | 'stored'): string {
  const tokens: string[] = [];
  for (let at = step; at.above !== undefined; at = at.above) {
    tokens.unshift(where === 'stored' && at.index !== undefined ? String(at.index) : at.name);
  }
  return formatPointer(tokens);
}
