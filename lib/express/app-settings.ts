import { readRouter } from './apps';

/** The settings by which a router compares a request's path with the paths of its layers. */
interface RoutingSettings {
  readonly caseSensitive: boolean;
  readonly strict: boolean;
}

/**
 * The settings of the app that handles a request, read from its router: Express passes them to no other
 * router.
 */
function settingsFor(req: object): RoutingSettings {
  const router = readRouter(Reflect.get(req, 'app'));
  const { caseSensitive, strict } = Object(router) as { readonly [Name in keyof RoutingSettings]?: unknown };
  return { caseSensitive: caseSensitive === true, strict: strict === true };
}

/**
 * Makes layers of a router match as if they were on the router of the app that handles the request.
 *
 * A router does not know where it is mounted, so the app is known only when a request arrives. The stack is
 * then replaced as a whole: a request in progress keeps its old stack, and the route cache notices the new
 * one at once.
 *
 * @param router - its `handle` is replaced
 * @param layers - layers of its stack, made without settings
 * @param layersWith - makes the same layers, in the same order, with settings
 */
export function matchAsApp<L>(
  router: { stack: L[] },
  layers: readonly L[],
  layersWith: (settings: RoutingSettings) => readonly L[],
): void {
  /** The layers by their settings, which are encoded as a number: 0 stands for no settings. */
  const bySettings = new Map([[0, layers]]);
  let current = layers;

  const follow = (settings: RoutingSettings): void => {
    const number = Number(settings.caseSensitive) + 2 * Number(settings.strict);
    const next = bySettings.get(number) ?? layersWith(settings);
    if (next === current) return;
    bySettings.set(number, next);
    const exchanged = new Map(current.map((layer, i) => [layer, next[i]]));
    router.stack = router.stack.map((layer) => exchanged.get(layer) ?? layer);
    current = next;
  };

  const handle = Reflect.get(router, 'handle') as (req: object, ...rest: unknown[]) => unknown;
  const following = (req: object, ...rest: unknown[]): unknown => {
    follow(settingsFor(req));
    return Reflect.apply(handle, router, [req, ...rest]);
  };
  Object.defineProperty(router, 'handle', { value: following, configurable: true, writable: true });
}
