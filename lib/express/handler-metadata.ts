/**
 * What a handler of this library says of itself to the walk over the routes.
 *
 * OpenTelemetry, elastic-apm and express-async-errors put a function of their own in the handler's place and copy its
 * enumerable properties with string keys (symbols are lost); New Relic keeps only `name` and `length`. So metadata is
 * written twice, as such a property and as the function's name. It needs no registry, and two copies of this library
 * can read each other's.
 */
export interface MetadataKind {
  /** The first words of the handler's name; the list of values follows. */
  readonly label: string;
  /** The property's key. */
  readonly key: string;
}

/** Writes metadata on `handler` itself, and returns it. */
export function annotate<T extends object>(
  handler: T,
  { label, key }: MetadataKind,
  values: readonly string[],
): T {
  const name = [label, values.join(', ')].join(' ').trimEnd();
  Object.defineProperty(handler, 'name', { value: name, configurable: true });
  return addProperty(handler, key, values);
}

/** Adds the property alone, for what a name cannot hold. */
export function addProperty<T extends object>(handler: T, key: string, value: unknown): T {
  return Object.defineProperty(handler, key, { value, enumerable: true, configurable: true });
}

/** The values that `handler` was annotated with, whoever has wrapped it since; undefined where it was not. */
export function metadataOf(handler: unknown, { label, key }: MetadataKind): readonly string[] | undefined {
  if (typeof handler !== 'function') return undefined;
  const property: unknown = Reflect.get(handler, key);
  if (Array.isArray(property)) return property.filter((value) => typeof value === 'string');
  if (handler.name === label) return [];
  return handler.name.startsWith(`${label} `) ? handler.name.slice(label.length + 1).split(', ') : undefined;
}

const acceptPatch: MetadataKind = { label: 'patchHandler accepts', key: 'patch-options:acceptPatch' };

/**
 * Annotates a PATCH handler with the media types of the patch documents that it takes, so that every answer about its
 * target can list them in Accept-Patch (RFC 5789 3.1).
 *
 * @param handler - is itself annotated, and returned
 * @param mediaTypes - in the order in which Accept-Patch lists them
 */
export function declareAcceptPatch<T extends object>(handler: T, mediaTypes: readonly string[]): T {
  return annotate(handler, acceptPatch, mediaTypes);
}

/** The media types that a handler was declared with; empty where it was not, as for every handler of the app's own. */
export function acceptPatchOf(handler: unknown): readonly string[] {
  return metadataOf(handler, acceptPatch) ?? [];
}

const acceptQuery: MetadataKind = { label: 'queryHandler accepts', key: 'patch-options:acceptQuery' };

/** The same for QUERY: in Accept-Query (RFC 10008 3). */
export function declareAcceptQuery<T extends object>(handler: T, mediaTypes: readonly string[]): T {
  return annotate(handler, acceptQuery, mediaTypes);
}

/** The media types of queries that a handler was declared with. */
export function acceptQueryOf(handler: unknown): readonly string[] {
  return metadataOf(handler, acceptQuery) ?? [];
}

const passThrough: MetadataKind = { label: 'optionsPassThrough', key: 'patch-options:optionsPassThrough' };

/**
 * An OPTIONS handler that goes on to the next route, for routes of our own in front of the app. Express answers OPTIONS
 * by itself at the end of a router in which a matching route had no such handler, and so before any OPTIONS handler that
 * the app has further on. The walk knows this one and does not count it as the app's.
 */
export const optionsPassThrough = annotate(
  (_req: unknown, _res: unknown, next: () => void): void => {
    next();
  },
  passThrough,
  [],
);

/** Declares a middleware of ours, which apps also mount by `app.options('*', …)`: that is no OPTIONS handler of theirs. */
export function passesOptions<T extends object>(middleware: T): T {
  return addProperty(middleware, passThrough.key, []);
}

export function isOptionsPassThrough(handler: unknown): boolean {
  return metadataOf(handler, passThrough) !== undefined;
}

const childrenKey = 'patch-options:children';

/**
 * Names the middlewares that another calls in turn, so that the lookup knows where each of them stands.
 *
 * @param bundle - is itself annotated, and returned
 */
export function declareChildren<T extends object>(bundle: T, children: readonly object[]): T {
  return addProperty(bundle, childrenKey, children);
}

const waypointKey = 'patch-options:waypoint';

/** Lets the walk say of a middleware of ours what stands in front of it, and what behind. */
export function declareWaypoint<T extends object>(middleware: T): T {
  return addProperty(middleware, waypointKey, middleware);
}

/** The middlewares of ours that a handler is or calls, whoever has wrapped it since. */
export function waypointsOf(handler: object): readonly object[] {
  if (!(waypointKey in handler) && !(childrenKey in handler)) return [];
  const children: unknown = Reflect.get(handler, childrenKey);
  const all: readonly unknown[] = Array.isArray(children) ? [handler].concat(children) : [handler];
  return all
    .map((one): unknown => Reflect.get(Object(one) as object, waypointKey))
    .filter((waypoint) => typeof waypoint === 'function');
}

/** Whether a middleware is another, or calls it. */
export function includesMiddleware(handler: object, middleware: object): boolean {
  return handler === middleware || childrenOf(handler).includes(middleware);
}

/** The middlewares that one was declared to call. */
export function childrenOf(handler: object): readonly object[] {
  const children: unknown = Reflect.get(handler, childrenKey);
  return Array.isArray(children)
    ? children.filter((child): child is object => typeof child === 'function')
    : [];
}
