import { METHODS } from 'node:http';
import { performance } from 'node:perf_hooks';
import { acceptPatchOf, isOptionsPassThrough } from '../express/handler-metadata';
import { declaredMethods } from '../express/declare-methods';
import {
  handlesRequests,
  isRouter,
  matchLayer,
  type Handler,
  type Layer,
  type Route,
  type Router,
} from '../express/layers';
import { routerBehind } from '../express/mount-points';
import { recheckAfter, StackSnapshot } from '../express/stack-snapshot';
import { targetMethods, type TargetMethods } from './method-set';

/** What one route or declared middleware adds to the answers about a target that it matches. */
export interface HandledMethods {
  /** The methods that it has handlers for; undefined where there are none, or only for OPTIONS or for all verbs. */
  readonly methods: TargetMethods | undefined;
  /** The host handles OPTIONS here itself. */
  readonly answersOptions: boolean;
}

export interface RouteMethods extends HandledMethods {
  /** It handles all verbs and names none, and its path is not a bare wildcard. */
  readonly allVerbs: boolean;
  /** Express lists it, with handlers that no request reaches too, where it answers OPTIONS by itself. */
  readonly listedByExpress: boolean;
}

/**
 * What was read of a route. A handler added or removed is seen at once, one exchanged in place after `recheckAfter`.
 */
export class RouteReading {
  readonly methods: RouteMethods;
  readonly snapshot: StackSnapshot;
  readonly #handlers: readonly Handler[];
  /** A whole number, which an object holds itself, and not by reference. */
  #checked = Math.trunc(performance.now());

  constructor(
    layer: Layer,
    private readonly route: Route,
  ) {
    this.methods = readRoute(layer, route);
    this.snapshot = new StackSnapshot(route.stack);
    this.#handlers = route.stack.map(({ handle }) => handle);
  }

  isCurrent(): boolean {
    if (!this.snapshot.isCurrent()) return false;
    const now = Math.trunc(performance.now());
    if (now - this.#checked <= recheckAfter) return true;
    this.#checked = now;
    const { stack } = this.route;
    return stack === this.snapshot.stack && stack.every(({ handle }, i) => handle === this.#handlers[i]);
  }
}

function readRoute(layer: Layer, route: Route): RouteMethods {
  const verbs = new Set<string>();
  let forAll = false;
  let acceptPatch: readonly string[] = [];
  for (const handler of route.stack) {
    if (!handlesRequests(handler) || isOptionsPassThrough(handler.handle)) continue;
    const declared = declaredMethods(handler.handle);
    const verb = handler.method?.toUpperCase();
    if (verb === undefined) declared?.forEach((method) => verbs.add(method));
    if (verb === undefined) forAll ||= declared === undefined;
    else if (declared?.includes(verb) !== false) verbs.add(verb);
    if (verb === 'PATCH' && acceptPatch.length === 0) acceptPatch = acceptPatchOf(handler.handle);
  }
  // `app.all` registers every verb one by one; `route.all` and `router.all` set a mark of their own.
  const everyVerb = METHODS.every((verb) => verbs.has(verb));
  if (everyVerb) verbs.clear();
  if (verbs.has('GET') && route.methods['head'] !== true) verbs.add('HEAD');
  return {
    ...handledMethods(verbs, acceptPatch),
    allVerbs: verbs.size === 0 && (forAll || everyVerb) && !isBareWildcard(layer),
    listedByExpress: isListedByExpress(route),
  };
}

function isListedByExpress({ methods }: Route): boolean {
  return methods['_all'] !== true && methods['options'] !== true && Object.keys(methods).length > 0;
}

/**
 * Whether a path takes every other: `*`, `/{*rest}`, `/.*` and whatever the syntax of the host's Express calls it. By
 * a route for all verbs on such a path hosts mean a guard, `app.all('*', requireLogin)`, and no resource.
 */
function isBareWildcard(layer: Layer): boolean {
  return ['/~', '/~/~.~/~/~-~/~/~/~'].every((path) => typeof matchLayer(layer, path) === 'string');
}

/** A router, or what the app declares of a middleware; undefined where neither is in sight. */
export type Reached = Router | HandledMethods | undefined;

/** What a middleware's layer leads to. */
export function reachedBy(layer: Layer): Reached {
  const declared = handlesRequests(layer) ? declaredMethods(layer.handle) : undefined;
  return declared === undefined ? routerBehind(layer) : handledMethods(new Set(declared), []);
}

/** Whether two answers of `reachedBy` say the same. */
export function isSameReach(a: Reached, b: Reached): boolean {
  if (a === b || a === undefined || b === undefined || isRouter(a) || isRouter(b)) return a === b;
  return a.methods === b.methods && a.answersOptions === b.answersOptions;
}

function handledMethods(verbs: Set<string>, acceptPatch: readonly string[]): HandledMethods {
  const answersOptions = verbs.delete('OPTIONS');
  return { methods: verbs.size > 0 ? targetMethods(verbs, acceptPatch) : undefined, answersOptions };
}
