import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { isObject } from '../config/object';
import { declaredMethods, declaredRouter, wrappings } from './handler-metadata';
import { handlesRequests, isRouter, type Handler, type Layer, type Router } from './layers';

/** An Express 4 or Express 5 app: a function that keeps its router in a property. */
interface App {
  readonly handle: unknown;
  readonly set: unknown;
  /** The app that this one was last mounted on. */
  readonly parent?: unknown;
}

function isApp(value: unknown): value is App {
  return typeof value === 'function' && 'handle' in value && 'set' in value && !isRouter(value);
}

/** Whether a value is an app or a router, which a server can call with every request. */
export function isRoot(value: unknown): boolean {
  return isRouter(value) || isApp(value);
}

/**
 * The router of an app, or the given router itself. An Express 4 app has no router before its first route.
 * Express 5 creates the router on first access, and reads the app's settings then, so this is called only
 * while a request is handled.
 */
export function readRouter(root: unknown): Router | undefined {
  if (isRouter(root)) return root;
  if (!isApp(root)) return undefined;
  const router: unknown = Reflect.get(root, 'lazyrouter' in root ? '_router' : 'router');
  return isRouter(router) ? router : undefined;
}

/** The app that handles the request or, if it is mounted on other apps, the outermost of them. */
export function findTopApp(req: object): unknown {
  let app: unknown = Reflect.get(req, 'app');
  let seen: Set<unknown> | undefined;
  while (isApp(app) && isApp(app.parent) && seen?.has(app) !== true) {
    (seen ??= new Set()).add(app);
    app = app.parent;
  }
  return isApp(app) ? app : undefined;
}

/**
 * Usually the server calls `app` itself, or a function that calls an app: then undefined. Otherwise the app among
 * the server's listeners, if there is one.
 */
export function findOtherServerApp(req: IncomingMessage, app: unknown): unknown {
  // Requests from tests and adapters may have no socket.
  const server: unknown = isObject(req.socket) && Reflect.get(req.socket, 'server');
  if (!(server instanceof EventEmitter) || typeof app !== 'function') return undefined;
  // Counting a listener is cheap; `listeners()` copies the list.
  return server.listenerCount('request', app) > 0 ? undefined : server.listeners('request').find(isApp);
}

/**
 * The router that a middleware's layer calls: directly, wrapped by instrumentation, as the router of a sub-app, or as
 * `declareMethods` says; undefined if none can be found.
 */
export function routerBehind(layer: Layer): Router | undefined {
  const { handle } = layer;
  if (isRouter(handle)) return handle;
  if (!handlesRequests(layer) || declaredMethods(handle) !== undefined) return undefined;
  for (const handler of wrappings(handle)) {
    const router = readRouter(handler);
    if (router !== undefined) return router;
  }
  return readRouter(mountedApp(layer)) ?? readRouter(declaredRouter(handle));
}

/**
 * Whether a middleware's layer calls an Express 4 app that can still get its router: the first route creates
 * it.
 */
export function mayGainRouter(layer: Layer): boolean {
  const callsApp = [...wrappings(layer.handle)].some(isApp) || mountClosure(layer) !== undefined;
  return callsApp || isRoot(declaredRouter(layer.handle));
}

/** Sub-apps by the closure that `app.use` puts on the parent's stack. */
const mountedApps = new WeakMap<Handler, unknown>();

/**
 * The sub-app that a layer calls. `app.use(path, subApp)` hides it in a closure without a property that leads
 * to it, so the closure is called with a probe instead of a request. A sub-app without a router is not found,
 * and is probed again later.
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
 * The closure that `app.use` made for a sub-app. It is recognized by its source text, also in a minified
 * bundle and behind instrumentation that keeps the original. If instrumentation does not keep it, the layer
 * still has the closure's name, and the wrapper passes the probe on.
 */
function mountClosure(layer: Layer): Handler | undefined {
  for (const handler of wrappings(layer.handle)) if (hasMountText(handler)) return handler;
  return layer.name === 'mounted_app' ? layer.handle : undefined;
}

const mountText = new RegExp(
  String.raw`^(?:function ?[\w$]*)?\(([\w$]+), ?([\w$]+), ?([\w$]+)\)(?: ?=>)? ?\{` +
    String.raw`\s*(?:var|let|const) ([\w$]+) ?= ?\1\.app\b[^]*\.handle\(\1, ?\2\b` +
    String.raw`[^]*\1, ?\4\.request\b[^]*\2, ?\4\.response\b`,
);
const mountTexts = new WeakMap<Handler, boolean>();

function hasMountText(handler: Handler): boolean {
  const known = mountTexts.get(handler);
  if (known !== undefined) return known;
  const isMount = mountText.test(Function.prototype.toString.call(handler).slice(0, 500));
  mountTexts.set(handler, isMount);
  return isMount;
}

/**
 * Calls the closure with a request that reveals the sub-app and runs none of its handlers. An app first sets
 * the request's prototype to its own `request`, which refers to the app: Express 5 at once, Express 4 in the
 * second of its built-in middlewares. There the probe throws, and has no URL from then on, without which a
 * router returns at once. The URL can be read only four times, as often as those two middlewares read it, so
 * that no handler is reached in an app that is built differently.
 */
function probe(closure: Handler): unknown {
  let app: unknown;
  let reads = 0;
  const parent = { request: Object.prototype, response: Object.prototype };
  const known: Record<PropertyKey, unknown> = { app: parent, method: 'GET', originalUrl: '/', query: {} };
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
    // The probe's own error, which Express 5 does not catch.
  }
  return app;
}
