import { METHODS } from 'node:http';
import { performance } from 'node:perf_hooks';
import { acceptPatchOf, acceptQueryOf, isOptionsPassThrough, waypointsOf } from '../express/handler-metadata';
import { declaredMethods } from '../express/declare-methods';
import {
  handlesRequests,
  isRouter,
  MalformedTarget,
  matchLayer,
  type Handler,
  type Layer,
  type Route,
  type Router,
} from '../express/layers';
import { routerBehind } from '../express/mount-points';
import { plainPathOf } from './index/plain-path';
import { recheckAfter, StackSnapshot } from '../express/stack-snapshot';
import { type Accepted, targetMethods, type TargetMethods } from './method-set';

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
  /** Its path takes every other. */
  readonly bareWildcard: boolean;
  /** Those of its methods that it has handlers of the app's own for, by verb; none on a bare wildcard, or beside one of ours. */
  readonly certain: TargetMethods | undefined;
  /** Middlewares of ours among its handlers, see `declareWaypoint`. */
  readonly waypoints: Waypoints | undefined;
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
  /** What it answers, and of that, what it was given by the verb's own name. */
  const verbs = new Set<string>();
  const named = new Set<string>();
  /** No request reaches a handler of four arguments. */
  const forErrors = new Set<string>();
  const ours = new Set<object>();
  let withOurs = false;
  let forAll = false;
  let getIsHead = false;
  let acceptPatch: readonly string[] = [];
  let acceptQuery: readonly string[] = [];
  for (const handler of route.stack) {
    const verb = handler.method?.toUpperCase();
    if (!handlesRequests(handler)) {
      if (verb !== undefined) forErrors.add(verb);
      continue;
    }
    if (isOptionsPassThrough(handler.handle)) {
      withOurs = true;
      for (const waypoint of waypointsOf(handler.handle)) ours.add(waypoint);
      continue;
    }
    const declared = declaredMethods(handler.handle);
    if (verb === undefined) {
      declared?.forEach((method) => verbs.add(method));
      forAll ||= declared === undefined;
      continue;
    }
    if (declared?.includes(verb) !== false) {
      verbs.add(verb);
      named.add(verb);
    }
    if (verb === 'GET') getIsHead ||= declared?.includes('HEAD') !== false;
    if (verb === 'PATCH' && acceptPatch.length === 0) acceptPatch = acceptPatchOf(handler.handle);
    if (verb === 'QUERY' && acceptQuery.length === 0) acceptQuery = acceptQueryOf(handler.handle);
  }
  const bareWildcard = isBareWildcard(layer, route);
  const onlyForErrors = [...forErrors].some((verb) => verb !== 'OPTIONS' && !verbs.has(verb));
  // `app.all` registers every verb one by one; `route.all` and `router.all` set a mark of their own.
  const everyVerb = METHODS.every((verb) => verbs.has(verb));
  if (everyVerb) {
    verbs.clear();
    named.clear();
  } else if (getIsHead && route.methods['head'] !== true) {
    verbs.add('HEAD');
    named.add('HEAD');
  }
  const handled = handledMethods(verbs, { acceptPatch, acceptQuery });
  named.delete('OPTIONS');
  return {
    ...handled,
    // Beside verbs, those included that only error handlers serve, a handler for all of them is a middleware of the route.
    allVerbs: handled.methods === undefined && (forAll || everyVerb) && !onlyForErrors && !bareWildcard,
    bareWildcard,
    certain: withOurs || bareWildcard || named.size === 0 ? undefined : targetMethods(named),
    waypoints: ours.size > 0 ? new Waypoints([...ours]) : undefined,
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
function isBareWildcard(layer: Layer, { path }: Route): boolean {
  if (plainPathOf(path) !== undefined) return false;
  return ['/~', '/~/~.~/~/~-~/~/~/~'].every((probe) => {
    const matched = matchLayer(layer, probe);
    return matched !== undefined && !(matched instanceof MalformedTarget);
  });
}

/** Middlewares of ours that stand at one place, see `declareWaypoint`. */
export class Waypoints {
  constructor(readonly middlewares: readonly object[]) {}
}

/** A router, what the app declares of a middleware, or middlewares of ours; undefined where none of these is in sight. */
export type Reached = Router | HandledMethods | Waypoints | undefined;

/** What a middleware's layer leads to. */
export function reachedBy(layer: Layer): Reached {
  if (!handlesRequests(layer)) return routerBehind(layer);
  const declared = declaredMethods(layer.handle);
  if (declared !== undefined) return handledMethods(new Set(declared), {});
  const router = routerBehind(layer);
  if (router !== undefined) return router;
  const middlewares = waypointsOf(layer.handle);
  return middlewares.length > 0 ? new Waypoints(middlewares) : undefined;
}

/** Whether two answers of `reachedBy` say the same. */
export function isSameReach(a: Reached, b: Reached): boolean {
  if (a === b || a === undefined || b === undefined || isRouter(a) || isRouter(b)) return a === b;
  if (a instanceof Waypoints || b instanceof Waypoints) {
    return a instanceof Waypoints && b instanceof Waypoints && isSameList(a.middlewares, b.middlewares);
  }
  return a.methods === b.methods && a.answersOptions === b.answersOptions;
}

function isSameList(a: readonly object[], b: readonly object[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i]);
}

function handledMethods(verbs: Set<string>, accepted: Accepted): HandledMethods {
  const answersOptions = verbs.delete('OPTIONS');
  return { methods: verbs.size > 0 ? targetMethods(verbs, accepted) : undefined, answersOptions };
}
