/**
 * The stacks of Express 4, Express 5 and the standalone `router`, and how a layer is asked whether it matches.
 * Only the files in this directory know these internals.
 */

import type { IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { isObject } from '../config/object';

/** A function in a stack. Only its name, length and properties are read. */
export type Handler = (...args: never[]) => unknown;

/** A layer of a router's stack, or of a route's. */
export interface Layer {
  readonly handle: Handler;
  /**
   * The handler's name when the layer was made. Instrumentation that replaces the handler does not change it.
   */
  readonly name: string;
  /** In a router's stack: the layer's route; undefined for a middleware. */
  readonly route?: Route | undefined;
  /** In a route's stack: the method in lower case; undefined for every method. */
  readonly method?: string | undefined;
  /**
   * Throws if a parameter cannot be decoded. Returns an object since router 2.3; before, it returns a boolean
   * and sets `path`.
   */
  match(path: string): unknown;
  path?: unknown;
  params?: unknown;
  keys?: unknown;
  /** Express 4: the compiled path. */
  readonly regexp?: RegExp & { readonly fast_slash?: boolean };
  /** Router 2: whether it is mounted without a path, or at `/`. */
  readonly slash?: boolean;
  /** Router 2.3: the path as it was given. */
  readonly rawPath?: unknown;
}

export interface Route {
  /** The path as the app wrote it: a string, a RegExp, or an array of them. */
  readonly path: unknown;
  /** By method in lower case; `_all` where the route has a handler for every method. */
  readonly methods: Readonly<Record<string, boolean | undefined>>;
  readonly stack: readonly Layer[];
}

export interface Router {
  readonly stack: readonly Layer[];
  /** Only in Express 4. */
  readonly _params?: unknown;
}

/** A layer cannot decode the path. Express answers the request with this error, a 400. */
export class MalformedTarget {
  constructor(readonly error: unknown) {}
}

/**
 * Apps of connect, such as the middlewares of Vite, also have a stack, but their layers have no `match` and
 * no methods.
 */
export function isRouter(value: unknown): value is Router {
  if (typeof value !== 'function') return false;
  const stack: unknown = Reflect.get(value, 'stack');
  if (!Array.isArray(stack)) return false;
  const first: unknown = stack[0];
  return isObject(first) ? 'match' in first : typeof Reflect.get(value, 'route') !== 'string';
}

/**
 * A function with four parameters is an error handler: a request without an error does not reach it, not even
 * on a route.
 */
export function handlesRequests(layer: Layer): boolean {
  return layer.handle.length <= 3;
}

/**
 * Whether a handler can answer on the route that has called it: false if it was mounted there by `app.put`,
 * but answers other methods only. Express leaves the last route that it tried in `req.route`, so a route
 * without the handler says nothing.
 *
 * @param methods - the methods that the handler answers, in upper case
 */
export function answersOnRoute(handler: unknown, methods: readonly string[], req: IncomingMessage): boolean {
  const route: unknown = 'route' in req ? req.route : undefined;
  const stack: unknown = isObject(route) && 'stack' in route ? route.stack : undefined;
  if (!Array.isArray(stack)) return true;
  const layers = stack.filter(
    (layer: unknown) => isObject(layer) && 'handle' in layer && layer.handle === handler,
  );
  return (
    layers.length === 0 || layers.some(({ method }: { method?: unknown }) => isAnswered(method, methods))
  );
}

/** `app.all` makes a layer for each method, `route.all` one without a method. */
function isAnswered(method: unknown, methods: readonly string[]): boolean {
  return typeof method !== 'string' || methods.includes(method.toUpperCase());
}

/** The part of a path that a layer matches. */
export interface LayerMatch {
  readonly path: string;
  /** Whether no parameter or wildcard matched a part of the path. */
  readonly literal: boolean;
}

/**
 * Matches a path as the router does. The layer's state is restored: before router 2.3, layers store their last match,
 * which instrumentation reads, and a RegExp with the flag `g` or `y` stores its `lastIndex`.
 *
 * @param stateful - the layer's `statefulRegExps`
 * @returns undefined if the layer does not match
 */
export function matchLayer(
  layer: Layer,
  path: string,
  stateful = statefulRegExps(layer),
): LayerMatch | MalformedTarget | undefined {
  const { path: lastPath, params, keys } = layer;
  const lastIndexes = stateful.map((regExp) => regExp.lastIndex);
  try {
    const matched = layer.match(path);
    const match = matched === true ? layer : matched;
    return isObject(match) && 'path' in match
      ? { path: String(match.path), literal: isWithoutValues(Reflect.get(match, 'params')) }
      : undefined;
  } catch (error) {
    return new MalformedTarget(error);
  } finally {
    stateful.forEach((regExp, i) => (regExp.lastIndex = lastIndexes[i] ?? 0));
    if ('path' in layer) {
      layer.path = lastPath;
      layer.params = params;
      layer.keys = keys;
    }
  }
}

/** Optional parameters without a value are undefined or missing. */
function isWithoutValues(params: unknown): boolean {
  return !isObject(params) || Object.values(params).every((value) => value === undefined);
}

/**
 * The app's RegExps that change when they are tested. Router 2.2 does not expose the RegExps of its mounts.
 */
export function statefulRegExps(layer: Layer): readonly RegExp[] {
  return [layer.regexp, ...givenPaths(layer)].filter(
    (path): path is RegExp => path instanceof RegExp && (path.global || path.sticky),
  );
}

/**
 * The paths with which a layer was created, in a flat list; undefined for a path that the layer does not
 * expose.
 */
export function givenPaths(layer: Layer): readonly unknown[] {
  return [layer.route === undefined ? (layer.rawPath ?? literalMountPath(layer)) : layer.route.path].flat(
    Infinity,
  );
}

/**
 * The path of an Express 4 mount, which keeps only the compiled expression: undefined unless that is
 * recognized as a literal path. Router 2.2 keeps nothing at all.
 */
function literalMountPath({ regexp }: Layer): string | undefined {
  if (regexp === undefined || !['', 'i'].includes(regexp.flags)) return undefined;
  const literal = /^\^((?:\\[/.]|[\w~%@!&=,;'-])+)\\\/\?\(\?=\\\/\|\$\)$/.exec(regexp.source)?.[1];
  return literal?.replaceAll('\\', '');
}

/** Whether a middleware's layer matches every path and trims nothing from it. */
export function isPathless(layer: Layer): boolean {
  return layer.route === undefined && (layer.slash === true || layer.regexp?.fast_slash === true);
}

/** How the routers differ at the end of a mount path. */
export interface MountRules {
  /** In Express 4, a mount path can also end before a dot. */
  readonly endsBeforeDot: boolean;
  /** Router 2.3 does not remove an added slash if a layer seems to have rewritten the URL after it. */
  readonly keepsRewritten: boolean;
}

export function readMountRules({ stack, _params }: Router): MountRules {
  return { endsBeforeDot: Array.isArray(_params), keepsRewritten: stack.some((layer) => 'rawPath' in layer) };
}

/**
 * A stack as it was read. An added or removed layer is noticed at once, by the stack's length and its last
 * layer. All other changes are noticed after `recheckAfter`, because comparing everything on each request
 * would cost more than the lookup itself.
 */
export class StackReading {
  readonly #length: number;
  readonly #last: Layer | undefined;
  /** An integer, which V8 stores in the object itself instead of in a separate heap number. */
  #checked = currentTime();

  /** @param isSame - compares everything that was read */
  constructor(
    readonly stack: readonly Layer[],
    private readonly isSame: () => boolean,
  ) {
    this.#length = stack.length;
    this.#last = stack.at(-1);
  }

  /** @param now - the `currentTime`, which a caller with many readings reads once */
  isCurrent(now = currentTime()): boolean {
    if (this.stack.length !== this.#length || this.stack[this.#length - 1] !== this.#last) return false;
    if (now - this.#checked <= recheckAfter) return true;
    if (!this.isSame()) return false;
    this.#checked = now;
    return true;
  }
}

const recheckAfter = 500;

/** In milliseconds, for `StackReading`. */
export function currentTime(): number {
  return Math.trunc(performance.now());
}
