import { leadsToApp, readRouter } from '../express/apps';
import {
  handlesRequests,
  isPathless,
  isRouter,
  readMountRules,
  type Layer,
  type Router,
} from '../express/layers';
import type { Destination, RouteMethods } from '../routes/route-methods';
import { walkRoutes } from '../routes/route-walk';
import type { CorsInstance } from '../cors/policy-registry';
import {
  answeringHandler,
  findInstance,
  handlersFor,
  isServeStatic,
  isWrapped,
  mayAnswer,
  nameHandler,
  nameParamCallbacks,
  type EarlierHandler,
} from './handlers';

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
  /** What a middleware calls, if that is known. */
  readonly destination: Destination;
}

/**
 * Follows a request through an app, without calling a handler, until something answers it or an instance is
 * reached.
 *
 * @param app - the app or router that the server calls
 * @param inFront - the instance that every request reaches before the app
 */
export function simulateDispatch(
  app: unknown,
  url: string,
  method: string,
  inFront?: CorsInstance,
): Dispatch {
  const root = readRouter(app);
  // An app without a router yet.
  if (root === undefined) return inFront === undefined ? unreached(undefined) : reached(inFront);
  const routers: Router[] = [];
  const mounts = new Map<Router, Layer>();
  const steps: Step[] = [];
  const add = (layer: Layer, route: RouteMethods | undefined, destination?: Destination): void => {
    const router = routers.findLast(({ stack }) => stack.includes(layer));
    steps.push({ layer, route, destination, router });
  };
  const findings = walkRoutes(root, url, {
    router: (router) => void routers.push(router),
    candidate: () => undefined,
    route: ({ layer }, { methods }) => {
      add(layer, methods);
    },
    middleware: (layer, destination) => {
      add(layer, undefined, destination);
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

  /** Whether a layer is one of the two that Express 4 itself puts on the stack of every app. */
  function isOfExpress(layer: Layer, router: Router | undefined): boolean {
    if (router === undefined || !readMountRules(router).endsBeforeDot) return false;
    const mount = mounts.get(router);
    const isOfApp = router === root ? !isRouter(app) : mount !== undefined && leadsToApp(mount);
    return isOfApp && router.stack.indexOf(layer) < 2;
  }

  if (inFront !== undefined) return reached(inFront, { unknownBehind: findUnknown(steps) });
  const listing = new Set<Router>();
  const before: string[] = [];
  for (const [index, { layer, route, router, destination }] of steps.entries()) {
    const around = within(router);
    // A router whose routes matched answers OPTIONS at its end.
    const ended = [...listing].some((each) => !around.includes(each));
    if (method === 'OPTIONS' && ended) return unreached('express');
    const handlers = handlersFor(layer, method);
    if (handlers.length > 0) before.push(...nameParamCallbacks(layer, router));
    const position = handlers.findIndex((handler) => findInstance(handler) !== undefined);
    const earlier = position === -1 ? handlers : handlers.slice(0, position);
    const answering = earlier.map((handler) => answeringHandler(handler, method)).find(Boolean);
    if (answering !== undefined) return unreached(answering);
    const passesOn = isOfExpress(layer, router) || (isRouter(destination) && !isWrapped(layer));
    const named = passesOn ? [] : earlier.filter((handler) => mayAnswer(handler, method)).map(nameHandler);
    const [handler] = handlers.slice(earlier.length);
    const instance = handler && findInstance(handler);
    if (instance !== undefined) {
      before.push(...named);
      const mounted = [layer, ...around.map((each) => mounts.get(each))];
      const underPath = mounted.some(
        (each) => each !== undefined && each.route === undefined && !isPathless(each),
      );
      return reached(instance, { underPath, before, unknownBehind: findUnknown(steps.slice(index + 1)) });
    }
    const answeredBy = route && answeringRoute(route, method, findings.methods);
    if (answeredBy !== undefined) return unreached(answeredBy);
    if (route?.listedByExpress === true && router !== undefined) listing.add(router);
    before.push(...named);
  }
  return unreached(method === 'OPTIONS' && listing.size > 0 ? 'express' : undefined);
}

/** An instance that a request reaches. */
function reached(
  instance: CorsInstance,
  { underPath = false, before = [], unknownBehind }: Partial<Dispatch> = {},
): Dispatch {
  return { instance, answeredBy: undefined, underPath, before, unknownBehind };
}

function unreached(answeredBy: EarlierHandler | undefined): Dispatch {
  return { instance: undefined, answeredBy, underPath: false, before: [], unknownBehind: undefined };
}

/** The first function under a mount path, such as a proxy. One without a path, as a logger, passes on. */
function findUnknown(steps: readonly Step[]): string | undefined {
  for (const { layer, route, destination } of steps) {
    const isOpaque = route === undefined && destination === undefined && handlesRequests(layer);
    if (!isOpaque || isPathless(layer) || isServeStatic(layer.handle)) continue;
    if (mayAnswer(layer.handle, 'OPTIONS')) return nameHandler(layer.handle);
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
