import type express from 'express';
import type { RequestHandler } from 'express';
import { OptionsCheck } from './configuration';
import type { CorsOptions } from './cors/cors-options';
import { corsPreflight } from './cors/cors-preflight';
import type { Middleware } from './http/middleware';
import { optionsHandler, type OptionsHandlerOptions } from './options/options-handler';
import { declareMembers } from './routes/members';
import { optionsPassThrough } from './routes/options-pass-through';

/** One resource, or one pattern of them, whose PATCH is answered by `patchOptions` itself. */
export interface PatchResource {
  /**
   * The middlewares that run before PATCH here, or `'none'`. It must be said: `patchOptions` stands in front of the
   * host's authentication, because preflights carry no credentials, and what it answers itself has not passed that.
   */
  readonly guard: 'none' | RequestHandler | readonly RequestHandler[];
  /** A `patchHandler`. */
  readonly patch: Middleware;
}

/** The options of `patchOptions`. */
export interface PatchOptions extends OptionsHandlerOptions {
  /** The CORS policy, see `CorsOptions`; `{}` takes its defaults. Left out: no CORS at all. */
  readonly cors?: CorsOptions;
  /** Resources whose PATCH is answered here, by Express path. Left out: none, and Express is not loaded. */
  readonly resources?: Readonly<Record<string, PatchResource>>;
}

/**
 * All of it in one `app.use`, in front of everything else: CORS preflights, OPTIONS for every target and, for the
 * `resources` given, PATCH.
 *
 * @param options - see `PatchOptions`
 * @throws ConfigurationError with every mistake in the options, when it is made
 *
 * @example
 * app.use(patchOptions({ cors: { origin: 'https://app.example' } }));
 */
export function patchOptions(
  options: PatchOptions & Required<Pick<PatchOptions, 'resources'>>,
): express.Router;
export function patchOptions(options?: PatchOptions): Middleware;
export function patchOptions(options: PatchOptions = {}): Middleware | express.Router {
  const check = new OptionsCheck('patchOptions()');
  check.names(options, ['cors', 'resources', 'root', 'body', 'status']);
  if (!isObject(options)) check.done();
  const { cors, resources, ...rest } = options;
  const answers = check.part('', () => optionsHandler(rest));
  // Not spread unless it is an object: `cors: false` would become a policy that lets everybody in.
  const preflights =
    cors === undefined
      ? undefined
      : check.part('cors.', () => corsPreflight(isObject(cors) ? { ...rootOf(rest), ...cors } : cors));
  if (resources !== undefined) checkResources(resources, check);
  check.done();

  const front = preflights === undefined ? [answers()] : [preflights(), answers()];
  return resources === undefined ? inTurn(front) : routerOf(front, resources);
}

/** Loads Express only here: whoever names no resources may do without, and have the standalone `router`. */
function routerOf(
  front: readonly Middleware[],
  resources: Readonly<Record<string, PatchResource>>,
): express.Router {
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

function inTurn(middlewares: readonly Middleware[]): Middleware {
  const bundle: Middleware = function patchOptions(req, res, next) {
    let position = 0;
    const advance = (error?: unknown): void => {
      const middleware = error === undefined ? middlewares[position++] : undefined;
      if (middleware === undefined) next(error);
      else middleware(req, res, advance);
    };
    advance();
  };
  return declareMembers(bundle, middlewares);
}

/** What names the root for OPTIONS names it for preflights. */
function rootOf({ root }: OptionsHandlerOptions): Pick<CorsOptions, 'root'> {
  return root === undefined ? {} : { root };
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

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isGuard(guard: unknown): boolean {
  if (guard === 'none' || typeof guard === 'function') return true;
  return Array.isArray(guard) && guard.length > 0 && guard.every((one) => typeof one === 'function');
}
