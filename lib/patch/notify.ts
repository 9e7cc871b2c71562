import { callAside, warnOnce } from '../app-callbacks';
import type { PatchedEvent, PatchHandlerOptions } from './options/handler-options';

type Notified<T> = Pick<PatchHandlerOptions<T>, 'onPatched' | 'onPatchedError'>;

/**
 * Tells the app of a change that was made. The change stands, and so does its answer, whatever comes of it. The listener is
 * started before the answer is sent, and not awaited: a slow one must not hold the answer.
 */
export function patchedNotifier<T>({
  onPatched,
  onPatchedError = warnOnce(
    'PATCH_OPTIONS_ON_PATCHED',
    'A PATCH was committed, and onPatched of patchHandler()',
    'give onPatchedError to see each',
  ),
}: Notified<T>): (event: PatchedEvent<T>) => void {
  if (onPatched === undefined) return () => undefined;
  return (event) => {
    callAside(
      () => onPatched(event),
      (error) => onPatchedError(error, event),
    );
  };
}
