import type express from 'express';
import type { RequestHandler, Router } from 'express';
import { isObject, OptionsCheck } from './configuration';
import { checkFront, frontOptionNames, runInTurn, type FrontOptions } from './front';
import type { Middleware } from './http/middleware';
import { declareMembers } from './routes/members';
import { optionsPassThrough, passesOptions } from './routes/options-pass-through';

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
export interface PatchOptions extends FrontOptions {
  /**
   * Resources whose PATCH is answered here, by Express path: each a `guard` and a `patch`. Default: none, and Express
   * is not loaded.
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
export function patchOptions(options: PatchOptions = {}): Middleware | Router {
  const check = new OptionsCheck('patchOptions()');
  check.names(options, [...frontOptionNames, 'resources']);
  const { resources, ...rest } = options;
  const front = checkFront(rest, check);
  if (resources !== undefined) checkResources(resources, check);
  check.done();
  const middlewares = front();
  if (resources !== undefined) return routerOf(middlewares, resources);
  return passesOptions(declareMembers(runInTurn(middlewares), middlewares));
}

/** Loads Express only here: whoever names no resources may do without, and have the standalone `router`. */
function routerOf(front: readonly Middleware[], resources: Readonly<Record<string, PatchResource>>): Router {
  const { Router } = require('express') as typeof express;
  const router = Router();
  router.use(...front);
  for (const [path, { guard, patch }] of Object.entries(resources)) {
    const guards = guard === 'none' ? [] : [guard].flat();
    router
      .route(path)
      .options(optionsPassThrough)
      .patch(...guards, patch);
  }
  return router;
}

function checkResources(resources: Readonly<Record<string, PatchResource>>, check: OptionsCheck): void {
  if (!isObject(resources)) {
    check.mistake(
      'resources',
      resources,
      'is no object',
      "Give { '/path/:id': { guard, patch } }, or leave it out.",
    );
    return;
  }
  for (const [path, resource] of Object.entries(resources)) {
    const option = `resources[${JSON.stringify(path)}]`;
    check.names(resource, ['guard', 'patch'], `${option}.`);
    if (!isObject(resource)) continue;
    if (!isGuard(resource.guard)) {
      check.mistake(
        `${option}.guard`,
        resource.guard,
        'says nothing of who may patch',
        "Name the middlewares that run before PATCH, or write 'none'.",
      );
    }
    if (typeof resource.patch !== 'function') {
      check.mistake(
        `${option}.patch`,
        resource.patch,
        'is no middleware',
        'Give a patchHandler(store, parsers).',
      );
    }
  }
}

function isGuard(guard: unknown): boolean {
  const guards = [guard].flat();
  return guard === 'none' || (guards.length > 0 && guards.every((one) => typeof one === 'function'));
}
