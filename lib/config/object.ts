/** Whether a value is an object, arrays included. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether a value is an object with named properties: not an array, a Map or a Set. */
export function hasNames(value: unknown): value is object {
  return isObject(value) && !(Symbol.iterator in value);
}

export function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
