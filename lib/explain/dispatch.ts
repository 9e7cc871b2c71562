import { wrappings } from '../express/apps';
import { isNpmCors, isOptionsPassThrough } from '../express/handler-metadata';
import { handlesRequests, isPathless, isRouter, type Layer, type Router } from '../express/layers';
import type { RouteMethods } from '../routes/route-methods';
import { walkRoutes } from '../routes/route-walk';
import { findInstanceIn, type CorsInstance } from '../cors/policy-registry';

/** What answers a request before it reaches an instance. */
export type EarlierHandler = 'route' | 'options-handler' | 'express' | 'middleware';

/** Which `corsPreflight` a request reaches when an app dispatches it. */
export interface Dispatch {
  /** The first instance that it reaches; undefined if there is none, or if an earlier handler answers. */
  readonly instance: CorsInstance | undefined;
  /** Whether the instance is under a mount path. */
  readonly underPath: boolean;
  /** The earlier handler that answers; undefined if none does. */
  readonly answeredBy: EarlierHandler | undefined;
  /** The names of the functions that get the request before the instance, and can answer it. */
  readonly before: readonly string[];
  /**
   * The name of a function behind the instance that is mounted under a path, such as a proxy: it may answer,
   * but its methods are not known.
   */
  readonly unknownBehind: string | undefined;
}

/** A layer that the request reaches, in the order of dispatch. */
interface Step {
  readonly layer: Layer;
  /** The router whose stack has the layer. */
  readonly router: Router | undefined;
  /** The methods of a route; undefined for a middleware. */
  readonly route: RouteMethods | undefined;
  /** Whether it calls a function of which nothing is known, rather than a router or what is declared. */
  readonly isOpaque: boolean;
}

/**
 * Follows a request through an app, without calling a handler, until something answers it or an instance is
 * reached.
 *
 * @param inFront - the instance that every request reaches before the app
 */
export function simulateDispatch(
  root: Router,
  url: string,
  method: string,
  inFront?: CorsInstance,
): Dispatch {
  const routers: Router[] = [];
  const mounts = new Map<Router, Layer>();
  const steps: Step[] = [];
  const add = (layer: Layer, route: RouteMethods | undefined, isOpaque: boolean): void => {
    steps.push({ layer, route, isOpaque, router: routers.findLast(({ stack }) => stack.includes(layer)) });
  };
  const findings = walkRoutes(root, url, {
    router: (router) => void routers.push(router),
    candidate: () => undefined,
    route: ({ layer }, { methods }) => {
      add(layer, methods, false);
    },
    middleware: (layer, destination) => {
      add(layer, undefined, destination === undefined && handlesRequests(layer));
      if (isRouter(destination)) mounts.set(destination, layer);
    },
  });
  const findRouter = (layer: Layer | undefined): Router | undefined =>
    steps.find((step) => step.layer === layer)?.router;

  /** The routers around a layer, from its own to the root. */
  function within(router: Router | undefined): Router[] {
    const outer: Router[] = [];
    for (let each = router; each !== undefined && !outer.includes(each);) {
      outer.push(each);
      each = findRouter(mounts.get(each));
    }
    return outer;
  }

  if (inFront !== undefined) return reached(inFront, { unknownBehind: findUnknown(steps) });
  const listing = new Set<Router>();
  const before: string[] = [];
  for (const [index, { layer, route, router, isOpaque }] of steps.entries()) {
    const around = within(router);
    // A router whose routes matched answers OPTIONS at its end.
    const ended = [...listing].some((each) => !around.includes(each));
    if (method === 'OPTIONS' && ended) return unreached('express');
    const instance = findInstance(layer, method);
    if (instance !== undefined) {
      const mounted = [layer, ...around.map((each) => mounts.get(each))];
      const underPath = mounted.some(
        (each) => each !== undefined && each.route === undefined && !isPathless(each),
      );
      return reached(instance, { underPath, before, unknownBehind: findUnknown(steps.slice(index + 1)) });
    }
    const answeredBy =
      route === undefined
        ? answeringMiddleware(layer, method)
        : answeringRoute(route, method, findings.methods);
    if (answeredBy !== undefined) return unreached(answeredBy);
    if (route?.listedByExpress === true && router !== undefined) listing.add(router);
    if (isOpaque) before.push(...nameHandlers([layer]));
    else if (route?.allVerbs === true) before.push(...nameHandlers(layer.route?.stack ?? []));
  }
  return unreached(method === 'OPTIONS' && listing.size > 0 ? 'express' : undefined);
}

/** An instance that a request reaches. */
export function reached(
  instance: CorsInstance,
  { underPath = false, before = [], unknownBehind }: Partial<Dispatch> = {},
): Dispatch {
  return { instance, answeredBy: undefined, underPath, before, unknownBehind };
}

function unreached(answeredBy: EarlierHandler | undefined): Dispatch {
  return { instance: undefined, answeredBy, underPath: false, before: [], unknownBehind: undefined };
}

/** An app without a router yet. */
export const nothingReached = unreached(undefined);

/** What Express and this library put on a stack themselves, and what passes OPTIONS on. */
const passingOn = /^(?:query|expressInit|serveStatic)$/;

function nameHandlers(layers: readonly Layer[]): readonly string[] {
  return layers
    .map(({ handle }) => handle)
    .filter((handle) => !passingOn.test(handle.name) && !isOptionsPassThrough(handle))
    .map(({ name }) => (name === '' || name === '<anonymous>' ? 'an anonymous function' : name));
}

/** The first function under a mount path, such as a proxy. One without a path, as a logger, passes on. */
function findUnknown(steps: readonly Step[]): string | undefined {
  const layers = steps.filter(({ layer, isOpaque }) => isOpaque && !isPathless(layer));
  return nameHandlers(layers.map(({ layer }) => layer))[0];
}

/** The instance in a layer, or in a handler for the method on its route. */
function findInstance(layer: Layer, method: string): CorsInstance | undefined {
  const verb = method.toLowerCase();
  const handlers = layer.route?.stack.filter((each) => each.method === undefined || each.method === verb);
  for (const { handle } of handlers ?? [layer]) {
    for (const handler of wrappings(handle)) {
      const instance = findInstanceIn(handler);
      if (instance !== undefined) return instance;
    }
  }
  return undefined;
}

function answeringRoute(
  { methods, allVerbs, answersOptions }: RouteMethods,
  method: string,
  ofTarget: RouteMethods['methods'],
): EarlierHandler | undefined {
  if (method === 'OPTIONS') return answersOptions ? 'options-handler' : undefined;
  // Beside routes for single verbs, an `app.all` counts as a middleware.
  const answers = methods?.methods.includes(method) === true || (allVerbs && ofTarget === undefined);
  return answers ? 'route' : undefined;
}

/**
 * Middlewares that answer every OPTIONS request: the `optionsHandler` of this library, if there are routes,
 * and npm cors.
 */
function answeringMiddleware({ handle }: Layer, method: string): EarlierHandler | undefined {
  if (method !== 'OPTIONS') return undefined;
  const answers = isNpmCors(handle) || (handle.name === 'optionsHandler' && isOptionsPassThrough(handle));
  return answers ? 'middleware' : undefined;
}
