import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:net';
import {
  checkOptionsTogether,
  createOptionsHandler,
  optionsHandlerExpectations,
  type OptionsHandlerOptions,
} from './allow/options-handler';
import { anything } from './config/expectation';
import { OptionsCheck, type UnknownNameFixes } from './config/options-check';
import type { Expectations } from './config/read-options';
import { createCorsPreflight } from './cors/cors-preflight';
import type { CorsOptions } from './cors/options';
import { corsExpectations } from './cors/policy';
import { declareChildren } from './express/handler-metadata';
import type { Middleware } from './http/middleware';
import { ProblemError } from './http/problem';
import { sendProblem } from './http/send-problem';
import { emitWarning } from './config/process-warning';
import { nameThrown, inspectShort } from './config/inspect';
import { isRoot } from './express/apps';
import { isRouter } from './express/layers';
import { toPath } from './http/target-path';
import { createAttach, type RequestInterceptor } from './http/server-attachment';

/** Options of `optionsListener`. */
export interface OptionsListenerOptions extends OptionsHandlerOptions {
  /** The CORS policy: the options of `corsPreflight`. `{}` uses its defaults. Default: no CORS. */
  readonly cors?: CorsOptions;
}

/** A request listener, as `http.createServer` takes it. An Express app is one. */
export type Listener = (req: IncomingMessage, res: ServerResponse) => unknown;

/**
 * The result of `optionsListener`: a request listener that calls the app, and a method that works on an
 * existing server.
 */
export interface OptionsListener extends Listener {
  /**
   * Answers OPTIONS and preflights in front of an existing server, such as the server of a framework or of
   * `app.listen`. Requests that are answered here do not reach the server's `'request'` listeners. All other
   * requests reach every listener as before, including listeners of socket.io and listeners that are added
   * later. Attaching to the same server again has no effect.
   *
   * @param server - of `node:http`, `node:https` or `node:http2`, listening or not
   * @returns a function that detaches it again
   * @throws ConfigurationError if `server` is not an HTTP server
   *
   * @example
   * ```ts
   * const server = app.listen(3000);
   * optionsListener(app, { cors: { origin: 'https://app.example' } }).attach(server);
   * ```
   */
  attach(server: Server): () => void;
}

/**
 * Answers OPTIONS and CORS preflights as `patchOptions` does, but before Express runs, at several times the
 * rate. All other requests go to the app. Its CORS policy applies to every path. If `body` throws, the answer
 * is 500, and a process warning is emitted.
 *
 * @param app - an Express app; or any other request listener, with the app or router inside it as the option
 *   `root`
 * @param options - the options of `optionsHandler`, and `cors`
 * @returns a request listener for `http.createServer`
 * @throws ConfigurationError with every mistake in the options
 *
 * @example
 * ```ts
 * http.createServer(optionsListener(app, { cors: { origin: 'https://app.example' } })).listen(3000);
 * ```
 */
export function optionsListener(app: Listener, options: OptionsListenerOptions = {}): OptionsListener {
  const check = new OptionsCheck('optionsListener()');
  const settings = check.options(options, optionsAndCorsExpectations, '', corsFixes);
  const front = optionsAndCors(settings, findRoot(app, settings, check), check);
  check.done();

  // Runs on Node's own request and response: Express's work before its first middleware costs several times
  // as much as the answer.
  const answer = runInTurn(front);
  const answerOr: RequestInterceptor = (req, res, next) => {
    answer(req, res, (error) => {
      if (error === undefined) next();
      else sendFault(req, res, error);
    });
  };
  const listener: Listener = (req, res) => {
    answerOr(req, res, () => app(req, res));
  };
  return Object.assign(declareChildren(listener, front), { attach: createAttach(answerOr) });
}

/** The app or router whose routes are read. */
function findRoot(app: unknown, { root }: OptionsListenerOptions, check: OptionsCheck): unknown {
  if (typeof app !== 'function' || isRouter(app)) {
    const fix =
      'Pass an Express app, or (req, res) => router(req, res, finalHandler) with that router as root.';
    check.mistake('app', app, {
      code: 'option-type',
      reason: 'is not a request listener',
      fix,
    });
  } else if (root === undefined) {
    if (isRoot(app)) return app;
    const fix = 'Pass the app or router as root: optionsListener(app, { root: router }).';
    check.mistake('app', app, {
      code: 'root-unknown',
      reason: 'is not an Express app, so its routes cannot be read',
      fix,
    });
  }
  return root;
}

/** @param error - thrown by the option `body` or `errors`, the only code of the app that runs here */
function sendFault(req: IncomingMessage, res: ServerResponse, error: unknown): void {
  // With errors: 'next'.
  if (error instanceof ProblemError) {
    sendProblem(res, error);
    return;
  }
  const request = `OPTIONS ${inspectShort(toPath(req.url ?? '/'))}`;
  const message = `The option body or errors of optionsListener() failed with ${nameThrown(error)} for ${request}.`;
  emitWarning('PATCH_OPTIONS_LISTENER', message);
  const detail = 'The server failed to determine the allowed methods. Try again later.';
  if (!res.headersSent) sendProblem(res, new ProblemError(500, 'options-failed', detail));
}

export const optionsAndCorsExpectations: Expectations<keyof OptionsListenerOptions> = {
  cors: anything,
  ...optionsHandlerExpectations,
};

/** The fixes for options of `cors` that are written one level too high. */
export const corsFixes: UnknownNameFixes = new Map(
  Object.keys(corsExpectations).map((name) => [name, `It is an option of cors: write cors: { ${name}: … }.`]),
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
  checkOptionsTogether(options, check);
  const { cors } = options;
  const answers = createOptionsHandler(options, root);
  const preflights =
    cors === undefined ? cors : check.part('cors.', () => createCorsPreflight(cors, check.subject, root));
  return preflights === undefined ? [answers] : [preflights, answers];
}

/** Runs middlewares one after another, then calls `next`; an error skips the rest. */
export function runInTurn(middlewares: readonly Middleware[]): Middleware {
  // Named like the function that apps mount, because tools that list an app's layers show this name.
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
