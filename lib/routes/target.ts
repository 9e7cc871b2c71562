import type { IncomingMessage } from 'node:http';
import type { OptionsCheck } from '../configuration';
import { isRoot, routerOf, topAppOf, wrappings } from './express-apps';
import { isPathless, isRouter, type Router } from './express-layers';

/** Where the routes are found when no path leads from the request to them. */
export interface TargetOptions {
  /**
   * The app or router that the server calls with every request. Left out, it is the Express app that handles the
   * request, or the one that this is mounted on. The standalone `router` package and plain `node:http` need it.
   */
  readonly root?: unknown;
}

/** The mistakes in `root`, for every middleware that takes it. */
export function checkRoot(check: OptionsCheck, { root }: TargetOptions): void {
  if (root === undefined || isRoot(root)) return;
  check.mistake(
    'root',
    root,
    'is neither an Express app nor a router',
    'Give the app or router that the server calls, or leave it out inside an Express app.',
  );
}

/** A request's target resource, as the host's outermost router gets to see it. */
export interface Target {
  readonly router: Router;
  readonly url: string;
}

/** Express's request, of which every field may be missing elsewhere. */
interface RoutedRequest extends IncomingMessage {
  readonly originalUrl?: string;
  readonly baseUrl?: string;
}

/**
 * Finds the target; undefined where no router is in sight.
 *
 * @param asking - the middleware that asks, which may stand on the root's own stack
 */
export function targetOf(req: RoutedRequest, root: unknown, asking: unknown): Target | undefined {
  const app = root ?? topAppOf(req);
  if (app === undefined) {
    warnOfMissingRoot();
    return undefined;
  }
  const router = routerOf(app);
  return router && { router, url: urlAtRoot(req, router, asking) };
}

/**
 * The URL that the outermost router matches. On its own stack that is `req.url`, whoever rewrote it or has taken off
 * a prefix before. Further in, the routers on the way have trimmed it: there it is what the server received, or, where
 * a middleware has rewritten that, what was trimmed and what is left.
 */
function urlAtRoot(req: RoutedRequest, router: Router, asking: unknown): string {
  const { url = '/', baseUrl = '', originalUrl = url } = req;
  if (baseUrl === '' || standsOn(router, asking)) return url;
  return isTrimmed(originalUrl, baseUrl, url) ? originalUrl : baseUrl + url;
}

/** Whether `url` is what routers leave of `originalUrl`. At a mount they drop or add a slash: those do not count. */
function isTrimmed(originalUrl: string, baseUrl: string, url: string): boolean {
  const path = originalUrl.replace(/^[^/?]*:\/\/[^/]*/, '');
  const rest = url.replace(/^[^/?]*:\/\/[^/]*/, '');
  const left = path.endsWith(rest) ? rest : rest.slice(1);
  if (!path.endsWith(left)) return false;
  const trimmed = path.slice(0, path.length - left.length);
  return trimmed.replaceAll('/', '') === baseUrl.replaceAll('/', '');
}

/** By router: where each middleware was looked for, and what came of it while the stack had that length. */
const places = new WeakMap<Router, WeakMap<object, { length: number; found: boolean }>>();

/** Whether a middleware stands on the router's stack, or on that of one mounted there without a path. */
function standsOn(router: Router, asking: unknown): boolean {
  if (typeof asking !== 'function') return false;
  const known = places.get(router) ?? new WeakMap<object, { length: number; found: boolean }>();
  places.set(router, known);
  const { length } = router.stack;
  const place = known.get(asking);
  if (place?.length === length) return place.found;
  const found = isReachedUntrimmed(router, asking, new Set());
  known.set(asking, { length, found });
  return found;
}

function isReachedUntrimmed(router: Router, asking: unknown, seen: Set<Router>): boolean {
  if (seen.has(router)) return false;
  seen.add(router);
  return router.stack
    .filter(isPathless)
    .some((layer) =>
      [...wrappings(layer.handle)].some(
        (handler) => handler === asking || (isRouter(handler) && isReachedUntrimmed(handler, asking, seen)),
      ),
    );
}

let warned = false;

function warnOfMissingRoot(): void {
  if (warned) return;
  warned = true;
  process.emitWarning(
    'The request was handled by no Express app, so its routes are out of sight. Pass the router that the server ' +
      'calls to every middleware of patch-options: optionsHandler({ root: router }).',
    { code: 'PATCH_OPTIONS_ROOT' },
  );
}
