import type { AnswerOnce } from './answer';
import { problemIn, textIn } from './problem';

export function isSuccess(status: number): boolean {
  return status === 200 || status === 201 || status === 204;
}

/**
 * Whether a write may have been made by the attempt that was answered so, although this is not a success.
 * Only a 4xx says that it was not: anything else can come from a gateway, or from a server that failed after
 * the commit. And a 408 comes from timeout middlewares, while the handler goes on; so does the first request
 * under an idempotency key, while a repeat of it is answered 409.
 */
export function isOpen(answer: AnswerOnce): boolean {
  const { status } = answer;
  const isRefusal = status >= 400 && status < 500 && status !== 408;
  const goesOn = status === 409 && textIn(problemIn(answer), 'code') === 'idempotency-key-in-flight';
  return !isSuccess(status) && (!isRefusal || goesOn);
}

/**
 * Whether an answer tells about all attempts: a success does, and under an Idempotency-Key a 412, as the
 * server looks for the outcome of the key before it compares the preconditions.
 */
export function isConclusive({ status }: AnswerOnce, hasKey: boolean): boolean {
  return isSuccess(status) || (hasKey && status === 412);
}
