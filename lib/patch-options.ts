import type express from 'express';
import type { RequestHandler, Router } from 'express';
import { hasNames, OptionsCheck } from './configuration';
import {
  optionsAndCorsNames,
  optionsAndCors,
  runInTurn,
  type OptionsListenerOptions,
} from './options-and-cors';
import type { Middleware } from './http/middleware';
import { thrownText } from './app-callbacks';
import { matchAsApp } from './express/app-settings';
import { declareChildren, optionsPassThrough, passesOptions } from './express/handler-metadata';

/** How `patchOptions` itself answers PATCH. */
export interface PatchResource {
  /**
   * The middlewares that run before PATCH, or `'none'`: a request that comes here has not passed the host's
   * authentication.
   */
  readonly guard: 'none' | RequestHandler | readonly RequestHandler[];
  /** A `patchHandler`. */
  readonly patch: Middleware;
}

/** Options of `patchOptions`. */
export interface PatchOptions extends OptionsListenerOptions {
  /**
   * Resources whose PATCH is answered here, by Express path, as routes of the app would match it: each a `guard` and a
   * `patch`. Default: none, and Express is not loaded.
   */
  readonly resources?: Readonly<Record<string, PatchResource>>;
}

/**
 * `corsPreflight`, `optionsHandler` and PATCH for the `resources`, on one router of Express.
 *
 * @throws ConfigurationError with every mistake in the options
 */
export function patchOptions(options: PatchOptions & Required<Pick<PatchOptions, 'resources'>>): Router;
/**
 * `corsPreflight`, `optionsHandler` and, with `resources`, PATCH in one `app.use`, in front of everything else.
 *
 * @throws ConfigurationError with every mistake in the options
 *
 * @example
 * ```ts
 * app.use(patchOptions({ cors: { origin: 'https://app.example' } }));
 * ```
 */
export function patchOptions(options?: PatchOptions): Middleware;
export function patchOptions(given: PatchOptions = {}): Middleware | Router {
  const check = new OptionsCheck('patchOptions()');
  const options = check.names(given, [...optionsAndCorsNames, 'resources']);
  const { resources } = options;
  const front = optionsAndCors(options, options.root, check);
  const bundle =
    resources === undefined ? declareChildren(runInTurn(front), front) : routerOf(front, resources, check);
  check.done();
  return passesOptions(bundle);
}

function routerOf(
  front: readonly Middleware[],
  resources: Readonly<Record<string, PatchResource>>,
  check: OptionsCheck,
): Router {
  const newRouter = routerFactory(resources, check);
  const router = newRouter();
  router.use(...front);
  if (!hasNames(resources)) {
    check.mistake('resources', resources, {
      code: 'option-type',
      reason: 'is no object',
      fix: "Give { '/path/:id': { guard, patch } }, or leave it out.",
    });
    return router;
  }
  const routes: ResourceRoute[] = [];
  for (const [path, resource] of Object.entries(resources)) {
    const route = { path, handlers: handlersOf(path, resource, check) };
    routes.push(route);
    try {
      addRoute(router, route);
    } catch (error) {
      check.mistake(optionOf(path), path, {
        code: 'resource-path-invalid',
        reason: 'is no path to Express',
        fix: `${thrownText(error)}.`,
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

interface ResourceRoute {
  readonly path: string;
  /** None where something is wrong with them. */
  readonly handlers: readonly RequestHandler[];
}

function addRoute(router: Router, { path, handlers }: ResourceRoute): void {
  const route = router.route(path).options(optionsPassThrough);
  if (handlers.length > 0) route.patch(...handlers);
}

/** The middlewares of a resource in their order, with every mistake in it told. */
function handlersOf(path: string, resource: PatchResource, check: OptionsCheck): ResourceRoute['handlers'] {
  const option = optionOf(path);
  const { guard, patch } = Object(check.names(resource, ['guard', 'patch'], `${option}.`)) as PatchResource;
  if (!hasNames(resource)) return [];
  const guards = guard === 'none' ? [] : [guard].flat();
  if (guard !== 'none' && (guards.length === 0 || !guards.every(isFunction))) {
    check.mistake(`${option}.guard`, guard, {
      code: 'resource-unguarded',
      reason: 'says nothing of who may patch',
      fix: "Name the middlewares that run before PATCH, or write 'none'.",
    });
  }
  for (const [i, one] of guards.entries()) {
    checkParameters(Array.isArray(guard) ? `${option}.guard[${i}]` : `${option}.guard`, one, check);
  }
  checkParameters(`${option}.patch`, patch, check);
  if (!isFunction(patch)) {
    check.mistake(`${option}.patch`, patch, {
      code: 'option-type',
      reason: 'must be a middleware function',
      fix: 'Give a patchHandler(store, parsers).',
    });
  }
  // What is optional in front of the first slash is left to Express.
  if (/^[\w:.][^?|]*$/.test(path)) {
    check.mistake(option, path, {
      code: 'resource-path-invalid',
      reason: 'begins without a slash',
      fix: `Write '/${path}'.`,
    });
  }
  const handlers = [...guards, patch];
  return handlers.every(isFunction) ? handlers : [];
}

/** Express recognizes error handlers by their four parameters, and skips them unless there is an error. */
function checkParameters(option: string, middleware: unknown, check: OptionsCheck): void {
  if (typeof middleware !== 'function' || middleware.length <= 3) return;
  check.mistake(option, middleware, {
    code: 'middleware-handles-errors',
    reason: 'has four parameters, so Express takes it for an error handler and never calls it here',
    fix: 'Give a middleware (req, res, next).',
  });
}

function optionOf(path: string): string {
  return `resources[${JSON.stringify(path)}]`;
}

/** Loads Express only here: whoever names no resources may do without, and have the standalone `router`. */
function routerFactory(resources: unknown, check: OptionsCheck): typeof express.Router {
  try {
    return (require('express') as typeof express).Router;
  } catch (error) {
    check.mistake('resources', resources, {
      code: 'express-missing',
      reason: 'needs Express',
      fix: 'Install it.',
    });
    check.done();
    throw error;
  }
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
