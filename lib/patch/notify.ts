import { callAside, warnOnce } from '../app-callbacks';
import type { PatchedEvent, PatchHandlerOptions } from './options/handler-options';

type Notified<T> = Pick<PatchHandlerOptions<T>, 'onPatched' | 'onPatchedError'>;

/**
 * Tells the app of a change that was made. The change stands, and so does its answer, whatever comes of it. The listener is
 * started before the answer is sent, and not awaited: a slow one must not hold the answer.
 */
export function patchedNotifier<T>(
  { onPatched, onPatchedError: given }: Notified<T>,
  subject: string,
): (event: PatchedEvent<T>) => void {
  if (onPatched === undefined) return () => undefined;
  const onPatchedError =
    given ??
    warnOnce(
      'PATCH_OPTIONS_ON_PATCHED',
      `A write was committed, and onPatched of ${subject}`,
      'give onPatchedError to see each',
    );
  return (event) => {
    callAside(
      () => onPatched(event),
      (error) => onPatchedError(error, event),
    );
  };
}
