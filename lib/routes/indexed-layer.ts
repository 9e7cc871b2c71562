import {
  givenPaths,
  isPathless,
  matchLayer,
  statefulRegExps,
  type Layer,
  type LayerMatch,
  type MalformedTarget,
  type Route,
} from '../express/layers';
import { literalPrefixes } from './literal-prefix';
import { readRoute, type RouteMethods } from './route-methods';

const nothingTaken: LayerMatch = { path: '', literal: true };

/**
 * A layer of a router's stack, with its properties that never change, and the methods that were last read
 * from its route.
 */
export class IndexedLayer {
  readonly route: Route | undefined;
  /**
   * The literal prefixes, in lower case, one of which a path must have for the layer to match; undefined: any
   * path can match.
   */
  readonly prefixes: readonly string[] | undefined;
  readonly #pathless: boolean;
  readonly #plain: PlainPath | undefined;
  readonly #stateful: readonly RegExp[];
  /** Whether the plain path has no parameters. */
  readonly #literal: boolean;
  readonly #hasRegExp: boolean;

  #methods: RouteMethods | undefined;

  constructor(readonly layer: Layer) {
    this.route = layer.route;
    this.#pathless = isPathless(layer);
    const paths = givenPaths(layer);
    const [path, ...others] = paths;
    this.#plain = others.length === 0 ? readPlainPath(path) : undefined;
    this.#literal = this.#plain?.includes(undefined) !== true;
    this.#hasRegExp = paths.some((one) => one instanceof RegExp);
    this.#stateful = statefulRegExps(layer);
    this.prefixes = literalPrefixes(layer);
  }

  /** Whether a comparable path can be matched without calling the layer. */
  get isPlain(): boolean {
    return this.#pathless || this.#plain !== undefined;
  }

  /** The literal segments of the layer's paths, in lower case. */
  get literals(): readonly string[] {
    const text = this.#plain ?? (this.prefixes ?? []).flatMap((prefix) => prefix.slice(1).split('/'));
    return text.filter((segment) => segment !== undefined).map((segment) => segment.toLowerCase());
  }

  /**
   * Matches a path as `matchLayer` does, except that a route with a RegExp never counts as literal: which
   * other paths it matches is unknown. A mount does, because Express 4 does not expose its RegExp.
   *
   * @param comparable - the result of `isComparable` for the path
   */
  match(path: string, comparable: boolean): LayerMatch | MalformedTarget | undefined {
    if (this.#pathless) return nothingTaken;
    if (comparable && this.#plain !== undefined) {
      const matched = matchPlainPath(this.#plain, path, this.route !== undefined);
      if (matched === undefined) return undefined;
      if (matched !== differsByCase) return { path: matched, literal: this.#literal };
    }
    const matched = matchLayer(this.layer, path, this.#stateful);
    const isRegExpRoute = this.#hasRegExp && this.route !== undefined;
    return isRegExpRoute && matched !== undefined && 'literal' in matched
      ? { path: matched.path, literal: false }
      : matched;
  }

  /** The methods of the layer's route; undefined for a middleware's layer. */
  readRoute(): RouteMethods | undefined {
    if (this.route === undefined) return undefined;
    if (this.#methods?.reading.isCurrent() !== true) this.#methods = readRoute(this.layer, this.route);
    return this.#methods;
  }
}

/**
 * A layer's path that consists of whole segments, each a literal or a parameter (`undefined`): `/notes/:id`.
 * Express 4 and 5 read such a path in the same way, so it can be matched without calling the layer, which
 * would create an object for the parameters, at ten times the cost. In most apps, most paths are like this.
 */
type PlainPath = readonly (string | undefined)[];

/** The segments of a plain path; undefined for any other path. */
export function readPlainPath(path: unknown): PlainPath | undefined {
  if (typeof path !== 'string' || !/^(?:\/|(?:\/(?:[\w~.-]+|:[A-Za-z_]\w*))+)$/.test(path)) return undefined;
  const segments = path === '/' ? [] : path.slice(1).split('/');
  return segments.map((segment) => (segment.startsWith(':') ? undefined : segment));
}

/** The paths differ only in case, which matters or not depending on the app's settings. */
const differsByCase = Symbol('differs by case');

/**
 * @param path - a path that `isComparable`
 * @param whole - true for a route, which matches the whole path; false for a mount, which matches a prefix
 * @returns the matched part of the path; undefined if it does not match
 */
function matchPlainPath(
  pattern: PlainPath,
  path: string,
  whole: boolean,
): string | typeof differsByCase | undefined {
  if (pattern.length === 0) return path === '/' ? path : undefined;
  let taken = 0;
  for (const segment of pattern) {
    const start = taken + 1;
    const next = path.indexOf('/', start);
    taken = next === -1 ? path.length : next;
    if (taken <= start) return undefined;
    if (segment === undefined || (segment.length === taken - start && path.startsWith(segment, start)))
      continue;
    return path.slice(start, taken).toLowerCase() === segment.toLowerCase() ? differsByCase : undefined;
  }
  return whole && taken < path.length ? undefined : path.slice(0, taken);
}
