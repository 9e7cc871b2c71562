import { type ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';
import { emitWarning } from '../config/process-warning';
import { inspectValue, nameThrown, toCause } from '../config/inspect';
import type { Next } from './middleware';

/**
 * Passes an error that was thrown after the handler had returned to the app's error handler. If `next` itself
 * throws, no caller can catch that any more, so a process warning is emitted and the request is ended.
 */
export function passError(thrown: unknown, res: ServerResponse, next: Next): void {
  try {
    next(toPassableError(thrown));
  } catch (error) {
    emitWarning('PATCH_OPTIONS_NEXT', `next() threw, so the request was ended: ${nameThrown(error)}`);
    if (res.headersSent) {
      res.destroy();
    } else {
      res.statusCode = 500;
      res.end();
    }
  }
}

/**
 * The thrown value as an error that is safe to pass to `next`. Express continues if the value is falsy, and
 * skips routes if it is `'route'` or `'router'`. It reads properties of any other value and logs it, but only
 * later, when no caller can catch an error of that.
 */
export function toPassableError(thrown: unknown): unknown {
  const isSignal = !thrown || thrown === 'route' || thrown === 'router';
  if (!isSignal && canBeHandled(thrown)) return thrown;
  const said = thrown === 'route' || thrown === 'router' ? `'${thrown}'` : inspectValue(thrown);
  const message = `Your app threw ${said}, which cannot be passed to next(). Throw an Error.`;
  return new Error(message, toCause(thrown));
}

/** Whether Express's final handler can send and log the value without throwing. */
function canBeHandled(thrown: unknown): boolean {
  try {
    const { status, statusCode, headers, stack } = Object(thrown) as Readonly<Record<string, unknown>>;
    if (status !== undefined || statusCode !== undefined) assertSendable(headers ?? {});
    return Boolean(stack) || typeof Reflect.get(Object(thrown) as object, 'toString') === 'function';
  } catch {
    return false;
  }
}

/**
 * Asserts that an error can be answered with these headers. Headers that frame the content are Node's own: it
 * refuses a Trailer only when the head is written, where nobody can catch the error, and with both
 * Transfer-Encoding and Content-Length no client can read the answer (RFC 9112 6.2).
 *
 * @throws TypeError
 */
export function assertSendable(headers: object): void {
  for (const [name, value] of Object.entries(headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, value as string);
    if (!/^(?:trailer|transfer-encoding)$/i.test(name)) continue;
    throw new TypeError(`The header ${name} cannot be set on the answer to an error. Leave it out.`);
  }
}
