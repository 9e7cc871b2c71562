import type express from 'express';
import type { RequestHandler, Router } from 'express';
import { anything } from './config/expectation';
import { hasNames } from './config/object';
import { OptionsCheck } from './config/options-check';
import type { Expectations } from './config/read-options';
import {
  corsFixes,
  optionsAndCorsExpectations,
  optionsAndCors,
  runInTurn,
  type OptionsListenerOptions,
} from './options-listener';
import type { Middleware } from './http/middleware';
import { matchAsApp } from './express/app-settings';
import { declareChildren, optionsPassThrough, markAsOwn } from './express/handler-metadata';

/** A resource that `patchOptions` answers itself: its guard, and at least one method. */
export interface MountedResource {
  /**
   * The middlewares that run before every method, such as authentication, because your app's own middlewares
   * have not run yet; or `'none'`.
   */
  readonly guard: 'none' | RequestHandler | readonly RequestHandler[];
  /** The handler of GET and HEAD. Default: your app's routes answer them. */
  readonly get?: Middleware;
  /** The handler of PUT. Default: your app's routes answer it. */
  readonly put?: Middleware;
  /**
   * The handler of PATCH: a `patchHandler`, or the `patch` of a `resource`. Default: your app's routes answer
   * it.
   */
  readonly patch?: Middleware;
  /** The handler of DELETE. Default: your app's routes answer it. */
  readonly delete?: Middleware;
}

/** Options of `patchOptions`. */
export interface PatchOptions extends OptionsListenerOptions {
  /**
   * Resources that `patchOptions` answers itself, by Express path: each has a `guard`, and a `patch` of
   * `patchHandler` or the handlers of a `resource`, `{ guard, ...note }`. Default: none, and Express is not
   * loaded.
   */
  readonly resources?: Readonly<Record<string, MountedResource>>;
}

/**
 * Combines `corsPreflight` (if `cors` is given), `optionsHandler` and the handlers of `resources` in one
 * Express router. Mount it before everything else.
 *
 * @throws ConfigurationError with every mistake in the options
 */
export function patchOptions(options: PatchOptions & Required<Pick<PatchOptions, 'resources'>>): Router;
/**
 * Combines `corsPreflight` (if `cors` is given), `optionsHandler` and the handlers of `resources` (if given)
 * in one middleware. Mount it before everything else: preflights carry no credentials.
 *
 * @throws ConfigurationError with every mistake in the options
 *
 * @example
 * ```ts
 * app.use(patchOptions({ cors: { origin: 'https://app.example' } }));
 * ```
 */
export function patchOptions(options?: PatchOptions): Middleware;
export function patchOptions(options: PatchOptions = {}): Middleware | Router {
  const check = new OptionsCheck('patchOptions()');
  const settings = check.options(options, expectations, '', corsFixes);
  const { resources } = settings;
  const front = optionsAndCors(settings, settings.root, check);
  const bundle =
    resources === undefined
      ? declareChildren(runInTurn(front), front)
      : createRouter(front, resources, check);
  check.done();
  return markAsOwn(bundle);
}

const expectations: Expectations<keyof PatchOptions> = {
  ...optionsAndCorsExpectations,
  resources: anything,
};

function createRouter(
  front: readonly Middleware[],
  resources: Readonly<Record<string, MountedResource>>,
  check: OptionsCheck,
): Router {
  const newRouter = routerFactory(resources, check);
  // The app cannot pass an option to this router, and the guards and the option `key` need the parameters of
  // its mount path.
  const router = newRouter({ mergeParams: true });
  router.use(...front);
  if (!hasNames(resources)) {
    check.mistake('resources', resources, {
      code: 'option-type',
      reason: 'must be an object',
      fix: "Pass { '/path/:id': { guard, patch } }, or leave it out.",
    });
    return router;
  }
  const routes: ResourceRoute[] = [];
  for (const [path, resource] of Object.entries(resources)) {
    const route = { path, methods: readMethods(path, resource, check) };
    routes.push(route);
    try {
      addRoute(router, route);
    } catch (error) {
      check.mistake(nameOption(path), path, {
        code: 'resource-path-invalid',
        reason: 'is not a valid Express path',
        fix: `Express reports: ${error instanceof Error ? error.message : String(error)}.`,
      });
    }
  }
  matchAsApp(router, router.stack.slice(front.length), (settings) => {
    const other = newRouter(settings);
    for (const route of routes) addRoute(other, route);
    return other.stack;
  });
  return router;
}

