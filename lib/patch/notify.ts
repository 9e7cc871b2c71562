import { thrownText } from '../http/thrown-text';
import type { PatchedEvent, PatchHandlerOptions, PatchRefusal } from './options/handler-options';

type Notified<T> = Pick<PatchHandlerOptions<T>, 'onPatched' | 'onPatchedError' | 'onRefused'>;

/** Tells the host of a change that was made. The change stands, and so does its answer, whatever comes of it. */
export function patchedNotifier<T>({
  onPatched,
  onPatchedError = warnOnce(),
}: Notified<T>): (event: PatchedEvent<T>) => void {
  if (onPatched === undefined) return () => undefined;
  // Started before the answer is sent, and not awaited: a slow listener must not hold the answer.
  return (event) => {
    attempt(() => onPatched(event))
      .catch((error: unknown) => onPatchedError(error, event))
      .catch(() => undefined);
  };
}

/** Tells the host of a refusal. A fault in metrics is no reason to answer otherwise. */
export function refusedNotifier<T>({ onRefused }: Notified<T>): (refusal: PatchRefusal) => void {
  return (refusal) => {
    attempt(() => onRefused?.(refusal)).catch(() => undefined);
  };
}

/** Calls a function of the host's now; what it throws or rejects with comes as a rejection. */
async function attempt(call: () => unknown): Promise<void> {
  await call();
}

function warnOnce(): (error: unknown) => void {
  let warned = false;
  return (error) => {
    if (warned) return;
    warned = true;
    process.emitWarning(
      `onPatched failed after a PATCH was committed: ${thrownText(error)}. Further failures of this handler ` +
        'are not reported: give onPatchedError to see each.',
      { code: 'PATCH_OPTIONS_ON_PATCHED' },
    );
  };
}
