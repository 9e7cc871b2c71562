import type { IncomingMessage } from 'node:http';
import { warnOnce } from '../config/process-warning';
import { callAside } from '../config/unawaited';

/** A refused request, as an `onRefused` option gets it. */
export interface Refusal {
  /** The reason. It stays the same when `detail` is reworded; docs/errors.md lists all codes. */
  readonly code: string;
  /** The status of the answer; undefined if the request went on to your app's handlers. */
  readonly status: number | undefined;
  /** The reason and what to do, for people. */
  readonly detail: string;
  /** The request that was refused. */
  readonly req: IncomingMessage;
  /** What your app's code threw, if that is the reason. */
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
  const warn = warnOnce('PATCH_OPTIONS_ON_REFUSED', `onRefused of ${subject}`);
  return (refusal) => {
    callAside(() => onRefused(refusal), warn);
  };
}
