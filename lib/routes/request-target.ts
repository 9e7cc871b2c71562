import type { IncomingMessage } from 'node:http';
import { emitWarning } from '../config/app-callbacks';
import { typed } from '../config/expectation';
import { isRoot, readRouter, findServerApp, findTopApp } from '../express/apps';
import type { Router } from '../express/layers';
import { positionAt } from '../express/url';
import { isMountedOn, seesSameUrl } from '../express/mount-points';

/** The option that says which app or router has the routes. */
export interface TargetOptions {
  /**
   * The app or router that the server calls with every request. Required with the standalone `router` and
   * plain `node:http`. Default: the outermost Express app that handles the request.
   */
  readonly root?: unknown;
}

/** The option `root`. */
export const appOrRouter = typed(
  isRoot,
  'Pass the app or router that the server calls, or leave it out inside an Express app.',
  'must be an Express app or a router',
);

/** A request's target resource, as the app's outermost router sees it. */
export interface Target {
  readonly router: Router;
  readonly url: string;
}

/** Express's request. Outside Express, every property can be missing. */
interface RoutedRequest extends IncomingMessage {
  readonly originalUrl?: string;
  readonly baseUrl?: string;
}

/**
 * Finds the target; undefined if no router can be found. That is a mistake, which a process warning reports
 * once, unless the middleware can do without routes.
 *
 * @param asking - the calling middleware, which can be mounted on the root's own stack
 */
export function findTarget(
  req: RoutedRequest,
  root: unknown,
  asking: unknown,
  needsRoutes = true,
): Target | undefined {
  const app = root ?? findApp(req, asking);
  if (app === undefined) {
    if (needsRoutes) warnOfMissingRoot();
    return undefined;
  }
  const router = readRouter(app);
  return router && { router, url: urlAtRoot(req, router, asking) };
}

/**
 * The app that the server calls, or its router, as far as the request shows it.
 *
 * An app has no `parent` if a router or a function calls it instead of an app that mounted it, and it remains
 * `req.app` after it has passed the request on. So if the server calls another app, and the calling
 * middleware is mounted there, that app is the root.
 */
export function findApp(req: IncomingMessage, asking: unknown): unknown {
  const app = findTopApp(req);
  const outer = readRouter(findServerApp(req, app));
  return outer !== undefined && typeof asking === 'function' && isMountedOn(outer, asking) ? outer : app;
}

/**
 * The URL that the outermost router matches. For a middleware on its own stack, that is `req.url`, which the
 * app can have rewritten. Below, routers have trimmed `req.url`: the URL is then `req.originalUrl` or, if a
 * middleware rewrote that, `req.baseUrl` and `req.url` together. Unusual targets are changed by the routers
 * themselves when they trim and restore them: for these, too, it is `req.originalUrl`.
 */
function urlAtRoot(req: RoutedRequest, router: Router, asking: unknown): string {
  const { url = '/', baseUrl = '', originalUrl = url } = req;
  if (url === originalUrl || !positionAt(originalUrl).restores) return originalUrl;
  if (typeof asking === 'function' && seesSameUrl(router, asking)) return url;
  return isTrimmed(originalUrl, baseUrl, url) ? originalUrl : baseUrl + url;
}

/**
 * Whether `url` is what routers leave of `originalUrl`. Slashes, which they remove or add at a mount path, do
 * not count.
 */
function isTrimmed(originalUrl: string, baseUrl: string, url: string): boolean {
  const left = originalUrl.endsWith(url) ? url : url.slice(1);
  if (!originalUrl.endsWith(left)) return false;
  const trimmed = originalUrl.slice(0, originalUrl.length - left.length);
  return trimmed.replaceAll('/', '') === baseUrl.replaceAll('/', '');
}

let warned = false;

function warnOfMissingRoot(): void {
  if (warned) return;
  warned = true;
  emitWarning(
    'PATCH_OPTIONS_ROOT',
    'A request did not come through an Express app, so its routes cannot be read. ' +
      'Pass the router that the server calls to every patch-options middleware: ' +
      'optionsHandler({ root: router }).',
  );
}
