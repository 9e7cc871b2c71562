import type { PatchedEvent, PatchHandlerOptions, PatchRefusal } from './patch-handler-options';

type Notified<T> = Pick<PatchHandlerOptions<T>, 'onPatched' | 'onPatchedError' | 'onRefused'>;

/** Tells the host of a change that was made. The change stands, and so does its answer, whatever comes of it. */
export function patchedNotifier<T>({
  onPatched,
  onPatchedError = warnOnce(),
}: Notified<T>): (event: PatchedEvent<T>) => void {
  if (onPatched === undefined) return () => undefined;
  return (event) => {
    // Started before the answer is sent, and not awaited: a slow listener must not hold the answer.
    void (async () => {
      try {
        await onPatched(event);
      } catch (error) {
        onPatchedError(error, event);
      }
    })();
  };
}

/** Tells the host of a refusal. A fault in metrics is no reason to answer otherwise. */
export function refusedNotifier<T>({ onRefused }: Notified<T>): (refusal: PatchRefusal) => void {
  return (refusal) => {
    try {
      onRefused?.(refusal);
    } catch {
      // The refusal is answered all the same.
    }
  };
}

function warnOnce(): (error: unknown) => void {
  let warned = false;
  return (error) => {
    if (warned) return;
    warned = true;
    const reason = error instanceof Error ? error.message : String(error);
    process.emitWarning(
      `onPatched failed after a PATCH was committed: ${reason}. The change stands. Further failures of this handler ` +
        'are not reported: give onPatchedError to see each.',
      { code: 'PATCH_OPTIONS_ON_PATCHED' },
    );
  };
}
