import type { ServerResponse } from 'node:http';
import { debugLog } from '../http/debug-log';
import { handOn } from '../http/hand-on';
import type { Middleware, Next } from '../http/middleware';
import { type ProblemDocument, ProblemError } from '../http/problem';
import type { Refusal } from '../http/refusal';
import { sendProblem } from '../http/send-problem';
import { Client, NotAwaited } from './client';
import { isRouted, type PatchRequest } from './routed-request';

const debug = debugLog('patch');

/** One request, and whom its answer goes to. */
export interface Exchange {
  readonly req: PatchRequest;
  readonly res: ServerResponse;
  readonly client: Client;
}

/** What `onRefused` of `patchHandler` is told. */
export interface PatchRefusal extends Refusal {
  readonly req: PatchRequest;
  /** What the client is answered. */
  readonly problem: ProblemDocument;
}

/** What becomes of a refusal. */
interface Failing {
  /** Whose handler it is, as in `patchHandler()`. */
  readonly subject: string;
  readonly notifyRefused: (refusal: PatchRefusal) => void;
  /** Asked where the target was not found whether the app has made a mistake. */
  readonly adviseOnKey?: (req: PatchRequest) => void;
  /** Answers refusals, rather than to hand them on. */
  readonly answersErrors: boolean;
}

/**
 * Makes the handler of one method, to be mounted on a route; a request of another method goes on.
 *
 * @param methods - those that it answers
 * @param answer - a ProblemError that it rejects with is the answer
 */
export function handlerOf(
  settings: Failing,
  methods: readonly string[],
  answer: (exchange: Exchange) => Promise<void>,
): Middleware {
  return (req, res, next) => {
    if (!methods.includes(req.method ?? '')) {
      next();
    } else if (isRouted(req)) {
      const exchange = { req, res, client: new Client(res) };
      answer(exchange)
        .catch((error: unknown) => {
          fail(settings, exchange, next, error);
        })
        // A refusal that cannot be sent, and what throws when it is looked at.
        .catch((error: unknown) => {
          handOn(error, res, next);
        });
    } else {
      const [method = ''] = methods;
      const mount = `app.${method.toLowerCase()}(path, …)`;
      next(
        new TypeError(
          `The ${method} handler of ${settings.subject} was called outside a route. Mount it: ${mount}.`,
        ),
      );
    }
  };
}

/** A refusal is answered, or handed on as the app wishes; a fault always goes to the app's error handler. */
function fail(settings: Failing, { req, res, client }: Exchange, next: Next, error: unknown): void {
  const refused = error instanceof ProblemError;
  if (error instanceof NotAwaited || (client.hasGone && (refused || isAbort(error)))) {
    debug('%s: nobody awaits the answer any more; nothing was written', req.originalUrl);
    return;
  }
  if (!refused) {
    handOn(error, res, next);
    return;
  }
  const { code, status, message: detail, problem } = error;
  debug('%s: %d %s: %s', req.originalUrl, status, code, detail);
  settings.notifyRefused({ code, status, detail, problem, req });
  if (code === 'target-not-found') settings.adviseOnKey?.(req);
  if (!settings.answersErrors) handOn(error, res, next);
  else if (!res.headersSent) sendProblem(res, error);
}

/** What Node's own functions throw when their signal is aborted. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
