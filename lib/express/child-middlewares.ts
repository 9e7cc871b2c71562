import { addProperty } from './handler-metadata';

const key = 'patch-options:members';

/**
 * Names the middlewares that another calls in turn, so that the lookup knows where each of them stands.
 *
 * @param bundle - is itself marked, by an enumerable property, which instrumentation copies; and returned
 */
export function declareMembers<T extends object>(bundle: T, members: readonly object[]): T {
  return addProperty(bundle, key, members);
}

/** Whether a middleware is another, or calls it. */
export function includesMember(handler: object, middleware: object): boolean {
  if (handler === middleware) return true;
  const members: unknown = Reflect.get(handler, key);
  return Array.isArray(members) && members.includes(middleware);
}
