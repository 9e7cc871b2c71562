import {
  givenPaths,
  isPathless,
  matchLayer,
  statefulRegExps,
  type Layer,
  type MalformedTarget,
  type Route,
} from '../../express/layers';
import { literalPrefixes } from './literal-prefix';
import { differsByCase, matchPlainPath, plainPathOf, type PlainPath } from './plain-path';
import { RouteReading } from '../route-methods';

/** A layer of a router's stack, with what never changes of it worked out, and what its route was found to handle. */
export class IndexedLayer {
  readonly route: Route | undefined;
  /** In lower case: what of its path a request's path must begin with for the layer to match it; undefined: anything. */
  readonly prefixes: readonly string[] | undefined;
  readonly #pathless: boolean;
  readonly #plain: PlainPath | undefined;
  readonly #stateful: readonly RegExp[];

  #reading: RouteReading | undefined;

  constructor(readonly layer: Layer) {
    this.route = layer.route;
    this.#pathless = isPathless(layer);
    const [path, ...others] = givenPaths(layer);
    const plain = others.length === 0 ? plainPathOf(path) : undefined;
    // A mount at ['/'], which is not taken for pathless, also matches the first slash of two.
    this.#plain = plain?.length === 0 && this.route === undefined ? undefined : plain;
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
   * What the layer takes of a path, as `matchLayer` has it.
   *
   * @param comparable - whether the path is, see `isComparable`
   */
  match(path: string, comparable: boolean): string | MalformedTarget | undefined {
    if (this.#pathless) return '';
    if (comparable && this.#plain !== undefined) {
      const matched = matchPlainPath(this.#plain, path, this.route !== undefined);
      if (matched !== differsByCase) return matched;
    }
    return matchLayer(this.layer, path, this.#stateful);
  }

  /** What the layer's route is read to handle; undefined for a middleware's layer. */
  reading(): RouteReading | undefined {
    if (this.route === undefined) return undefined;
    if (this.#reading?.isCurrent() !== true) this.#reading = new RouteReading(this.layer, this.route);
    return this.#reading;
  }
}
