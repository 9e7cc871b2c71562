import { union, type TargetMethods } from './method-set';
import type { RouteMethods } from './route-methods';

/** A middleware of ours where a walk came upon it, and what a request finds in front of it and behind. */
export class Waypoint {
  /** All that is named behind it, on bare wildcards and by declarations too. */
  #behind: TargetMethods | undefined = undefined;
  /** A route for all verbs is behind it, whose path is not a bare wildcard. */
  #allBehind = false;
  /** What routes of its own router have behind it, and those further in, that surely are routes. */
  #routesHere: TargetMethods | undefined = undefined;
  #allHere = false;
  #left = false;

  /** @param inFront - the methods that routes in front of it name, that surely are routes */
  constructor(
    readonly middleware: object,
    private readonly inFront: TargetMethods | undefined,
  ) {}

  addRoute({ certain, allVerbs }: RouteMethods): void {
    this.#allBehind ||= allVerbs;
    if (this.#left) return;
    this.#routesHere = union(this.#routesHere, certain);
    this.#allHere ||= allVerbs;
  }

  addMethods(methods: TargetMethods | undefined): void {
    this.#behind = union(this.#behind, methods);
  }

  /** The walk has left its router: what follows stands on those around it. */
  leave(): void {
    this.#left = true;
  }

  /** Whether a request that it lets pass may come upon a route for its method. */
  isInFrontOf(method: string): boolean {
    return this.#allBehind || this.#behind?.methods.includes(method) === true;
  }

  /** The same, of the routes of its own router: it was mounted too early. */
  isInFrontOfRoutesHere(method: string): boolean {
    return this.#allHere || this.#routesHere?.methods.includes(method) === true;
  }

  /** Whether a route in front of it takes the requests of this method, and none behind it does. */
  isBehindAllFor(method: string): boolean {
    return this.inFront?.methods.includes(method) === true && !this.isInFrontOf(method);
  }
}
