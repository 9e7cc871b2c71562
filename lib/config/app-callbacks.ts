import { validateHeaderName, validateHeaderValue } from 'node:http';
import { inspect, types } from 'node:util';
import { printable } from './printable';

/**
 * What was thrown, for a warning: the name of an error and its code, and never its message, which can contain
 * the values of clients. Anything can be thrown.
 */
export function nameThrown(thrown: unknown): string {
  if (!types.isNativeError(thrown) && !(thrown instanceof Error))
    return thrown === null ? 'null' : `a value of the type ${typeof thrown}`;
  const code: unknown = Reflect.get(thrown, 'code');
  const hasCode = typeof code === 'string' || typeof code === 'number';
  return shortened(`${thrown.name}${hasCode ? ` (code ${code})` : ''}`, 100);
}

function shortened(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** A value, shortened to fit into a line of a message. */
export function shownText(value: unknown): string {
  const shown = inspect(value, { depth: 1, breakLength: Infinity, maxArrayLength: 5, maxStringLength: 100 });
  // Of a function, such as an app, not its properties.
  const text = typeof value === 'function' ? (/\[[^\]]*\]/.exec(shown)?.[0] ?? shown) : shown;
  return shortened(text, 200);
}

/**
 * What was thrown, as an error that is safe to pass to `next`. Express continues if that is falsy, and skips
 * routes if it is `'route'` or `'router'`. It reads properties of anything else and logs it, later, when no
 * caller can catch what that throws.
 */
export function toPassableError(thrown: unknown): unknown {
  const isSignal = !thrown || thrown === 'route' || thrown === 'router';
  if (!isSignal && canBeHandled(thrown)) return thrown;
  const [text = ''] = shownText(thrown).split('\n', 1);
  return new Error(`Your app threw ${text}, which cannot be passed to next(). Throw an Error.`, {
    cause: thrown,
  });
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
 * Asserts that an error can be answered with these headers. How the content is framed is for Node to say: it
 * refuses a Trailer only when the head is written, where nobody can catch that, and with a Transfer-Encoding
 * beside the Content-Length no client can read the answer (RFC 9112 6.2).
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

/** Whether `await` would call the value's `then`. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    'then' in value &&
    typeof value.then === 'function'
  );
}

/**
 * The return value of a function that must be synchronous. If it returns a promise all the same, as an
 * `async` function does, that is not awaited, and its rejection must not end the process.
 */
export function notAwaited<R>(result: R): R {
  if (types.isPromise(result)) result.catch(() => undefined);
  return result;
}

/** What such a function returned, for the message that it must not. */
export function shownResult(result: unknown): string {
  return isThenable(notAwaited(result)) ? 'a promise' : shownText(result);
}

/**
 * Calls a function of the app without waiting for its result: a callback for metrics must not delay or fail a
 * request, nor end the process.
 *
 * @param onError - called with what the function throws or rejects with; what `onError` itself throws is
 *   ignored
 */
export function callAside(call: () => unknown, onError: (error: unknown) => unknown): void {
  settled(call)
    .catch(onError)
    .catch(() => undefined);
}

/** Turns a synchronous throw into a rejection. */
async function settled(call: () => unknown): Promise<void> {
  await call();
}

/** Emits a process warning. What it quotes, of a client or an app, is read on a terminal. */
export function emitWarning(code: string, message: string): void {
  process.emitWarning(printable(message), { code });
}

/**
 * Emits a process warning for the first error and ignores the others, so that an error on every request does
 * not flood the log.
 *
 * @param what - the subject of the sentence, such as `onRefused of corsPreflight()`
 * @param remedy - how to see every error
 */
export function warnOnce(code: string, what: string, remedy?: string): (error: unknown) => void {
  let warned = false;
  return (error) => {
    if (warned) return;
    warned = true;
    const rest = remedy === undefined ? '' : `: ${remedy}`;
    const message = `${what} failed with ${nameThrown(error)}. Further failures are not reported${rest}.`;
    emitWarning(code, message);
  };
}

/**
 * Emits a process warning when it is first called, and does nothing after: a mistake that shows on every
 * request is reported once.
 *
 * @param message - the text, or a function that makes it from the arguments of the call
 */
export function tellOnce<Seen extends unknown[] = []>(
  code: string,
  message: string | ((...seen: Seen) => string),
): (...seen: Seen) => void {
  let emitted = false;
  return (...seen) => {
    if (emitted) return;
    emitted = true;
    emitWarning(code, typeof message === 'string' ? message : message(...seen));
  };
}
