import { validateHeaderName, validateHeaderValue } from 'node:http';
import { inspect } from 'node:util';

/** What was thrown, for a person to read. Anything can be thrown, even what cannot be made a string. */
export function thrownText(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return 'something that has no text';
  }
}

/** A value in a line of a message. Any value can be given, even one that throws when it is inspected. */
export function shownText(value: unknown): string {
  try {
    const text = inspect(value, { depth: 1, breakLength: Infinity, maxArrayLength: 5, maxStringLength: 100 });
    return text.length > 200 ? `${text.slice(0, 200)}…` : text;
  } catch {
    return 'something that cannot be shown';
  }
}

/**
 * What was thrown, as an error for `next`. Express goes on where that is falsy, and skips routes where it is `'route'` or
 * `'router'`; of all else it reads members and logs it, on a turn of its own where nothing would catch what they throw.
 */
export function errorToHandOn(thrown: unknown): unknown {
  const isSignal = !thrown || thrown === 'route' || thrown === 'router';
  if (!isSignal && canBeHandled(thrown)) return thrown;
  const [text = ''] = shownText(thrown).split('\n', 1);
  const message = `Your app threw ${text}, which next() cannot hand on. Throw an Error.`;
  const error = new Error(message, { cause: thrown });
  return canBeHandled(error) ? error : new Error(message);
}

/** Whether the final handler of Express gets through with it: what that reads, sends and logs. */
function canBeHandled(thrown: unknown): boolean {
  try {
    const { status, statusCode, headers, stack } = Object(thrown) as Readonly<Record<string, unknown>>;
    if (status !== undefined || statusCode !== undefined) {
      for (const [name, value] of Object.entries(headers ?? {})) {
        validateHeaderName(name);
        validateHeaderValue(name, value as string);
      }
    }
    inspect(thrown);
    return (stack || textOf(thrown)) !== undefined;
  } catch {
    return false;
  }
}

/** Not `String()`, which asks another method first. */
function textOf(thrown: unknown): unknown {
  return (thrown as { toString(): unknown }).toString();
}

/** Whether `await` would wait for a value, and call its `then`. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    'then' in value &&
    typeof value.then === 'function'
  );
}

/**
 * What a function has given that is not to give a promise. Where it gives one all the same, as an `async` one does, nobody
 * awaits it, and its rejection must not end the process.
 */
export function notAwaited<R>(given: R): R {
  if (given instanceof Promise) given.catch(() => undefined);
  return given;
}

/**
 * Calls a function of the app's at once, without waiting for what it returns: metrics are no reason for a request to fail or
 * to wait, nor for the process to end.
 *
 * @param onError - given what the function throws or rejects with; what it throws itself is dropped
 */
export function callAside(call: () => unknown, onError: (error: unknown) => unknown): void {
  settled(call)
    .catch(onError)
    .catch(() => undefined);
}

/** What is thrown at once comes as a rejection, too. */
async function settled(call: () => unknown): Promise<void> {
  await call();
}

/**
 * Makes a process warning of the first error and drops all others, so that a fault of every request does not flood the log.
 *
 * @param what - the subject of the sentence, as in `onRefused of corsPreflight()`
 * @param remedy - how to see each of them
 */
export function warnOnce(code: string, what: string, remedy?: string): (error: unknown) => void {
  let warned = false;
  return (error) => {
    if (warned) return;
    warned = true;
    const rest = remedy === undefined ? '' : `: ${remedy}`;
    const message = `${what} failed: ${thrownText(error)}. Further failures are not reported${rest}.`;
    process.emitWarning(message, { code });
  };
}

/**
 * Makes a process warning when it is first called, and nothing after: a mistake that each request shows is told once.
 *
 * @param message - or what makes it of what was seen
 */
export function tellOnce<Seen extends unknown[] = []>(
  code: string,
  message: string | ((...seen: Seen) => string),
): (...seen: Seen) => void {
  let told = false;
  return (...seen) => {
    if (told) return;
    told = true;
    process.emitWarning(typeof message === 'string' ? message : message(...seen), { code });
  };
}
