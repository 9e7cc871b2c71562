import type { IncomingMessage } from 'node:http';
import { tellOnce } from '../config/process-warning';
import { typed } from '../config/expectation';
import { isRoot, readRouter, findServerApp, findTopApp } from '../express/apps';
import type { Router } from '../express/layers';
import { seesSameUrl } from '../express/mount-points';
import { positionAt } from '../express/url';

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

/** The app or router that called the first middleware of this library, by request. */
const roots = new WeakMap<IncomingMessage, unknown>();

/**
 * Remembers the root of a request for the middlewares behind: an app that is called by a router or a function
 * remains `req.app` after it has passed the request on.
 *
 * @param root - the option `root` of the calling middleware
 */
export function rememberRoot(req: IncomingMessage, root: unknown): void {
  if (roots.has(req)) return;
  const top = findTopApp(req);
  const app = root ?? findServerApp(req, top) ?? top;
  if (app !== undefined) roots.set(req, app);
}

/**
 * The apps and routers that the server may have called, of which the first that leads to the calling middleware
 * is the root.
 */
export function findRoots(req: IncomingMessage): readonly unknown[] {
  rememberRoot(req, undefined);
  const [remembered, top] = [roots.get(req), findTopApp(req)];
  return remembered === top ? [top] : [remembered, top];
}

/** The request's target on a root; undefined if that has no router yet. */
export function readTarget(req: RoutedRequest, root: unknown, asking: object): Target | undefined {
  const router = readRouter(root);
  return router && { router, url: urlAtRoot(req, router, asking) };
}

/**
 * The URL that the outermost router matches. For a middleware on its own stack, or on a router that is mounted
 * there without a path, that is `req.url`, which the app can have rewritten. Below a path, routers have trimmed
 * `req.url`: the URL is then `req.originalUrl` or, if a middleware rewrote that, `req.baseUrl` and `req.url`
 * together. Unusual targets are changed by the routers themselves when they trim and restore them: for these,
 * too, it is `req.originalUrl`.
 */
function urlAtRoot(req: RoutedRequest, router: Router, asking: object): string {
  const { url = '/', baseUrl = '', originalUrl = url } = req;
  if (url === originalUrl || !positionAt(originalUrl).restores) return originalUrl;
  // `req.baseUrl` can also be the path under which a function of another app calls this one.
  if (seesSameUrl(router, asking)) return url;
  return isTrimmed(originalUrl, baseUrl, url) ? originalUrl : baseUrl + url;
}

/**
 * Whether `url` is what routers leave of `originalUrl`. Slashes, which they remove or add at a mount path, do
 * not count: nor does the first of `url`.
 */
function isTrimmed(originalUrl: string, baseUrl: string, url: string): boolean {
  const left = url.slice(1);
  if (!originalUrl.endsWith(left)) return false;
  const trimmed = originalUrl.slice(0, originalUrl.length - left.length);
  return trimmed.replaceAll('/', '') === baseUrl.replaceAll('/', '');
}

export const warnOfMissingRoot = tellOnce(
  'PATCH_OPTIONS_ROOT',
  'A request did not come through an Express app, so its routes cannot be read. ' +
    'Pass the router that the server calls to every patch-options middleware: ' +
    'optionsHandler({ root: router }).',
);
