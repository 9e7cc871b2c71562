export type JsonObject = Record<string, unknown>;
export type JsonContainer = JsonObject | unknown[];

export function isArray(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

export function isContainer(value: unknown): value is JsonContainer {
  return typeof value === 'object' && value !== null;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return isContainer(value) && !isArray(value);
}

/** The object's own member; undefined, which is not a JSON value, if it has no such member. */
export function ownMember(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/**
 * Sets an own member. An inherited name (`__proto__`, `constructor`) is defined rather than assigned: an
 * assignment would call the setter of `__proto__`, and would throw if the app has frozen `Object.prototype`.
 */
export function setMember(object: JsonObject, name: string, value: unknown): void {
  if (name in object && !Object.hasOwn(object, name)) {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[name] = value;
  }
}

/** Beyond this many members V8 stores an object as a dictionary, which a loop copies in half the time. */
const manyMembers = 1_000;

export function copyObject(object: JsonObject): JsonObject {
  const names = Object.keys(object);
  if (names.length <= manyMembers) return { ...object };
  const copy: JsonObject = {};
  for (const name of names) setMember(copy, name, object[name]);
  return copy;
}

export function copyJson<T>(value: T): T;
export function copyJson(value: unknown): unknown {
  if (!isContainer(value)) return value;
  if (isArray(value)) return value.map(copyJson);
  const copy = copyObject(value);
  for (const name of Object.keys(copy)) {
    // Own members, `__proto__` included: no setter is called.
    if (isContainer(copy[name])) copy[name] = copyJson(copy[name]);
  }
  return copy;
}

/**
 * Changes the members of these names in a copy. The result is the object itself if nothing changes.
 *
 * @param change - returns the next value of a member, undefined to leave it out; `old` is undefined if the
 *   object has no such member
 */
export function changeMembers(
  object: JsonObject,
  names: Iterable<string>,
  change: (name: string, old: unknown) => unknown,
): JsonObject {
  let changed = object;
  for (const name of names) {
    const old = ownMember(object, name);
    const next = change(name, old);
    if (next === old) continue;
    if (changed === object) changed = copyObject(object);
    if (next === undefined) Reflect.deleteProperty(changed, name);
    else setMember(changed, name, next);
  }
  return changed;
}

/** The names of the members that are not the same in both: first in the order of `before`, then the added ones. */
export function differingNames(before: JsonObject, after: JsonObject): string[] {
  const names: string[] = [];
  let commonCount = 0;
  for (const name of Object.keys(before)) {
    const old = before[name];
    // No JSON value is the same as a property that an object inherits.
    const isSame = old === after[name] && old !== undefined;
    if (isSame || Object.hasOwn(after, name)) commonCount++;
    if (!isSame) names.push(name);
  }
  const all = Object.keys(after);
  if (all.length > commonCount) for (const name of all) if (!Object.hasOwn(before, name)) names.push(name);
  return names;
}

export function childValues(container: JsonContainer): readonly unknown[] {
  return isArray(container) ? container : Object.values(container);
}

/**
 * Whether the value nests deeper than `levels`: a scalar has no level, `[]` one. Looks no deeper than that.
 */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (!isContainer(value)) return false;
  if (levels < 1) return true;
  for (const child of childValues(value))
    if (isContainer(child) && isDeeperThan(levels - 1, child)) return true;
  return false;
}

/**
 * Whether two values are equal as JSON (RFC 6902 4.6): members in any order, numbers by value (`-0` is 0).
 * The cost depends on `expected`: the walk visits only parts of `expected`, and the member names of one
 * object that differs.
 */
export function isEqualJson(actual: unknown, expected: unknown): boolean {
  if (actual === expected) return true;
  if (isArray(actual)) {
    return (
      isArray(expected) &&
      actual.length === expected.length &&
      expected.every((value, index) => isEqualJson(actual[index], value))
    );
  }
  if (!isJsonObject(actual) || !isJsonObject(expected)) return false;
  const names = Object.keys(expected);
  return (
    names.every((name) => Object.hasOwn(actual, name) && isEqualJson(actual[name], expected[name])) &&
    names.length === Object.keys(actual).length
  );
}
