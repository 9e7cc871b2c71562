import { isObject, type OptionsCheck } from './configuration';
import type { CorsOptions } from './cors/cors-options';
import { corsPreflight } from './cors/cors-preflight';
import type { Middleware } from './http/middleware';
import { optionsHandler, type OptionsHandlerOptions } from './options/options-handler';

// What stands in front of the host's routes: the answers to OPTIONS, and CORS where there is a policy.
/** Options of `optionsListener`. */
export interface FrontOptions extends OptionsHandlerOptions {
  /** The CORS policy, options of `corsPreflight`; `{}` takes its defaults. Default: no CORS. */
  readonly cors?: CorsOptions;
}

export const frontOptionNames: readonly (keyof FrontOptions)[] = ['cors', 'root', 'body', 'status'];

/** The middlewares in their order, once `check` has found no mistake. */
export function checkFront(
  { cors, ...rest }: FrontOptions,
  check: OptionsCheck,
): () => readonly Middleware[] {
  const answers = check.part('', () => optionsHandler(rest));
  if (cors === undefined) return () => [answers()];
  // What names the root for OPTIONS names it for preflights. Not spread unless it is an object: `cors: false` would
  // become a policy that lets everybody in.
  const preflights = check.part('cors.', () =>
    corsPreflight(isObject(cors) ? { root: rest.root, ...cors } : cors),
  );
  return () => [preflights(), answers()];
}

/** Runs middlewares one after another, then `next`; an error goes to it at once. */
export function runInTurn(middlewares: readonly Middleware[]): Middleware {
  // Named as what hosts mount: lists of layers show it.
  return function patchOptions(req, res, next) {
    let position = 0;
    const advance = (error?: unknown): void => {
      const middleware = error === undefined ? middlewares[position++] : undefined;
      if (middleware === undefined) next(error);
      else middleware(req, res, advance);
    };
    advance();
  };
}
