import { givenPaths, isPathless, type Layer } from '../express/layers';
import { union, type TargetMethods } from './method-set';
import type { RouteMethods } from './route-methods';

interface MiddlewarePlace {
  /** Its layer; undefined on a route. */
  readonly layer: Layer | undefined;
  /** The depth of its router. */
  readonly depth: number;
  /** The tracked middlewares that every request that reaches it has passed. */
  readonly inFront: readonly object[];
  /** The methods of sure endpoints (`RouteMethods.certain`) before it. */
  readonly before: TargetMethods | undefined;
}

/** A tracked middleware where a walk reached it, with the routes before and after it. */
export class MiddlewarePosition {
  /** The methods after it, including those of bare wildcards and of declarations. */
  #after: TargetMethods | undefined = undefined;
  /** Whether an `app.all` comes after it whose path is not a bare wildcard. */
  #allAfter = false;
  /**
   * The methods of sure endpoints (`RouteMethods.certain`) after it, on its own router and on routers below.
   */
  #routesHere: TargetMethods | undefined = undefined;
  #allHere = false;
  #left = false;

  /**
   * @param mayAnswerAllAfter - whether a handler for all verbs comes after it, whatever the path, and beside
   *   single verbs, too
   */
  constructor(
    readonly middleware: object,
    readonly place: MiddlewarePlace,
    private mayAnswerAllAfter: boolean,
  ) {}

  /** Whether it comes first wherever a middleware behind it is reached: for all paths, or for the same one. */
  covers(layer: Layer | undefined, depth: number): boolean {
    const ownLayer = this.place.layer;
    if (this.#left || ownLayer === undefined) return false;
    const [path, other] = [ownLayer, layer].map((one) => one && String(givenPaths(one)));
    return isPathless(ownLayer) || (path !== '' && path === other && depth === this.place.depth);
  }

  addRoute({ certain, allVerbs, mayAnswerAll }: RouteMethods): void {
    this.#allAfter ||= allVerbs;
    this.mayAnswerAllAfter ||= mayAnswerAll;
    if (this.#left) return;
    this.#routesHere = union(this.#routesHere, certain);
    this.#allHere ||= allVerbs;
  }

  addMethods(methods: TargetMethods | undefined): void {
    this.#after = union(this.#after, methods);
  }

  /** Called when the walk leaves its router: later routes are on the routers around it. */
  leave(): void {
    this.#left = true;
  }

  /** Whether a request that it passes on can reach a route for its method. */
  precedesRoute(method: string): boolean {
    return this.#allAfter || this.#after?.methods.includes(method) === true;
  }

  /** Whether a request that it passes on may be answered: a guard, which makes no route, may do so. */
  precedesAnswer(method: string): boolean {
    return this.mayAnswerAllAfter || this.precedesRoute(method);
  }

  /** Whether a request that it passes on reaches a route of its own router: then it was mounted too early. */
  precedesRouteOfItsRouter(method: string): boolean {
    return this.#allHere || this.#routesHere?.methods.includes(method) === true;
  }

  /** Whether a route before it handles the method, and no route after it does. */
  followsAllRoutes(method: string): boolean {
    return this.place.before?.methods.includes(method) === true && !this.precedesRoute(method);
  }
}
