import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:net';
import { OptionsCheck } from './configuration';
import {
  optionsAndCorsNames,
  optionsAndCors,
  runInTurn,
  type OptionsListenerOptions,
} from './options-and-cors';
import { ProblemError } from './http/problem';
import { sendProblem } from './http/send-problem';
import { thrownText } from './app-callbacks';
import { isRoot } from './express/apps';
import { isRouter } from './express/layers';
import { attacherOf, type Front } from './server-attachment';

/** What `http.createServer` takes: an Express app is one. */
export type Listener = (req: IncomingMessage, res: ServerResponse) => unknown;

/** What `optionsListener` makes. */
export interface OptionsListener extends Listener {
  /**
   * Answers in front of a server that somebody else has made, a framework or `app.listen`: what it answers reaches none of
   * the server's `'request'` listeners, and all else reaches each of them as before, those of socket.io too, and those
   * that are added later. The app is not called, but by the server. On a server where it is attached already it does nothing.
   *
   * @param server - of `node:http`, `node:https`, or `node:http2`, listening or not
   * @returns a function that takes it away again
   * @throws ConfigurationError where that is no HTTP server
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
 * The answers of `patchOptions` in front of the app, at several times the rate: what it answers never reaches Express,
 * all else does. Its CORS policy is that of every path. What `body` throws is answered with 500 and becomes a warning of
 * the process.
 *
 * @param app - an Express app, or any function that `http.createServer` takes, with its app or router as `root`
 * @throws ConfigurationError with every mistake in the options
 *
 * @example
 * ```ts
 * http.createServer(optionsListener(app, { cors: { origin: 'https://app.example' } })).listen(3000);
 * ```
 */
export function optionsListener(app: Listener, options: OptionsListenerOptions = {}): OptionsListener {
  const check = new OptionsCheck('optionsListener()');
  const own = check.names(options, optionsAndCorsNames);
  const front = optionsAndCors(own, rootOf(app, own, check), check);
  check.done();

  // On Node's own request and response: that Express prepares them and walks its stack costs several times the answer.
  const answer = runInTurn(front);
  const answerOr: Front = (req, res, goOn) => {
    answer(req, res, (error) => {
      if (error === undefined) goOn();
      else sendFault(res, error);
    });
  };
  const listener: Listener = (req, res) => {
    answerOr(req, res, () => app(req, res));
  };
  return Object.assign(listener, { attach: attacherOf(answerOr) });
}

/** The app or router whose routes count. */
function rootOf(app: unknown, { root }: OptionsListenerOptions, check: OptionsCheck): unknown {
  if (typeof app !== 'function' || isRouter(app)) {
    const fix =
      'Give an Express app, or (req, res) => router(req, res, finalHandler) and that router as root.';
    check.mistake('app', app, {
      code: 'option-type',
      reason: 'is nothing that http.createServer could call',
      fix,
    });
  } else if (root === undefined) {
    if (isRoot(app)) return app;
    const fix = 'Name the app or router as root: optionsListener(app, { root: router }).';
    check.mistake('app', app, {
      code: 'root-unknown',
      reason: 'is no Express app, so its routes are out of sight',
      fix,
    });
  }
  return root;
}

function sendFault(res: ServerResponse, error: unknown): void {
  const warning = `optionsListener() could not answer: ${thrownText(error)}`;
  process.emitWarning(warning, { code: 'PATCH_OPTIONS_LISTENER' });
  const detail = 'The server failed to say what this target allows. Ask again later.';
  if (!res.headersSent) sendProblem(res, new ProblemError(500, 'options-failed', detail));
}
