import { isContainer, isJsonObject, ownMember } from '../value';

/**
 * The identity of list elements: the name of a member; a list of names, of which the first that identifies
 * every element is used; or a function of the element and the JSON Pointer of its list in `base`, which
 * returns undefined if the element has no identity.
 *
 * Identities are strings and numbers; `1` and `'1'` are different. A list is merged by identity if every
 * element has one, and no two elements have the same. In the pointer of a list that `base` does not have, `-`
 * replaces the missing index (RFC 6901 4).
 */
export type Identity =
  | string
  | readonly string[]
  | ((element: unknown, path: string) => string | number | undefined);

/** An identity of an element. */
export type Key = string | number;

/** Reads the key of an element of the list at `path`; undefined if it has none. */
export type ReadKey = (element: unknown, path: string) => Key | undefined;

export const defaultNames = ['id', '_id', 'key'] as const;

/** Whether a value can be the option `identity`. */
export function isIdentity(value: unknown): boolean {
  return typeof value === 'function' || [value].flat().every((name) => typeof name === 'string');
}

/** @throws TypeError if an app without types passes any other value */
export function createKeyReaders(identity: Identity): readonly ReadKey[] {
  if (!isIdentity(identity)) {
    throw new TypeError('identity must be a name, a list of names, or a function.');
  }
  if (typeof identity === 'function') return [(element, path) => checkKey(identity(element, path), path)];
  return [identity].flat().map((name) => (element) => readMemberKey(element, name));
}

/** The identity in the member with this name. */
export function readMemberKey(element: unknown, name: string): Key | undefined {
  const member = isJsonObject(element) ? ownMember(element, name) : undefined;
  return isKey(member) ? member : undefined;
}

/** A text is its own identity. A number is not, because equal numbers need not mean the same thing. */
export function readText(element: unknown): Key | undefined {
  return typeof element === 'string' ? element : undefined;
}

/** An identity that a function of the app has returned. */
function checkKey(key: unknown, path: string): Key | undefined {
  if (key === undefined || isKey(key)) return key;
  const shown = isScalar(key) ? `${String(key)} (${typeof key})` : 'an object';
  throw new TypeError(
    `identity() returned ${shown} for an element of ${JSON.stringify(path)}. ` +
      'Return a string, a number or undefined.',
  );
}

function isScalar(value: unknown): value is Key | boolean | null {
  return !isContainer(value);
}

/** NaN cannot be a key, because it is not equal to itself. */
function isKey(value: unknown): value is Key {
  return typeof value === 'string' || (typeof value === 'number' && !Number.isNaN(value));
}

/** The elements of a list by their keys, in the order of the list. */
export type KeyedList = ReadonlyMap<Key, unknown>;

/** A list on all three sides, by keys. */
export interface KeyedLists {
  readonly base: KeyedList;
  readonly mine: KeyedList;
  readonly theirs: KeyedList;
  readonly readKey: ReadKey;
}

/**
 * The three lists at `path` by the first kind of key that all their elements have; undefined if there is
 * none.
 */
export function keyLists(
  lists: readonly (readonly unknown[])[],
  path: string,
  readKeys: readonly ReadKey[],
): KeyedLists | undefined {
  for (const readKey of readKeys) {
    const [base, mine, theirs] = lists.map((list) => keyElements(list, path, readKey));
    if (base && mine && theirs) return { base, mine, theirs, readKey };
  }
  return undefined;
}

/** The elements by their keys; undefined if an element has no key, or if two have the same. */
function keyElements(list: readonly unknown[], path: string, readKey: ReadKey): KeyedList | undefined {
  const elements = new Map<Key, unknown>();
  for (const element of list) {
    const key = readKey(element, path);
    if (key === undefined || elements.has(key)) return undefined;
    elements.set(key, element);
  }
  return elements;
}
