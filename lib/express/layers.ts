/**
 * What Express 4, Express 5 and the standalone `router` keep in their stacks, and how one layer of theirs is asked.
 * This file and `express-apps.ts` and `express-url.ts` beside it are the only ones that know their internals.
 */

import { isObject } from '../configuration';

/** A function in a stack, of which only what it says of itself is of interest here. */
export type Handler = (...args: never[]) => unknown;

/** A layer of a router's stack, or of a route's. */
export interface Layer {
  readonly handle: Handler;
  /** The handler's name when the layer was made; a handler put in its place since does not change it. */
  readonly name: string;
  /** In a router's stack: the route that this layer leads to; a middleware's layer has none. */
  readonly route?: Route | undefined;
  /** In a route's stack: the method in lower case; undefined for every method. */
  readonly method?: string | undefined;
  /** Throws where a parameter cannot be decoded. An object since router 2.3, before that a boolean and `path`. */
  match(path: string): unknown;
  path?: unknown;
  params?: unknown;
  keys?: unknown;
  /** Express 4: the compiled path. */
  readonly regexp?: RegExp & { readonly fast_slash?: boolean };
  /** Router 2: mounted without a path, or at `/`. */
  readonly slash?: boolean;
  /** Router 2.3: the path as it was given. */
  readonly rawPath?: unknown;
}

export interface Route {
  /** The path as it was given: a string, a RegExp, or an array of them. */
  readonly path: unknown;
  /** By method in lower case; `_all` where the route has a handler for every method. */
  readonly methods: Readonly<Record<string, boolean | undefined>>;
  readonly stack: readonly Layer[];
}

export interface Router {
  readonly stack: readonly Layer[];
  /** Express 4 alone. */
  readonly _params?: unknown;
}

/** The request is malformed in the eyes of this layer: Express answers it with this error, a 400. */
export class MalformedTarget {
  constructor(readonly error: unknown) {}
}

export function isRouter(value: unknown): value is Router {
  return typeof value === 'function' && Array.isArray(Reflect.get(value, 'stack'));
}

/** A function of four arguments handles errors: no request reaches it, on a route neither. */
export function handlesRequests(layer: Layer): boolean {
  return layer.handle.length <= 3;
}

/** What a layer takes of a path that it matches. */
export interface LayerMatch {
  readonly path: string;
  /** Without a parameter or wildcard that took a part of the path. */
  readonly literal: boolean;
}

/**
 * Asks a layer as the router itself would, and leaves no trace on it: layers before router 2.3 keep what they matched
 * last, where instrumentation reads it, and a RegExp with the flag `g` or `y` keeps where it stopped.
 *
 * @param stateful - the layer's `statefulRegExps`
 * @returns undefined where it does not match
 */
export function matchLayer(
  layer: Layer,
  path: string,
  stateful: readonly RegExp[] = statefulRegExps(layer),
): LayerMatch | MalformedTarget | undefined {
  const { path: lastPath, params, keys } = layer;
  const lastIndexes = stateful.map((regExp) => regExp.lastIndex);
  try {
    const matched = layer.match(path);
    if (matched === true) return { path: String(layer.path), literal: isWithoutValues(layer.params) };
    return isObject(matched) && 'path' in matched
      ? { path: String(matched.path), literal: isWithoutValues(Reflect.get(matched, 'params')) }
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

/** Optional parameters that nothing was left for are undefined, or missing. */
function isWithoutValues(params: unknown): boolean {
  return !isObject(params) || Object.values(params).every((value) => value === undefined);
}

/** The RegExps of the host's that change by being asked. Router 2.2 keeps those of its mounts out of reach. */
export function statefulRegExps(layer: Layer): readonly RegExp[] {
  return [layer.regexp, ...givenPaths(layer)].filter(
    (path): path is RegExp => path instanceof RegExp && (path.global || path.sticky),
  );
}

/** The paths that a layer was made with, arrays unnested; of one that does not tell, undefined. */
export function givenPaths(layer: Layer): readonly unknown[] {
  return [layer.route === undefined ? (layer.rawPath ?? literalMountPath(layer)) : layer.route.path].flat(
    Infinity,
  );
}

/**
 * The path of an Express 4 mount, which keeps no more of it than the expression made of it: undefined unless that shows it
 * to be a literal. Router 2.2 keeps nothing at all.
 */
function literalMountPath({ regexp }: Layer): string | undefined {
  if (regexp === undefined || !['', 'i'].includes(regexp.flags)) return undefined;
  const literal = /^\^((?:\\[/.]|[\w~%@!&=,;'-])+)\\\/\?\(\?=\\\/\|\$\)$/.exec(regexp.source)?.[1];
  return literal?.replaceAll('\\', '');
}

/** Whether a middleware's layer takes every path and nothing from it. */
export function isPathless(layer: Layer): boolean {
  return layer.route === undefined && (layer.slash === true || layer.regexp?.fast_slash === true);
}

/** How the routers differ at the edges of a mount. */
export interface MountRules {
  /** Express 4 lets a mount end before a dot, too. */
  readonly endsBeforeDot: boolean;
  /** Router 2.3 leaves an added slash where a layer seems to have rewritten the URL behind it. */
  readonly keepsRewritten: boolean;
}

export function mountRulesOf({ stack, _params }: Router): MountRules {
  return { endsBeforeDot: Array.isArray(_params), keepsRewritten: stack.some((layer) => 'rawPath' in layer) };
}
