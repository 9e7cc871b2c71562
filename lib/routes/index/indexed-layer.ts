import {
  givenPaths,
  isPathless,
  matchLayer,
  statefulRegExps,
  type Layer,
  type LayerMatch,
  type MalformedTarget,
  type Route,
} from '../../express/layers';
import { literalPrefixes } from './literal-prefix';
import { differsByCase, matchPlainPath, plainPathOf, type PlainPath } from './plain-path';
import { RouteReading } from '../route-methods';

const nothingTaken: LayerMatch = { path: '', literal: true };

/** A layer of a router's stack, with what never changes of it worked out, and what its route was found to handle. */
export class IndexedLayer {
  readonly route: Route | undefined;
  /** In lower case: what of its path a request's path must begin with for the layer to match it; undefined: anything. */
  readonly prefixes: readonly string[] | undefined;
  readonly #pathless: boolean;
  readonly #plain: PlainPath | undefined;
  readonly #stateful: readonly RegExp[];
  /** Of a match by the plain path. */
  readonly #literal: boolean;
  readonly #hasRegExp: boolean;

  #reading: RouteReading | undefined;

  constructor(readonly layer: Layer) {
    this.route = layer.route;
    this.#pathless = isPathless(layer);
    const paths = givenPaths(layer);
    const [path, ...others] = paths;
    const plain = others.length === 0 ? plainPathOf(path) : undefined;
    // A mount at ['/'], which is not taken for pathless, also matches the first slash of two.
    this.#plain = plain?.length === 0 && this.route === undefined ? undefined : plain;
    this.#literal = plain?.includes(undefined) !== true;
    this.#hasRegExp = paths.some((one) => one instanceof RegExp);
    this.#stateful = statefulRegExps(layer);
    this.prefixes = literalPrefixes(layer);
  }

  /** Whether the layer itself need not be asked about a comparable path. */
  get isPlain(): boolean {
    return this.#pathless || this.#plain !== undefined;
  }

  /** The segments that the layer tells from others, in lower case. */
  get literals(): readonly string[] {
    const text = this.#plain ?? (this.prefixes ?? []).flatMap((prefix) => prefix.slice(1).split('/'));
    return text.filter((segment) => segment !== undefined).map((segment) => segment.toLowerCase());
  }

  /**
   * What the layer takes of a path, as `matchLayer` has it, but that a route's RegExp is no literal: which paths it takes
   * besides is not known.
   *
   * @param comparable - whether the path is, see `isComparable`
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

  /** What the layer's route is read to handle; undefined for a middleware's layer. */
  reading(): RouteReading | undefined {
    if (this.route === undefined) return undefined;
    if (this.#reading?.isCurrent() !== true) this.#reading = new RouteReading(this.layer, this.route);
    return this.#reading;
  }
}
