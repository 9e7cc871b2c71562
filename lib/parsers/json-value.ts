export type JsonObject = Record<string, unknown>;
export type JsonContainer = JsonObject | unknown[];

export function isArray(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

export function isContainer(value: unknown): value is JsonContainer {
  return typeof value === 'object' && value !== null;
}

export function isObject(value: unknown): value is JsonObject {
  return isContainer(value) && !isArray(value);
}

/** The object's own member; undefined, which is no JSON value, where it has none of that name. */
export function memberOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/**
 * Sets an own member. A name that the object inherits (`__proto__`, `constructor`) is defined and not assigned: an
 * assignment would run the setter of `__proto__`, and would throw where a host has frozen `Object.prototype`.
 */
export function setMember(object: JsonObject, name: string, value: unknown): void {
  if (name in object && !Object.hasOwn(object, name)) {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[name] = value;
  }
}

/** Whether the value nests deeper than so many levels: a scalar has none, `[]` one. Looks no deeper than that. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (!isContainer(value)) return false;
  return levels < 1 || Object.values(value).some((child) => isDeeperThan(levels - 1, child));
}

/**
 * Equality by JSON's rules (RFC 6902 4.6): members in any order, numbers by value (`-0` is 0). What it costs follows
 * `expected`: of `actual` no more is looked at than `expected` has, but for the member names of one object that differs.
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
  if (!isObject(actual) || !isObject(expected)) return false;
  const names = Object.keys(expected);
  return (
    names.every((name) => Object.hasOwn(actual, name) && isEqualJson(actual[name], expected[name])) &&
    names.length === Object.keys(actual).length
  );
}

/**
 * The bytes of the value as JSON in UTF-8, or some number over `limit` where it has more: what is beyond the limit is
 * not looked at.
 */
export function jsonBytes(value: unknown, limit: number): number {
  if (typeof value === 'string') {
    // A UTF-16 code unit takes at least one byte, so a long string need not be written to be too long.
    return value.length > limit ? value.length : Buffer.byteLength(JSON.stringify(value));
  }
  if (!isContainer(value)) return String(value).length;
  const keyed = !isArray(value);
  const names = Object.keys(value);
  let bytes = 1 + Math.max(1, names.length);
  for (const [name, child] of Object.entries(value)) {
    if (keyed) bytes += jsonBytes(name, limit - bytes) + 1;
    bytes += jsonBytes(child, limit - bytes);
    if (bytes > limit) break;
  }
  return bytes;
}
