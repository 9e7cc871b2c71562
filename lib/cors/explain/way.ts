import { wrappings } from '../../express/apps';
import { isOptionsPassThrough } from '../../express/handler-metadata';
import { isPathless, isRouter, type Layer, type Router } from '../../express/layers';
import type { RouteMethods } from '../../routes/route-methods';
import { walkRoutes } from '../../routes/route-walk';
import { instanceIn, type CorsInstance } from './instances';

/** What answers a request before it comes to an instance. */
export type Front = 'route' | 'options-handler' | 'express' | 'middleware';

/** What a request comes upon on its way through an app, as far as CORS is concerned. */
export interface Way {
  /** The first instance that it reaches; undefined: none, or something answers before. */
  readonly instance: CorsInstance | undefined;
  /** Whether a mount path has led there. */
  readonly underPath: boolean;
  readonly front: Front | undefined;
}

/** A layer that the request reaches, in the order of dispatch. */
interface Step {
  readonly layer: Layer;
  /** On whose stack it stands. */
  readonly router: Router | undefined;
  /** Of a route. */
  readonly route: RouteMethods | undefined;
}

export function wayThrough(root: Router, url: string, method: string): Way {
  const routers: Router[] = [];
  const mounts = new Map<Router, Layer>();
  const steps: Step[] = [];
  const add = (layer: Layer, route: RouteMethods | undefined): void => {
    steps.push({ layer, route, router: routers.findLast(({ stack }) => stack.includes(layer)) });
  };
  const found = walkRoutes(root, url, {
    router: (router) => void routers.push(router),
    candidate: () => undefined,
    route: ({ layer }, { methods }) => {
      add(layer, methods);
    },
    middleware: (layer, reached) => {
      add(layer, undefined);
      if (isRouter(reached)) mounts.set(reached, layer);
    },
  });
  const routerOf = (layer: Layer | undefined): Router | undefined =>
    steps.find((step) => step.layer === layer)?.router;

  /** The routers that a layer stands in, from its own to the root. */
  function within(router: Router | undefined): Router[] {
    const outer: Router[] = [];
    for (let each = router; each !== undefined && !outer.includes(each);) {
      outer.push(each);
      each = routerOf(mounts.get(each));
    }
    return outer;
  }

  const listing = new Set<Router>();
  for (const { layer, route, router } of steps) {
    const around = within(router);
    // At its end, a router with routes has answered OPTIONS.
    const ended = [...listing].some((each) => !around.includes(each));
    if (method === 'OPTIONS' && ended) return { instance: undefined, underPath: false, front: 'express' };
    const instance = instanceOf(layer, method);
    if (instance !== undefined) {
      const mounted = [layer, ...around.map((each) => mounts.get(each))];
      const underPath = mounted.some(
        (each) => each !== undefined && each.route === undefined && !isPathless(each),
      );
      return { instance, underPath, front: undefined };
    }
    const front = route === undefined ? frontOf(layer, method) : frontOfRoute(route, method, found.methods);
    if (front !== undefined) return { instance: undefined, underPath: false, front };
    if (route?.listedByExpress === true && router !== undefined) listing.add(router);
  }
  const isAnswered = method === 'OPTIONS' && listing.size > 0;
  return { instance: undefined, underPath: false, front: isAnswered ? 'express' : undefined };
}

/** The instance of a layer, or of a handler for the method on its route. */
function instanceOf(layer: Layer, method: string): CorsInstance | undefined {
  const verb = method.toLowerCase();
  const handlers = layer.route?.stack.filter((each) => each.method === undefined || each.method === verb);
  for (const { handle } of handlers ?? [layer]) {
    for (const handler of wrappings(handle)) {
      const instance = instanceIn(handler);
      if (instance !== undefined) return instance;
    }
  }
  return undefined;
}

function frontOfRoute(
  { methods, allVerbs, answersOptions }: RouteMethods,
  method: string,
  ofTarget: RouteMethods['methods'],
): Front | undefined {
  if (method === 'OPTIONS') return answersOptions ? 'options-handler' : undefined;
  // Beside routes that name their methods, one for all verbs is taken for a guard.
  const answers = methods?.methods.includes(method) === true || (allVerbs && ofTarget === undefined);
  return answers ? 'route' : undefined;
}

/** Middlewares that answer every OPTIONS request: our optionsHandler where there are routes, and npm cors. */
function frontOf({ handle }: Layer, method: string): Front | undefined {
  if (method !== 'OPTIONS') return undefined;
  const answers =
    handle.name === 'corsMiddleware' || (handle.name === 'optionsHandler' && isOptionsPassThrough(handle));
  return answers ? 'middleware' : undefined;
}
