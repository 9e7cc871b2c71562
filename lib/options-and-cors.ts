import type { OptionsCheck, UnknownNameFixes } from './config/options-check';
import { corsOptionNames, type CorsOptions } from './cors/policy/options';
import { createCorsPreflight } from './cors/cors-preflight';
import type { Middleware } from './http/middleware';
import {
  checkOptionsHandler,
  createOptionsHandler,
  type OptionsHandlerOptions,
} from './allow/options-handler';

/** Options of `optionsListener`. */
export interface OptionsListenerOptions extends OptionsHandlerOptions {
  /** The CORS policy: the options of `corsPreflight`. `{}` uses its defaults. Default: no CORS. */
  readonly cors?: CorsOptions;
}

export const optionsAndCorsNames: readonly (keyof OptionsListenerOptions)[] = [
  'cors',
  'root',
  'body',
  'status',
];

/** The options of `cors`, for those who write them one level too high. */
export const fixesOfCors: UnknownNameFixes = new Map(
  corsOptionNames.map((name) => [name, `It is an option of cors: write cors: { ${name}: … }.`]),
);

/**
 * The middlewares in their order; one with mistakes is left out, and the mistakes go to `check`. The options
 * are read by name: a spread would lose inherited ones, and a policy without its `origin` allows every
 * origin.
 */
export function optionsAndCors(
  options: OptionsListenerOptions,
  root: unknown,
  check: OptionsCheck,
): readonly Middleware[] {
  checkOptionsHandler(options, check);
  const { cors } = options;
  const answers = createOptionsHandler(options, root);
  const preflights = cors === undefined ? cors : check.part('cors.', () => createCorsPreflight(cors, root));
  return preflights === undefined ? [answers] : [preflights, answers];
}

/** Runs middlewares one after another, then calls `next`; an error skips the rest. */
export function runInTurn(middlewares: readonly Middleware[]): Middleware {
  // Named after what apps mount: tools that list an app's layers show this name.
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
