import { METHODS } from 'node:http';
import { routerBehind } from '../express/apps';
import { declaredMethods, isOwn, readAcceptPatch, trackedIn } from '../express/handler-metadata';
import {
  handlesRequests,
  isRouter,
  MalformedTarget,
  matchLayer,
  StackReading,
  type Layer,
  type Route,
  type Router,
} from '../express/layers';
import { targetMethods, type TargetMethods } from './method-set';

/** The methods of one route or declared middleware. */
export interface HandledMethods {
  /**
   * The methods with a handler of their own, and OPTIONS, as in every set; undefined if there are none, or only
   * OPTIONS.
   */
  readonly methods: TargetMethods | undefined;
  /** Whether the app handles OPTIONS here itself. */
  readonly answersOptions: boolean;
}

export interface RouteMethods extends HandledMethods {
  /**
   * Whether it has a handler for all verbs (`app.all`) and none for a single verb, and its path is not a bare
   * wildcard.
   */
  readonly allVerbs: boolean;
  /** Whether it has a handler for all verbs, even beside handlers for single verbs or on a bare wildcard. */
  readonly mayAnswerAll: boolean;
  /** Whether it has a single verb that only error handlers handle, which no request reaches. */
  readonly onlyForErrors: boolean;
  /** Whether its path matches every path. */
  readonly bareWildcard: boolean;
  /**
   * The verbs for which the app registered a handler that is certainly an endpoint; undefined on a bare
   * wildcard, or if the route has a middleware of this library.
   */
  readonly certain: TargetMethods | undefined;
  /** The tracked middlewares among its handlers, see `trackPosition`. */
  readonly tracked: TrackedMiddlewares | undefined;
  /**
   * Whether Express lists its methods when it answers OPTIONS itself; there, handlers that no request reaches
   * count, too.
   */
  readonly listedByExpress: boolean;
  /** The stack from which this was read, to check whether it is still true. */
  readonly reading: StackReading;
}

export function readRoute(layer: Layer, route: Route): RouteMethods {
  const { stack } = route;
  const handlers = stack.map(({ handle }) => handle);
  /** All verbs that it answers, and the verbs that were registered by name. */
  const verbs = new Set<string>();
  const namedVerbs = new Set<string>();
  /** Verbs with an error handler, which no request reaches. */
  const forErrors = new Set<string>();
  const own = new Set<object>();
  let withOwn = false;
  let forAll = false;
  let forAllBehindOwn = false;
  let getIsHead = false;
  let acceptPatch: readonly string[] = [];
  for (const handler of stack) {
    const verb = handler.method?.toUpperCase();
    if (!handlesRequests(handler)) {
      if (verb !== undefined) forErrors.add(verb);
      continue;
    }
    if (isOwn(handler.handle)) {
      withOwn = true;
      forAllBehindOwn = false;
      for (const middleware of trackedIn(handler.handle)) own.add(middleware);
      continue;
    }
    const declared = declaredMethods(handler.handle);
    if (verb === undefined) {
      declared?.forEach((method) => verbs.add(method));
      forAll ||= declared === undefined;
      forAllBehindOwn ||= declared === undefined;
      continue;
    }
    if (declared?.includes(verb) !== false) {
      verbs.add(verb);
      namedVerbs.add(verb);
    }
    if (verb === 'GET') getIsHead ||= declared?.includes('HEAD') !== false;
    if (verb === 'PATCH' && acceptPatch.length === 0) acceptPatch = readAcceptPatch(handler.handle);
  }
  const bareWildcard = isBareWildcard(layer);
  const onlyForErrors = [...forErrors].some((verb) => verb !== 'OPTIONS' && !verbs.has(verb));
  // `app.all` registers every verb one by one; `route.all` and `router.all` register one handler without a
  // verb.
  const hasEveryVerb = METHODS.every((verb) => verbs.has(verb));
  if (hasEveryVerb) {
    verbs.clear();
    namedVerbs.clear();
  } else if (getIsHead && route.methods['head'] !== true) {
    verbs.add('HEAD');
    namedVerbs.add('HEAD');
  }
  const handled = handledMethods(verbs, acceptPatch);
  return {
    ...handled,
    // Beside handlers for single verbs, error handlers included, one for all verbs is a middleware of the
    // route.
    allVerbs: handled.methods === undefined && (forAll || hasEveryVerb) && !onlyForErrors && !bareWildcard,
    mayAnswerAll: forAll || hasEveryVerb,
    onlyForErrors,
    bareWildcard,
    certain: withOwn || bareWildcard ? undefined : targetMethods(namedVerbs),
    tracked: own.size > 0 ? new TrackedMiddlewares([...own], forAllBehindOwn) : undefined,
    listedByExpress: isListedByExpress(route),
    reading: new StackReading(
      stack,
      () => stack === route.stack && stack.every(({ handle }, i) => handle === handlers[i]),
    ),
  };
}

function isListedByExpress({ methods }: Route): boolean {
  return methods['_all'] !== true && methods['options'] !== true && Object.keys(methods).length > 0;
}

/**
 * Whether a layer's path matches every path: `*`, `/{*rest}`, `/.*`, depending on the version of Express. An
 * `app.all` on such a path is a guard, as in `app.all('*', requireLogin)`, not a resource.
 */
function isBareWildcard(layer: Layer): boolean {
  return ['/~', '/~/~.~/~/~-~/~/~/~'].every((probe) => {
    const matched = matchLayer(layer, probe);
    return matched !== undefined && !(matched instanceof MalformedTarget);
  });
}

/** The tracked middlewares of one layer, see `trackPosition`. */
export class TrackedMiddlewares {
  /** @param mayAnswerAllAfter - whether a handler for all verbs comes after them on the same route */
  constructor(
    readonly middlewares: readonly object[],
    readonly mayAnswerAllAfter = false,
  ) {}
}

/**
 * A router, the methods declared for a middleware, or tracked middlewares; undefined for any other
 * middleware.
 */
export type Destination = Router | HandledMethods | TrackedMiddlewares | undefined;

/** The destination of a middleware's layer. */
export function readDestination(layer: Layer): Destination {
  const declared = declaredMethods(layer.handle);
  if (declared !== undefined) return handledMethods(new Set(declared));
  const router = routerBehind(layer);
  if (router !== undefined) return router;
  const middlewares = trackedIn(layer.handle);
  return middlewares.length > 0 ? new TrackedMiddlewares(middlewares) : undefined;
}

export function isSameDestination(a: Destination, b: Destination): boolean {
  if (a === undefined || b === undefined || isRouter(a) || isRouter(b)) return a === b;
  if (a instanceof TrackedMiddlewares || b instanceof TrackedMiddlewares) {
    return (
      a instanceof TrackedMiddlewares &&
      b instanceof TrackedMiddlewares &&
      isSameList(a.middlewares, b.middlewares)
    );
  }
  return a.methods === b.methods && a.answersOptions === b.answersOptions;
}

function isSameList(a: readonly object[], b: readonly object[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i]);
}

function handledMethods(verbs: Set<string>, acceptPatch?: readonly string[]): HandledMethods {
  const answersOptions = verbs.delete('OPTIONS');
  return { methods: verbs.size > 0 ? targetMethods(verbs, acceptPatch) : undefined, answersOptions };
}
