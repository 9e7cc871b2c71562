import { readRouter, wrappings } from '../express/apps';
import { declaredMethods, declaredRouter } from '../express/declare-methods';
import { innerHandlers, isNpmCors, isOwn, readOwnAnswers } from '../express/handler-metadata';
import {
  givenPaths,
  handlesRequests,
  isPathless,
  isRouter,
  type Handler,
  type Layer,
  type Router,
} from '../express/layers';
import { isObject } from '../config/object';
import { findInstanceIn, type CorsInstance } from '../cors/policy-registry';
import { readDestination } from '../routes/route-methods';

/** What answers a request before it reaches an instance. */
export type EarlierHandler =
  'route' | 'options-handler' | 'express' | 'npm-cors' | 'optionsHandler' | 'patchOptions';

/** The functions of a layer that get a request: of a route, only those for its method. */
export function handlersFor(layer: Layer, method: string): readonly Handler[] {
  const { route } = layer;
  if (route === undefined) return handlesRequests(layer) ? [layer.handle] : [];
  const verb = method.toLowerCase();
  // Express answers HEAD with the handlers for GET if the route has none for HEAD.
  const called = verb === 'head' && route.methods['head'] !== true ? 'get' : verb;
  return route.stack
    .filter((each) => handlesRequests(each) && (each.method === undefined || each.method === called))
    .map(({ handle }) => handle);
}

/** The instance that a function is or calls, also one that instrumentation wraps. */
export function findInstance(handle: Handler): CorsInstance | undefined {
  for (const handler of wrappings(handle)) {
    const instance = findInstanceIn(handler);
    if (instance !== undefined) return instance;
  }
  return undefined;
}

/** The first instance that an app has, under any path; undefined if none is visible. */
export function findMounted(app: unknown): CorsInstance | undefined {
  const routers = new Set([readRouter(app)].filter((router) => router !== undefined));
  for (const { stack } of routers) {
    for (const layer of stack) {
      const { handle, route } = layer;
      const handlers = route === undefined ? [handle] : route.stack.map((each) => each.handle);
      const instance = handlers.map(findInstance).find(Boolean);
      if (instance !== undefined) return instance;
      const destination = route === undefined ? readDestination(layer) : undefined;
      // It is visited by the outer loop, too.
      if (isRouter(destination)) routers.add(destination);
    }
  }
  return undefined;
}

/** Whether a function is npm cors or calls it, as instrumentation does. */
export function callsNpmCors(handle: Handler): boolean {
  return [...wrappings(handle)].some(isNpmCors);
}

/**
 * Whether a function can answer a request instead of passing it on. That is not known of the functions of the
 * app: also one that was declared to answer other methods, or none, can refuse a request, as authentication
 * does; so can one that wraps a middleware of this library. `express.static` answers GET and, without
 * `fallthrough`, every method; npm cors passes on the errors of its origin function.
 */
export function mayAnswer(handle: Handler, method: string): boolean {
  return !isOwn(handle) || (method !== 'OPTIONS' && readOwnAnswers(handle) === 'all-but-options');
}

export function nameHandler(handle: Handler): string {
  const { name } = handle;
  const instance = findInstance(handle);
  if (instance !== undefined) return `${nameFunction(name)} around ${instance.policy.subject}`;
  if (isNpmCors(handle)) return 'npm cors';
  if (declaredMethods(handle) !== undefined || declaredRouter(handle) !== undefined) {
    return 'a function in declareMethods()';
  }
  return nameFunction(name);
}

function nameFunction(name: string): string {
  return name === '' || name === '<anonymous>' ? 'an anonymous function' : name;
}

/**
 * The callbacks of `app.param()` that get a request before a layer, as they can answer it: those for the
 * parameters in its path, or all where a mount does not expose its path.
 */
export function nameParamCallbacks(layer: Layer, router: Router | undefined): readonly string[] {
  const callbacks: unknown = router && Reflect.get(router, 'params');
  if (!isObject(callbacks) || isPathless(layer)) return [];
  const paths = givenPaths(layer);
  return Object.keys(callbacks)
    .filter((name) => paths.some((path) => hasParameter(path, name)))
    .map((name) => `param('${name}')`);
}

/**
 * Whether a path has a parameter, in the spellings of Express 4 and 5: `:name`, `:"name"` and `*name`; in a
 * RegExp, a named group, or a group by its number.
 */
function hasParameter(path: unknown, name: string): boolean {
  if (typeof path !== 'string' && !(path instanceof RegExp)) return true;
  const [, ...names] = String(path).split(/[:*<]"?(?=\w)/);
  return /^\d+$/.test(name) || names.some((rest) => /^\w+/.exec(rest)?.[0] === name);
}

/** Whether a handler is `express.static`, which answers OPTIONS with 405 or not at all. */
export function isServeStatic(handle: Handler): boolean {
  return handle.name === 'serveStatic' && Function.prototype.toString.call(handle).includes('fallthrough');
}

/**
 * Handlers that answer every OPTIONS request: the `optionsHandler` of this library, if there are routes, npm
 * cors, and what was declared to answer OPTIONS.
 *
 * @param around - the routers around the handler: with `resources`, `patchOptions` is one
 */
export function answeringHandler(
  handle: Handler,
  method: string,
  around: readonly Router[],
): EarlierHandler | undefined {
  if (method !== 'OPTIONS') return undefined;
  if (declaredMethods(handle)?.includes(method) === true) return 'options-handler';
  const children = innerHandlers(handle);
  const handlers = [handle, ...children];
  if (handlers.some(isNpmCors)) return 'npm-cors';
  if (!handlers.some((each) => readOwnAnswers(each) === 'options')) return undefined;
  return children.length > 0 || around.some(isOwn) ? 'patchOptions' : 'optionsHandler';
}
