import { routerOf } from './apps';

/** How a router compares a request's path with those of its layers. */
export interface RoutingSettings {
  readonly caseSensitive: boolean;
  readonly strict: boolean;
}

/** Those of the app that handles a request, as its router has taken them over: Express hands them to no other router. */
function settingsFor(req: object): RoutingSettings {
  const router = routerOf(Reflect.get(req, 'app'));
  const { caseSensitive, strict } = Object(router) as { readonly [Name in keyof RoutingSettings]?: unknown };
  return { caseSensitive: caseSensitive === true, strict: strict === true };
}

/**
 * Lets layers of a router match as if they stood on the router of the app that handles the request.
 *
 * Which app that is shows with a request, for a router is not told where it is mounted. The stack is then exchanged as a
 * whole: a request under way keeps the one that it began with, and the walk sees at once that it is another.
 *
 * @param router - has its own `handle` from now on
 * @param layers - of its stack, made without settings
 * @param layersWith - makes the same in the same order
 */
export function matchAsApp<L>(
  router: { stack: L[] },
  layers: readonly L[],
  layersWith: (settings: RoutingSettings) => readonly L[],
): void {
  /** By the settings as a number, of which 0 is that of none. */
  const made = new Map([[0, layers]]);
  let standing = layers;

  const follow = (settings: RoutingSettings): void => {
    const number = Number(settings.caseSensitive) + 2 * Number(settings.strict);
    const wanted = made.get(number) ?? layersWith(settings);
    if (wanted === standing) return;
    made.set(number, wanted);
    const exchanged = new Map(standing.map((layer, i) => [layer, wanted[i]]));
    router.stack = router.stack.map((layer) => exchanged.get(layer) ?? layer);
    standing = wanted;
  };

  const handle = Reflect.get(router, 'handle') as (req: object, ...rest: unknown[]) => unknown;
  const following = (req: object, ...rest: unknown[]): unknown => {
    follow(settingsFor(req));
    return Reflect.apply(handle, router, [req, ...rest]);
  };
  Object.defineProperty(router, 'handle', { value: following, configurable: true, writable: true });
}
