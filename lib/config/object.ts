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

/** Whether an object, or a class, has these methods. */
export function hasMethods(value: unknown, names: readonly string[]): boolean {
  const hasMembers = isObject(value) || typeof value === 'function';
  return hasMembers && names.every((name) => typeof Reflect.get(value, name) === 'function');
}

/** A value, a promise or another thenable, such as the query builder of an ORM. */
export type Awaitable<T> = T | PromiseLike<T>;

/** Whether `await` would call the value's `then`. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    (isObject(value) || typeof value === 'function') && 'then' in value && typeof value.then === 'function'
  );
}
