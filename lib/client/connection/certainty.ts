import type { AnswerOnce } from './answer';
import { problemIn, textIn } from './problem';

export function isSuccess(status: number): boolean {
  return status === 200 || status === 201 || status === 204;
}

/**
 * The problems of docs/errors.md that say the opposite of what their status says of a write: nothing was
 * written, though it is a 5xx; and the request is still in progress, and can succeed, though it is a 409.
 */
export const contraryProblems: readonly string[] = [
  '500 unreadable-value',
  '503 outcomes-full',
  '409 idempotency-key-in-flight',
];

/**
 * Whether a write can have been made by the attempt that was answered so, although this is not a success.
 * Only a 4xx says that it was not: anything else can come from a gateway, or from a server that failed after
 * the commit. And a 408 comes from timeout middlewares, while the handler goes on.
 */
export function isOpen(answer: AnswerOnce): boolean {
  const { status, field } = answer;
  const isProblem = /^application\/problem\+json\s*(?:;|$)/i.test(field('Content-Type') ?? '');
  const code = (isProblem && textIn(problemIn(answer), 'code')) || '';
  const isRefusal = status >= 400 && status < 500 && status !== 408;
  return !isSuccess(status) && isRefusal === contraryProblems.includes(`${status} ${code}`);
}

/**
 * Whether an answer tells about all attempts: a success does, and under an Idempotency-Key a 412, as the
 * server looks for the outcome of the key before it compares the preconditions.
 */
export function isConclusive({ status }: AnswerOnce, hasKey: boolean): boolean {
  return isSuccess(status) || (hasKey && status === 412);
}
