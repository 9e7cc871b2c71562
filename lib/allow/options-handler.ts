import type { IncomingMessage, ServerResponse } from 'node:http';
import { functionThat, valued } from '../config/expectation';
import { OptionsCheck } from '../config/options-check';
import type { Expectations } from '../config/read-options';
import { isThenable } from '../config/object';
import { debugLog } from '../http/debug-log';
import { passError } from '../http/pass-error';
import { endResponse } from '../http/response-head';
import type { Middleware, Next } from '../http/middleware';
import { type ProblemDocument, ProblemError } from '../http/problem';
import { answerRefusal, refusalAnswer } from '../http/refusal';
import { toPath, sentTarget } from '../http/target-path';
import { markAsOwn, trackPosition } from '../express/handler-metadata';
import { targetMethods, type TargetMethods } from '../routes/method-set';
import {
  appOrRouter,
  createTargetInspection,
  rememberRoot,
  type TargetFindings,
  type TargetOptions,
} from '../routes/target-methods';

const debug = debugLog('options');

/** The target of an OPTIONS request, as the option `body` of `optionsHandler` gets it. */
export interface OptionsBodyContext {
  /** The path of the target, without the query. */
  readonly path: string;
  /** The methods in `Allow`. */
  readonly methods: readonly string[];
  /** The media types in `Accept-Patch`; empty if the target has no `patchHandler`. */
  readonly acceptPatch: readonly string[];
}

/** Options of `optionsHandler`. */
export interface OptionsHandlerOptions extends TargetOptions {
  /**
   * Returns the content of the answer, or a promise of it, which is sent as JSON (RFC 9110 9.3.7 defines no
   * format); undefined sends no content. Default: no content.
   */
  readonly body?: (target: OptionsBodyContext) => unknown;
  /**
   * The status of the answer. A 204 has no content and no Content-Length (RFC 9110 8.6). Default 200, as in
   * RFC 5789 3.1.
   */
  readonly status?: 200 | 204;
  /**
   * How a request is refused (the 405, and the 404 for OPTIONS on a path that has only error handlers):
   * `'answer'` sends the problem document (RFC 9457), and `'next'` passes it to your app's error handler as a
   * `ProblemError`. A function returns a body in your app's own format, which is sent as `application/json`
   * with the status and the headers of the problem:
   * `(problem) => ({ success: false, error: problem.detail })`. It can return `{ status, body }` to change
   * the status, or undefined to send the problem document. An error that it throws goes to your app's error
   * handler. Default `'answer'`.
   */
  readonly errors?: 'answer' | 'next' | ((problem: ProblemDocument, req: IncomingMessage) => unknown);
}

/**
 * Answers OPTIONS (RFC 9110 9.3.7) with the methods of the target's routes in `Allow`, and the media types of
 * its `patchHandler` in `Accept-Patch` (RFC 5789 3.1). `OPTIONS *` is answered with the methods of the whole
 * server. If the target has no routes, or your app has an OPTIONS handler for it, the request goes on.
 *
 * Mount it before the routes: at the end of a router, Express answers OPTIONS itself, with the routes of that
 * router only.
 *
 * @throws ConfigurationError with every mistake in the options
 */
export function optionsHandler(options: OptionsHandlerOptions = {}): Middleware {
  const check = new OptionsCheck('optionsHandler()');
  const settings = check.options(options, optionsHandlerExpectations);
  checkOptionsTogether(settings, check);
  check.done();
  return createOptionsHandler(settings, settings.root);
}

