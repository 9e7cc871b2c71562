import { callAside, warnOnce } from '../config/app-callbacks';
import type { PatchedEvent, PatchHandlerOptions } from './options/handler-options';

type Notified<T> = Pick<PatchHandlerOptions<T>, 'onPatched' | 'onPatchedError'>;

/**
 * Makes the function that calls `onPatched`. Whatever that does, the change and its answer stand. It is
 * called before the answer is sent, but not awaited, so a slow listener does not delay the answer.
 */
export function patchedNotifier<T>(
  { onPatched, onPatchedError }: Notified<T>,
  subject: string,
): (event: PatchedEvent<T>) => void {
  if (onPatched === undefined) return () => undefined;
  const reportError =
    onPatchedError ??
    warnOnce(
      'PATCH_OPTIONS_ON_PATCHED',
      `A write was committed, but onPatched of ${subject}`,
      'set onPatchedError to see all of them',
    );
  return (event) => {
    callAside(
      () => onPatched(event),
      (error) => reportError(error, event),
    );
  };
}
