import { tracingChannel } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { isObject } from '../config/object';
import { answersOnRoute } from '../express/layers';
import { answerRefusal, type Refusal, type RefusalAnswer } from '../http/refusal';
import { debugLog } from '../http/debug-log';
import { isRouted, type Middleware, type Next, type PatchRequest } from '../http/middleware';
import { passError } from '../http/pass-error';
import { type ProblemDocument, ProblemError } from '../http/problem';
import { AnswerNotNeeded, ClientConnection } from './client-connection';

const debug = debugLog('patch');

/** One request with its response. */
export interface Exchange {
  readonly req: PatchRequest;
  readonly res: ServerResponse;
  readonly client: ClientConnection;
  readonly trace: PendingTrace;
}

/** The refusal that the option `onRefused` of `patchHandler` and `resource` receives. */
export interface PatchRefusal extends Refusal {
  readonly req: PatchRequest;
  /** The problem document that the client receives. */
  readonly problem: ProblemDocument;
}

/** The settings for the refusals of a handler. */
interface RefusalSettings {
  /** The function that created the handler, as messages name it: `patchHandler()`. */
  readonly subject: string;
  readonly notifyRefused: (refusal: PatchRefusal) => void;
  readonly options: { readonly errors?: RefusalAnswer<PatchRequest> };
}

/**
 * Creates the middleware for a route. It passes requests with other methods on. A request on a route that was
 * registered for another method is an error, because nothing would ever answer it.
 *
 * @param methods - the methods that it answers
 * @param answer - rejects with a ProblemError to refuse the request
 */
export function createHandler(
  settings: RefusalSettings,
  methods: readonly string[],
  answer: (exchange: Exchange) => Promise<void>,
): Middleware {
  const isRead = methods.includes('GET');
  return function handler(req, res, next) {
    if (!methods.includes(req.method ?? '')) {
      next(
        answersOnRoute(handler, methods, req)
          ? undefined
          : wrongMethod(settings.subject, methods, req.method),
      );
    } else if (isRouted(req)) {
      const trace = {
        method: req.method,
        key: undefined,
        outcome: undefined,
        status: undefined,
        attempts: 0,
      };
      const exchange = { req, res, client: new ClientConnection(req, res), trace };
      const run = (): Promise<void> =>
        answer(exchange).catch((error: unknown) => {
          refuse(settings, exchange, next, error);
        });
      (isRead ? run() : traced(trace, run)).catch((error: unknown) => {
        passError(error, res, next);
      });
    } else {
      const [method = ''] = methods;
      const mount = `app.${method.toLowerCase()}(path, …)`;
      next(
        new TypeError(
          `The ${method} handler of ${settings.subject} must be mounted on a route. Write ${mount}.`,
        ),
      );
    }
  };
}

function wrongMethod(subject: string, [method = '']: readonly string[], mounted = ''): TypeError {
  const isPartialPut = mounted === 'PUT' && subject === 'patchHandler()';
  return new TypeError(
    `The ${method} handler of ${subject} is mounted on a route for ${mounted}. ` +
      `Write app.${method.toLowerCase()}(path, …)` +
      (isPartialPut ? ", or set the option method: 'PUT' for a PUT that changes only what it names." : '.'),
  );
}

/**
 * Refusals are answered or passed on, depending on the option `errors`.
 *
 * @throws other errors, and errors of a refusal that cannot be sent, which always go to the app's error
 *   handler
 */
function refuse(settings: RefusalSettings, exchange: Exchange, next: Next, error: unknown): void {
  const { req, res, client, trace } = exchange;
  const refused = error instanceof ProblemError;
  if (error instanceof AnswerNotNeeded || (client.isGone && (refused || isAbort(error)))) {
    trace.outcome = 'not-awaited';
    debug('%s: the client disconnected or was answered by other code; nothing was written', req.originalUrl);
    return;
  }
  if (!refused) throw error;
  const { code, status, message: detail, problem } = error;
  debug('%s: %d %s: %s', req.originalUrl, status, code, detail);
  settings.notifyRefused({ code, status, detail, problem, req });
  const isAnswered = res.headersSent && settings.options.errors !== 'next';
  const sent = isAnswered ? status : answerRefusal(settings.options.errors, error, req, res, next);
  Object.assign(trace, { outcome: code, status: sent });
}

/**
 * Whether Node threw the error because of an aborted signal. Under Jest, Node's errors are not
 * `instanceof Error`.
 */
function isAbort(error: unknown): boolean {
  return isObject(error) && 'name' in error && error.name === 'AbortError';
}

/**
 * The message of `tracingChannel('patch-options:patch')` of node:diagnostics_channel for a PATCH, PUT or
 * DELETE. It is one object for all events of a request. At the start, only `method` is known; the other
 * members are set at `asyncEnd`.
 */
export interface RequestTrace {
  readonly method: string;
  /** The key of the resource; undefined if the request was refused before it was read. */
  readonly key: string | undefined;
  /**
   * `changed`, `created`, `deleted`; `repeated` for a repeat that wrote nothing; the code of a refusal;
   * `not-awaited` if the client disconnected, or was answered by other code, before the write. Undefined if
   * anything else was thrown; there is then an `error` event, and a member `error`.
   */
  readonly outcome: string | undefined;
  /** The status of the answer, or of the refusal that was passed on; undefined if there was none. */
  readonly status: number | undefined;
  /** How many times the store was asked to write: more than once if other writes came first. */
  readonly attempts: number;
}

/** A trace that is still being filled in. */
export type PendingTrace = { -readonly [Member in keyof RequestTrace]: RequestTrace[Member] };

const channel = tracingChannel<PendingTrace, PendingTrace>('patch-options:patch');

/** Carries out a request, and publishes its trace if there are subscribers. */
export function traced(trace: PendingTrace, run: () => Promise<void>): Promise<void> {
  return channel.hasSubscribers ? channel.tracePromise(run, trace) : run();
}
