import type { IncomingMessage } from 'node:http';
import { callAside, warnOnce } from '../app-callbacks';

/** What `onRefused` is told. */
export interface Refusal {
  /** Stable, for programs: the README lists all. */
  readonly code: string;
  /** Undefined where the request went on to the app's handlers all the same. */
  readonly status: number | undefined;
  readonly detail: string;
  readonly req: IncomingMessage;
  /** What the app's code threw, where that is the cause. */
  readonly error?: unknown;
}

/**
 * Tells `onRefused` of refusals. The first time that it fails becomes a process warning.
 *
 * @param subject - whose option it is, as in `corsPreflight()`
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
