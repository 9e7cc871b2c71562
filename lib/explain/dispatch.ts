import { callsOnlyRouter, leadsToApp, readRouter } from '../express/apps';
import {
  handlesRequests,
  isPathless,
  isRouter,
  readMountRules,
  type Handler,
  type Layer,
  type Router,
} from '../express/layers';
import type { Destination, RouteMethods } from '../routes/route-methods';
import { walkRoutes } from '../routes/route-walk';
import type { CorsInstance } from '../cors/policy-registry';
import {
  answeringHandler,
  callsNpmCors,
  findInstance,
  handlersFor,
  isServeStatic,
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
  /** The names of the functions that get the request before that, and can answer it. */
  readonly before: readonly string[];
  /**
   * The name of a function behind the instance that may answer a preflight, but whose methods are not known:
   * one that is mounted under a path, such as a proxy, or npm cors.
   */
  readonly unknownBehind: string | undefined;
  /** Whether npm cors gets the request, before the instance or behind it. */
  readonly npmCors: boolean;
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
  if (root === undefined) return { ...nowhere, instance: inFront };
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
    if (!['query', 'expressInit'].includes(layer.name)) return false;
    const mount = mounts.get(router);
    const isOfApp = router === root ? !isRouter(app) : mount !== undefined && leadsToApp(mount);
    return isOfApp && router.stack.indexOf(layer) < 2;
  }

  const npmCors = steps.some(({ layer }) => handlersFor(layer, method).some(callsNpmCors));
  if (inFront !== undefined) {
    return { ...nowhere, npmCors, instance: inFront, unknownBehind: findUnknown(steps) };
  }
  const listing = new Set<Router>();
  const before: string[] = [];
  const unreached = (answeredBy: EarlierHandler | undefined): Dispatch => ({
    ...nowhere,
    answeredBy,
    before,
    npmCors,
  });
  for (const [index, { layer, route, router, destination }] of steps.entries()) {
    const around = within(router);
    // A router whose routes matched answers OPTIONS at its end.
    const ended = [...listing].some((each) => !around.includes(each));
    if (method === 'OPTIONS' && ended) return unreached('express');
    const handlers = handlersFor(layer, method);
    if (handlers.length > 0) before.push(...nameParamCallbacks(layer, router));
    const position = handlers.findIndex((handler) => findInstance(handler) !== undefined);
    const earlier = position === -1 ? handlers : handlers.slice(0, position);
    const answering = earlier.map((handler) => answeringHandler(handler, method, around)).find(Boolean);
    if (answering !== undefined) return unreached(answering);
    const passesOn = isOfExpress(layer, router) || (isRouter(destination) && callsOnlyRouter(layer));
    const named = (some: readonly Handler[]): readonly string[] =>
      passesOn ? [] : some.filter((handler) => mayAnswer(handler, method)).map(nameHandler);
    const handler = handlers[position];
    const instance = handler && findInstance(handler);
    if (instance !== undefined) {
      before.push(...named(handlers.slice(0, position + 1)));
      const mounted = [layer, ...around.map((each) => mounts.get(each))];
      const underPath = mounted.some(
        (each) => each !== undefined && each.route === undefined && !isPathless(each),
      );
      const unknownBehind = findUnknown(steps.slice(index + 1));
      return { instance, answeredBy: undefined, underPath, before, unknownBehind, npmCors };
    }
    const answeredBy = route && answeringRoute(route, method, findings.methods);
    if (answeredBy !== undefined) return unreached(answeredBy);
    if (route?.listedByExpress === true && router !== undefined) listing.add(router);
    before.push(...named(earlier));
  }
  return unreached(method === 'OPTIONS' && listing.size > 0 ? 'express' : undefined);
}

/** Of a request that reaches nothing. */
const nowhere: Dispatch = {
  instance: undefined,
  answeredBy: undefined,
  underPath: false,
  before: [],
  unknownBehind: undefined,
  npmCors: false,
};

/** The first function that may answer. One without a path, as a logger, passes on. */
function findUnknown(steps: readonly Step[]): string | undefined {
  for (const { layer, route, destination } of steps) {
    if (handlersFor(layer, 'OPTIONS').some(callsNpmCors)) return 'npm cors';
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
