import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { isObject } from '../configuration';
import { isRouter, type Handler, type Layer, type Router } from './layers';

/** What Express 4 and Express 5 apps have in common: functions with their router out of sight. */
interface App {
  readonly handle: unknown;
  readonly set: unknown;
  /** The app that this one was last mounted on. */
  readonly parent?: unknown;
}

function isApp(value: unknown): value is App {
  return typeof value === 'function' && 'handle' in value && 'set' in value && !isRouter(value);
}

/** Whether a server could call it with every request. */
export function isRoot(value: unknown): boolean {
  return isRouter(value) || isApp(value);
}

/**
 * The router of an app, or the router that was given. An Express 4 app has none before its first route. Express 5
 * makes it when it is first asked for, and with it reads the app's settings: so not before a request is on its way.
 */
export function routerOf(root: unknown): Router | undefined {
  if (isRouter(root)) return root;
  if (!isApp(root)) return undefined;
  const router: unknown = Reflect.get(root, 'lazyrouter' in root ? '_router' : 'router');
  return isRouter(router) ? router : undefined;
}

/** The app that handles the request, or the one at the top where that is mounted on others. */
export function topAppOf(req: object): unknown {
  let app: unknown = Reflect.get(req, 'app');
  const seen = new Set<unknown>();
  while (isApp(app) && isApp(app.parent) && !seen.has(app)) {
    seen.add(app);
    app = app.parent;
  }
  return isApp(app) ? app : undefined;
}

/** The app that the server calls with every request, where it is another than `app`, and no function around one. */
export function serverAppOf(req: IncomingMessage, app: unknown): unknown {
  // Requests that were made up for a test or by an adapter may come without a socket.
  const server: unknown = isObject(req.socket) && Reflect.get(req.socket, 'server');
  if (!(server instanceof EventEmitter) || typeof app !== 'function') return undefined;
  // Counting one listener costs nothing; listing all of them copies the list.
  return server.listenerCount('request', app) > 0 ? undefined : server.listeners('request').find(isApp);
}

/** The router that a middleware's layer leads to, in its own shape, wrapped by instrumentation, or as a sub-app. */
export function innerRouter(layer: Layer): Router | undefined {
  for (const handler of wrappings(layer.handle)) {
    const router = routerOf(handler);
    if (router !== undefined) return router;
  }
  return routerOf(mountedApp(layer));
}

/** Whether there is an app behind a middleware's layer, with a router or without. */
export function leadsToApp(layer: Layer): boolean {
  return [...wrappings(layer.handle)].some(isApp) || mountClosure(layer) !== undefined;
}

/** A handler and those that instrumentation wrapped in it, as far as it left a way to them. */
export function* wrappings(handler: unknown): Generator<Handler> {
  const seen = new Set<unknown>();
  for (let inner = handler; isHandler(inner) && !seen.has(inner); inner = Reflect.get(inner, '__original')) {
    seen.add(inner);
    yield inner;
  }
}

function isHandler(value: unknown): value is Handler {
  return typeof value === 'function';
}

/** Sub-apps by the closure that `app.use` put into the parent's stack. */
const mountedApps = new WeakMap<Handler, unknown>();

/**
 * The sub-app behind a layer. `app.use(path, subApp)` hides it in a closure, to which no property leads, so the
 * closure is called with a probe for a request. Apps without a router yet do not show themselves, and are asked again.
 */
function mountedApp(layer: Layer): unknown {
  const known = mountedApps.get(layer.handle);
  if (known !== undefined) return known;
  const closure = mountClosure(layer);
  const app = closure && probe(closure);
  if (app !== undefined) mountedApps.set(layer.handle, app);
  return app;
}

/**
 * Express's own closure: by its text, also in a minified bundle and where instrumentation left a way to it. Where that
 * left none, the layer still has the closure's name, and the function in its place passes the probe on.
 */
function mountClosure(layer: Layer): Handler | undefined {
  for (const handler of wrappings(layer.handle)) if (hasMountText(handler)) return handler;
  return layer.name === 'mounted_app' ? layer.handle : undefined;
}

const mountText =
  /^(?:function ?[\w$]*)?\(([\w$]+), ?([\w$]+), ?([\w$]+)\)(?: ?=>)? ?\{\s*(?:var|let|const) ([\w$]+) ?= ?\1\.app\b[^]*\.handle\(\1, ?\2\b[^]*\1, ?\4\.request\b[^]*\2, ?\4\.response\b/;
const mountTexts = new WeakMap<Handler, boolean>();

function hasMountText(handler: Handler): boolean {
  const known = mountTexts.get(handler);
  if (known !== undefined) return known;
  const found = mountText.test(Function.prototype.toString.call(handler).slice(0, 500));
  mountTexts.set(handler, found);
  return found;
}

/**
 * Calls Express's closure with a request that shows what it is given and lets nothing of the host's run. On its way
 * in, each app sets the request's prototype to its own `request`, which names the app: Express 5 at once, Express 4
 * in the second of its built-in middlewares. There the probe throws, and from then on has no URL: without one, a
 * router leaves at once. The URL can be read four times at most, which is what those two middlewares cost, so that
 * no handler of the host's is reached where an app is put together otherwise.
 */
function probe(closure: Handler): unknown {
  let app: unknown;
  let reads = 0;
  const host = { request: Object.prototype, response: Object.prototype };
  const known: Record<PropertyKey, unknown> = { app: host, method: 'GET', originalUrl: '/', query: {} };
  const request = new Proxy(known, {
    get: (target, key) =>
      key === 'url' ? (app === undefined && ++reads <= 4 ? '/' : undefined) : target[key],
    setPrototypeOf(_target, prototype) {
      const owner: unknown = prototype === null ? undefined : Reflect.get(prototype, 'app');
      if (app !== undefined || !isApp(owner)) return true;
      app = owner;
      throw new Error('the probe has seen the app');
    },
  });
  const response = { setHeader: () => response, locals: {} };
  try {
    Reflect.apply(closure, undefined, [request, response, () => undefined]);
  } catch {
    // Express 5 lets the probe's own error out.
  }
  return app;
}
