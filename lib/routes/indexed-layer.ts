import {
  givenPaths,
  isPathless,
  matchLayer,
  statefulRegExps,
  type Layer,
  type MalformedTarget,
  type Route,
} from './express-layers';
import { differsByCase, matchPlainPath, plainPathOf, type PlainPath } from './plain-path';
import { RouteReading, type RouteMethods } from './route-methods';

/** A layer of a router's stack, with what never changes of it worked out, and what its route was found to handle. */
export class IndexedLayer {
  readonly route: Route | undefined;
  readonly #pathless: boolean;
  readonly #plain: PlainPath | undefined;
  readonly #stateful: readonly RegExp[];

  #reading: RouteReading | undefined;

  constructor(readonly layer: Layer) {
    this.route = layer.route;
    const paths = givenPaths(layer);
    this.#pathless = isPathless(layer);
    const plain = paths.length === 1 ? plainPathOf(paths[0]) : undefined;
    // A mount at ['/'], which is not taken for pathless, also matches the first slash of two.
    this.#plain = plain?.length === 0 && this.route === undefined ? undefined : plain;
    this.#stateful = statefulRegExps(layer);
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

  /** What the layer's route handles; undefined for a middleware's layer. */
  routeMethods(): RouteMethods | undefined {
    if (this.route === undefined) return undefined;
    if (this.#reading?.isCurrent() !== true) this.#reading = new RouteReading(this.layer, this.route);
    return this.#reading.methods;
  }
}
