import type { OptionsCheck } from './configuration';
import type { CorsOptions } from './cors/policy/options';
import { createCorsPreflight } from './cors/cors-preflight';
import type { Middleware } from './http/middleware';
import { checkHandler, optionsHandlerUnder, type OptionsHandlerOptions } from './options/options-handler';

// What stands in front of the host's routes: the answers to OPTIONS, and CORS where there is a policy.
/** Options of `optionsListener`. */
export interface FrontOptions extends OptionsHandlerOptions {
  /** The CORS policy, options of `corsPreflight`; `{}` takes its defaults. Default: no CORS. */
  readonly cors?: CorsOptions;
}

export const frontOptionNames: readonly (keyof FrontOptions)[] = ['cors', 'root', 'body', 'status'];

/**
 * The middlewares in their order, as far as `check` finds no mistake. The options are read by their names: a spread would
 * lose what they inherit, and a policy without its `origin` lets everybody in.
 */
export function makeFront(options: FrontOptions, root: unknown, check: OptionsCheck): readonly Middleware[] {
  checkHandler(options, check);
  const answers = optionsHandlerUnder(root, options);
  const { cors } = options;
  const preflights = cors === undefined ? cors : check.part('cors.', () => createCorsPreflight(cors, root));
  return preflights === undefined ? [answers] : [preflights, answers];
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
