import type { Handler } from './layers';

/**
 * Metadata that the handlers of this library carry for the walk over the routes.
 *
 * OpenTelemetry, elastic-apm and express-async-errors replace a handler by a wrapper and copy its enumerable
 * properties with string keys (symbols are lost); New Relic keeps only `name` and `length`. So metadata is
 * written twice: as a property and as the function's name. That needs no registry, and two copies of this
 * library can read each other's metadata.
 */
interface MetadataKind {
  /**
   * The first words of the handler's name; the list of values follows. Because of the space, no function of
   * an app has that name by accident.
   */
  readonly label: string;
  /** The property's key. */
  readonly key: string;
}

/** Writes metadata on `handler` itself, and returns it. */
function annotate<T extends object>(handler: T, { label, key }: MetadataKind, values: readonly string[]): T {
  const name = [label, values.join(', ')].join(' ').trimEnd();
  Object.defineProperty(handler, 'name', { value: name, configurable: true });
  return addProperty(handler, key, values);
}

/** Adds only the property, for values that do not fit into a name. */
function addProperty<T extends object>(handler: T, key: string, value: unknown): T {
  return Object.defineProperty(handler, key, { value, enumerable: true, configurable: true });
}

/**
 * The values with which `handler` was annotated, even if it was wrapped afterwards; undefined if there are
 * none.
 */
function readMetadata(handler: unknown, { label, key }: MetadataKind): readonly string[] | undefined {
  if (typeof handler !== 'function') return undefined;
  const property: unknown = Reflect.get(handler, key);
  if (Array.isArray(property)) return property.filter((value) => typeof value === 'string');
  if (handler.name === label) return [];
  return handler.name.startsWith(`${label} `) ? handler.name.slice(label.length + 1).split(', ') : undefined;
}

const acceptPatch: MetadataKind = { label: 'patchHandler accepts', key: 'patch-options:acceptPatch' };

/**
 * Annotates a PATCH handler with the media types of the patch documents that it accepts, so that answers to
 * OPTIONS can list them in Accept-Patch (RFC 5789 3.1).
 *
 * @param handler - is annotated itself, and returned
 * @param mediaTypes - in the order in which Accept-Patch lists them
 */
export function declareAcceptPatch<T extends object>(handler: T, mediaTypes: readonly string[]): T {
  return annotate(handler, acceptPatch, mediaTypes);
}

/**
 * The media types of patch documents that a handler was annotated with; empty for every handler of the app.
 */
export function readAcceptPatch(handler: unknown): readonly string[] {
  return readMetadata(handler, acceptPatch) ?? [];
}

const methodsKind: MetadataKind = { label: 'declareMethods answers', key: 'patch-options:methods' };
const routerKey = 'patch-options:router';

/**
 * Annotates a handler with the declaration of `declareMethods`.
 *
 * @param handler - is annotated itself, and returned
 * @param declared - the methods that it answers, or the router or app that it calls
 */
export function declareHandler<T extends object>(handler: T, declared: readonly string[] | object): T {
  return Array.isArray(declared)
    ? annotate(handler, methodsKind, declared)
    : addProperty(handler, routerKey, declared);
}

/** The methods that were declared for a middleware; undefined if there are none. */
export function declaredMethods(handler: unknown): readonly string[] | undefined {
  return readMetadata(handler, methodsKind);
}

/** The router or app that a middleware was declared to call. */
export function declaredRouter(handler: unknown): unknown {
  for (const inner of wrappings(handler)) if (routerKey in inner) return inner[routerKey];
  return undefined;
}

/** A handler, and the original handlers that instrumentation has wrapped, if it keeps them in `__original`. */
export function* wrappings(handler: unknown): Generator<Handler> {
  const seen = new Set<unknown>();
  for (let inner = handler; isHandler(inner) && !seen.has(inner); inner = Reflect.get(inner, '__original')) {
    seen.add(inner);
    yield inner;
  }
}

function isHandler(value: unknown): value is Handler {
  return typeof value === 'function';
}

const ownKey = 'patch-options:own';

/**
 * Marks a middleware of this library: mounted by `app.options('*', …)`, it does not count as an OPTIONS
 * handler of the app.
 */
export function markAsOwn<T extends object>(middleware: T): T {
  return addProperty(middleware, ownKey, true);
}

/** The name by which `optionsPassThrough` is recognized if a wrapper keeps only the name. */
const passThroughName = 'patchOptions passes OPTIONS on';

/**
 * An OPTIONS handler that only calls `next`, for routes of this library that are mounted before the app. At
 * the end of a router, Express answers OPTIONS itself if a matching route had no OPTIONS handler, before any
 * OPTIONS handler that the app has later. The walk recognizes this handler and does not count it.
 */
export const optionsPassThrough = markAsOwn(
  Object.defineProperty(
    (_req: unknown, _res: unknown, next: () => void): void => {
      next();
    },
    'name',
    { value: passThroughName, configurable: true },
  ),
);

/** Whether a handler is marked by `markAsOwn`, even if it was wrapped afterwards. */
export function isOwn(handler: object): boolean {
  return Reflect.get(handler, ownKey) === true || Reflect.get(handler, 'name') === passThroughName;
}

const childrenKey = 'patch-options:children';

/**
 * Declares the child middlewares that a middleware calls in turn, so that the walk knows the position of
 * each.
 *
 * @param bundle - is annotated itself, and returned
 */
export function declareChildren<T extends object>(bundle: T, children: readonly object[]): T {
  return addProperty(bundle, childrenKey, children);
}

const trackedKey = 'patch-options:tracked';

/** Makes the walk record which routes come before a middleware, and which come after it. */
export function trackPosition<T extends object>(middleware: T): T {
  return addProperty(middleware, trackedKey, middleware);
}

/**
 * The tracked middlewares that a handler is or calls, even if it was wrapped afterwards. npm cors is tracked,
 * too.
 */
export function trackedIn(handler: object): readonly object[] {
  if (isNpmCors(handler)) return [handler];
  if (!(trackedKey in handler) && !(childrenKey in handler)) return [];
  const children: unknown = Reflect.get(handler, childrenKey);
  const all: readonly unknown[] = Array.isArray(children) ? [handler].concat(children) : [handler];
  return all
    .map((one): unknown => Reflect.get(Object(one) as object, trackedKey))
    .filter((tracked) => typeof tracked === 'function');
}

/**
 * Whether a handler is a middleware of npm cors. Its name alone does not show that, because a function of the
 * app that calls a middleware of this library can have it, too.
 */
export function isNpmCors(handler: object): boolean {
  return (
    typeof handler === 'function' &&
    handler.name === 'corsMiddleware' &&
    Function.prototype.toString.call(handler).includes('originCallback')
  );
}

/** Whether `handler` is `middleware`, or has it as a child. */
export function includesMiddleware(handler: object, middleware: object): boolean {
  return handler === middleware || innerHandlers(handler).includes(middleware);
}

/** The child middlewares that were declared for a handler. */
function innerHandlers(handler: object): readonly object[] {
  const children: unknown = Reflect.get(handler, childrenKey);
  return Array.isArray(children)
    ? children.filter((child): child is object => typeof child === 'function')
    : [];
}