const methods = ['get', 'put', 'patch', 'delete'] as const;

const resourceExpectations: Expectations<keyof MountedResource> = {
  guard: anything,
  get: anything,
  put: anything,
  patch: anything,
  delete: anything,
};

interface ResourceRoute {
  readonly path: string;
  /** The middlewares of each method in their order; none if one of them is not a function. */
  readonly methods: ReadonlyMap<(typeof methods)[number], readonly RequestHandler[]>;
}

function addRoute(router: Router, { path, methods: mounted }: ResourceRoute): void {
  const route = router.route(path).options(optionsPassThrough);
  for (const [method, handlers] of mounted) route[method](...handlers);
}

/** The handlers of a resource; every mistake goes to `check`. */
function readMethods(path: string, resource: MountedResource, check: OptionsCheck): ResourceRoute['methods'] {
  const option = nameOption(path);
  const checkedResource = Object(
    check.options(resource, resourceExpectations, `${option}.`),
  ) as MountedResource;
  const mounted = new Map<(typeof methods)[number], readonly RequestHandler[]>();
  if (!hasNames(resource)) return mounted;
  const { guard } = checkedResource;
  const guards = guard === 'none' ? [] : [guard].flat();
  if (guard !== 'none' && (guards.length === 0 || !guards.every(isFunction))) {
    check.mistake(`${option}.guard`, guard, {
      code: 'resource-unguarded',
      reason: 'does not say who may use the resource',
      fix: "Pass the middlewares that run before its methods, such as authentication, or write 'none'.",
    });
  }
  for (const [i, one] of guards.entries()) {
    checkParameters(Array.isArray(guard) ? `${option}.guard[${i}]` : `${option}.guard`, one, check);
  }
  for (const method of methods) {
    const { [method]: handler } = checkedResource;
    if (handler === undefined) continue;
    checkParameters(`${option}.${method}`, handler, check);
    const handlers: readonly unknown[] = [...guards, handler];
    if (handlers.every(isFunction)) mounted.set(method, handlers);
    if (isFunction(handler)) continue;
    check.mistake(`${option}.${method}`, handler, {
      code: 'option-type',
      reason: 'must be a middleware function',
      fix: `Pass resource(store, parsers).${method}.`,
    });
  }
  if (methods.every((method) => checkedResource[method] === undefined)) {
    check.mistake(option, resource, {
      code: 'resource-without-methods',
      reason: 'has no methods',
      fix: 'Pass { guard, patch: patchHandler(store, parsers) }, or { guard, ...resource(store, parsers) }.',
    });
  }
  // Express itself checks paths in which something before the first slash is optional.
  if (/^[\w:.][^?|]*$/.test(path)) {
    check.mistake(option, path, {
      code: 'resource-path-invalid',
      reason: 'must begin with a slash',
      fix: `Write '/${path}'.`,
    });
  }
  return mounted;
}

/** Express recognizes error handlers by their four parameters, and calls them only for errors. */
function checkParameters(option: string, middleware: unknown, check: OptionsCheck): void {
  if (typeof middleware !== 'function' || middleware.length <= 3) return;
  check.mistake(option, middleware, {
    code: 'middleware-handles-errors',
    reason: 'has four parameters, so Express treats it as an error handler and never calls it here',
    fix: 'Pass a middleware (req, res, next).',
  });
}

function nameOption(path: string): string {
  return `resources[${JSON.stringify(path)}]`;
}

/**
 * Loads Express only for `resources`: without them, an app can use the standalone `router` and not install
 * Express.
 */
function routerFactory(resources: unknown, check: OptionsCheck): typeof express.Router {
  try {
    return (require('express') as typeof express).Router;
  } catch (error) {
    check.mistake('resources', resources, {
      code: 'express-missing',
      reason: 'needs Express, which is not installed',
      fix: 'Run npm install express.',
    });
    check.done();
    throw error;
  }
}

function isFunction(value: unknown): value is RequestHandler {
  return typeof value === 'function';
}
