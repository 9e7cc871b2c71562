import type { IncomingMessage } from 'node:http';
import type { OptionsCheck } from '../configuration';
import { isRoot, routerOf, serverAppOf, topAppOf } from '../express/apps';
import type { Router } from '../express/layers';
import { positionAt } from '../express/url';
import { leadsTo, standsOn } from '../express/mount-points';

/** Where the routes are found. */
export interface TargetOptions {
  /**
   * The app or router that the server calls with every request; the standalone `router` and plain `node:http` need it.
   * Default: the request's app, or the one that has mounted that app.
   */
  readonly root?: unknown;
}

/** The mistakes in `root`, for every middleware that takes it. */
export function checkRoot(check: OptionsCheck, { root }: TargetOptions): void {
  if (root === undefined || isRoot(root)) return;
  check.mistake('root', root, {
    code: 'option-type',
    reason: 'is neither an Express app nor a router',
    fix: 'Give the app or router that the server calls, or leave it out inside an Express app.',
  });
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
  const app = root ?? appOf(req, asking);
  if (app === undefined) {
    warnOfMissingRoot();
    return undefined;
  }
  const router = routerOf(app);
  return router && { router, url: urlAtRoot(req, router, asking) };
}

/**
 * The app that the server calls, or its router, as far as the request shows it.
 *
 * An app that a router or a function calls, instead of another app that has mounted it, knows no parent, and remains the
 * request's app also after it has passed the request on. So where the server calls another app, and the middleware that
 * asks is mounted there, that app is the root.
 */
export function appOf(req: IncomingMessage, asking: unknown): unknown {
  const app = topAppOf(req);
  const outer = routerOf(serverAppOf(req, app));
  return outer !== undefined && typeof asking === 'function' && leadsTo(outer, asking) ? outer : app;
}

/**
 * The URL that the outermost router matches. On its own stack that is `req.url`, whoever rewrote it or has taken off
 * a prefix before. Further in, the routers on the way have trimmed it: there it is what the server received, or, where
 * a middleware has rewritten that, what was trimmed and what is left. An odd target is rewritten by the routers
 * themselves, as they trim and restore it: there too it is what the server received.
 */
function urlAtRoot(req: RoutedRequest, router: Router, asking: unknown): string {
  const { url = '/', baseUrl = '', originalUrl = url } = req;
  if (url === originalUrl || !positionAt(originalUrl).restores) return originalUrl;
  if (typeof asking === 'function' && standsOn(router, asking)) return url;
  return isTrimmed(originalUrl, baseUrl, url) ? originalUrl : baseUrl + url;
}

/** Whether `url` is what routers leave of `originalUrl`. At a mount they drop or add a slash: those do not count. */
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
  process.emitWarning(
    'The request was handled by no Express app, so its routes are out of sight. Pass the router that the server ' +
      'calls to every middleware of patch-options: optionsHandler({ root: router }).',
    { code: 'PATCH_OPTIONS_ROOT' },
  );
}
