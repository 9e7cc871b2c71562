/**
 * What Express 4, Express 5 and the standalone `router` keep in their stacks, and how one layer of theirs is asked.
 * This file and `express-apps.ts` and `express-url.ts` beside it are the only ones that know their internals.
 */

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

/**
 * Asks a layer as the router itself would, and leaves no trace on it: layers before router 2.3 keep what they matched
 * last, where instrumentation reads it, and a RegExp with the flag `g` or `y` keeps where it stopped.
 *
 * @param stateful - the layer's `statefulRegExps`
 * @returns the part of the path that it took; undefined where it does not match
 */
export function matchLayer(
  layer: Layer,
  path: string,
  stateful: readonly RegExp[] = statefulRegExps(layer),
): string | MalformedTarget | undefined {
  if (stateful.length === 0) return ask(layer, path);
  const lastIndexes = stateful.map((regExp) => regExp.lastIndex);
  try {
    return ask(layer, path);
  } finally {
    stateful.forEach((regExp, i) => (regExp.lastIndex = lastIndexes[i] ?? 0));
  }
}

function ask(layer: Layer, path: string): string | MalformedTarget | undefined {
  const { path: lastPath, params, keys } = layer;
  try {
    const matched = layer.match(path);
    if (matched === true) return String(layer.path);
    return isMatchObject(matched) ? matched.path : undefined;
  } catch (error) {
    return new MalformedTarget(error);
  } finally {
    if ('path' in layer) {
      layer.path = lastPath;
      layer.params = params;
      layer.keys = keys;
    }
  }
}

function isMatchObject(matched: unknown): matched is { readonly path: string } {
  return typeof matched === 'object' && matched !== null && 'path' in matched;
}

/** The RegExps of the host's that change by being asked. Router 2.2 keeps those of its mounts out of reach. */
export function statefulRegExps(layer: Layer): readonly RegExp[] {
  return [layer.regexp, ...givenPaths(layer)].filter(isStateful);
}

function isStateful(path: unknown): path is RegExp {
  return path instanceof RegExp && (path.global || path.sticky);
}

/** The paths that a layer was made with, arrays unnested; empty where the layer does not tell. */
export function givenPaths(layer: Layer): readonly unknown[] {
  const path = layer.route === undefined ? layer.rawPath : layer.route.path;
  if (Array.isArray(path)) return path.flat(Infinity);
  return path === undefined ? [] : [path];
}

/** Whether a middleware's layer takes every path and nothing from it. */
export function isPathless(layer: Layer): boolean {
  return layer.route === undefined && (layer.slash === true || layer.regexp?.fast_slash === true);
}

/** What Express 4 has made of a layer's path: in its syntax that is a regular expression with some additions. */
export function express4Expression(layer: Layer): RegExp | undefined {
  return layer.regexp;
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