/** Makes an `optionsHandler` from options that were checked; other options are ignored. */
export function createOptionsHandler(
  { body, status = 200, errors }: Omit<OptionsHandlerOptions, 'root'>,
  root: unknown,
): Middleware {
  const inspect = createTargetInspection(root);
  const answer = createAnswer(status);

  function optionsHandler(req: IncomingMessage, res: ServerResponse, next: Next): void {
    rememberRoot(req, root);
    if (req.method !== 'OPTIONS') {
      next();
      return;
    }
    const target = inspect(req, optionsHandler);
    if (target === undefined || target.walk.optionsHandler === 'reachable') {
      debug('%s: left to the app', sentTarget(req));
      next();
      return;
    }
    const methods = target.methods ?? (target.walk.optionsHandler === 'shadowed' ? optionsAlone : undefined);
    if (methods === undefined) {
      try {
        answerWithoutMethods(target, errors, req, res, next);
      } catch (error) {
        passError(error, res, next);
      }
      return;
    }
    debug('%s: %s', sentTarget(req), methods.names.join(', '));
    try {
      const { names, acceptPatch } = methods;
      const content = body?.({ path: toPath(target.url), methods: names, acceptPatch });
      if (isThenable(content)) {
        const settled = Promise.resolve(content).then((value) => {
          // A timeout middleware of the app may have answered in the meantime.
          if (!res.headersSent) answer(res, methods, value);
        });
        settled.catch((error: unknown) => {
          passError(error, res, next);
        });
      } else {
        answer(res, methods, content);
      }
    } catch (error) {
      passError(error, res, next);
    }
  }

  return trackPosition(markAsOwn(optionsHandler));
}

/** The methods of a target for which the app has only an OPTIONS handler. */
const optionsAlone = targetMethods([]);

/**
 * A target has no methods if only error handlers match, or if the path cannot be decoded, which Express
 * answers with 400. If only error handlers match, Express would list methods that are all answered 404, so
 * this answers 404 instead.
 */
function answerWithoutMethods(
  { walk }: TargetFindings,
  errors: OptionsHandlerOptions['errors'],
  req: IncomingMessage,
  res: ServerResponse,
  next: Next,
): void {
  const detail = 'No route of this server handles this URL. Check the URL.';
  if (!walk.answeredByExpress) next();
  else if (walk.malformed !== undefined) next(walk.malformed.error);
  else answerRefusal(errors, new ProblemError(404, 'not-found', detail), req, res, next);
}

type Answer = (res: ServerResponse, target: TargetMethods, value: unknown) => void;

function createAnswer(status: number): Answer {
  /** The headers by `TargetMethods`, whose number depends on the routes, not on the requested paths. */
  const prepared = new WeakMap<TargetMethods, TargetFields>();
  // RFC 9110 9.3.7: Content-Length is 0 if there is no content. RFC 9110 8.6: a 204 has none.
  const empty = status === 204 ? [] : ['Content-Length', '0'];

  return (res, target, value) => {
    let fields = prepared.get(target);
    if (fields === undefined) prepared.set(target, (fields = createTargetFields(target, empty)));
    const content = JSON.stringify(value) as string | undefined;
    if (content === undefined) {
      endResponse(res, status, fields.withoutContent);
      return;
    }
    const length = String(Buffer.byteLength(content));
    const described = ['Content-Type', 'application/json', 'Content-Length', length];
    endResponse(res, status, [...fields.targetFields, ...described], content);
  };
}

/** Headers as a flat list of names and values. */
interface TargetFields {
  readonly targetFields: string[];
  readonly withoutContent: string[];
}

function createTargetFields({ names, acceptPatch }: TargetMethods, empty: readonly string[]): TargetFields {
  const targetFields = ['Allow', names.join(', ')];
  if (acceptPatch.length > 0) targetFields.push('Accept-Patch', acceptPatch.join(', '));
  return { targetFields: targetFields, withoutContent: [...targetFields, ...empty] };
}

export const optionsHandlerExpectations: Expectations<keyof OptionsHandlerOptions> = {
  root: appOrRouter,
  body: functionThat('Pass a function that returns the content of the answer.'),
  status: valued(
    (status) => status === 200 || status === 204,
    'Write 204 for an answer without content, 200 otherwise.',
    'must be 200 or 204',
  ),
  errors: refusalAnswer,
};

/** Reports options that exclude each other. */
export function checkOptionsTogether({ body, status }: OptionsHandlerOptions, check: OptionsCheck): void {
  if (status !== 204 || body === undefined) return;
  check.mistake('status', status, {
    code: 'option-conflict',
    reason: 'cannot be combined with body: a 204 has no content',
    fix: 'Leave body out, or write 200.',
  });
}
