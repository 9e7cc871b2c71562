import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Expectation, expected } from '../config/expectation';
import { hasNames, isFunction, isThenable } from '../config/object';
import { describeFailure, warnOnce } from '../config/process-warning';
import { inspectResult } from '../config/inspect';
import { fireAndForget, ignoreRejection } from '../config/unawaited';
import type { Next } from './middleware';
import { passError } from './pass-error';
import { assertStatus, type ProblemDocument, type ProblemError } from './problem';
import { sendContent, sendProblem } from './send-problem';

/** A refused request, as an `onRefused` option gets it. */
export interface Refusal {
  /** The reason. It stays the same when `detail` is reworded; docs/errors.md lists all codes. */
  readonly code: string;
  /** The status of the answer; undefined if the request went on to your app's handlers. */
  readonly status: number | undefined;
  /** The reason and the remedy, for people. */
  readonly detail: string;
  /** The request that was refused. */
  readonly req: IncomingMessage;
  /** The error that your app's code threw, if that is the reason. */
  readonly error?: unknown;
}

/**
 * Makes a function that calls `onRefused`. The first error that `onRefused` throws becomes a process warning.
 *
 * @param subject - the function that got the option, such as `corsPreflight()`
 */
export function refusalNotifier<R extends Refusal>(
  onRefused: ((refusal: R) => unknown) | undefined,
  subject: string,
): (refusal: R) => void {
  if (onRefused === undefined) return () => undefined;
  const warn = warnOnce('PATCH_OPTIONS_ON_REFUSED', describeFailure(`onRefused of ${subject}`));
  return (refusal) => {
    fireAndForget(() => onRefused(refusal), warn);
  };
}

/** The option `errors` of a handler: how a request is refused. */
export type RefusalAnswer<R extends IncomingMessage = IncomingMessage> =
  | 'answer'
  | 'next'
  | ((problem: ProblemDocument, req: R) => unknown);

export const refusalAnswer: Expectation = expected(
  (errors) => errors === 'answer' || errors === 'next' || isFunction(errors),
  {
    code: 'option-value',
    isName: true,
    reason: "must be 'answer', 'next' or a function",
    fix: "Write 'answer', 'next', or (problem, req) => ({ success: false, error: problem.detail }).",
  },
);

/**
 * Answers a request with a refusal, or passes it to the app's error handler, as the option `errors` says.
 *
 * @returns the status of the answer
 * @throws the error of the app's function, and a TypeError for a result that cannot be sent
 */
export function answerRefusal<R extends IncomingMessage>(
  errors: RefusalAnswer<R> | undefined,
  error: ProblemError,
  req: R,
  res: ServerResponse,
  next: Next,
): number {
  if (errors === 'next') passError(error, res, next);
  else if (typeof errors === 'function') return answerAsApp(errors(error.problem, req), error, res);
  else sendProblem(res, error);
  return error.status;
}

function answerAsApp(result: unknown, error: ProblemError, res: ServerResponse): number {
  if (isThenable(ignoreRejection(result)))
    throw new TypeError(
      'The option errors returned a promise. Return the body of the answer, not a promise of it.',
    );
  if (result === undefined) {
    sendProblem(res, error);
    return error.status;
  }
  const { status, body } = readAnswer(result) ?? { status: error.status, body: result };
  assertStatus(status);
  const content: unknown = JSON.stringify(body);
  if (typeof content !== 'string') {
    const fix = 'Return the body as JSON, { status, body }, or undefined for the problem document.';
    throw new TypeError(`The option errors returned ${inspectResult(body)}. ${fix}`);
  }
  sendContent(res, { status, headers: error.headers, mediaType: 'application/json; charset=utf-8', content });
  return status;
}

/**
 * A result with exactly these two members, and a number as status: `{ status: 'error', message }` is a body.
 */
function readAnswer(result: unknown): { readonly status: number; readonly body: unknown } | undefined {
  if (!hasNames(result) || Object.keys(result).sort().join() !== 'body,status') return undefined;
  const { status, body } = result as Readonly<Record<'status' | 'body', unknown>>;
  return typeof status === 'number' ? { status, body } : undefined;
}
