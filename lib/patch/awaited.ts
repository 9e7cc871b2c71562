import type { ServerResponse } from 'node:http';

/** The reason of a request's abort signal: nobody awaits the answer any more. */
export class NotAwaited extends Error {
  readonly code = 'NOT_AWAITED';
}

/** Aborted when the connection ends before the answer, or has ended already: then nobody wants the change. */
export function clientSignal(res: ServerResponse): AbortSignal {
  if (res.closed || res.destroyed) return AbortSignal.abort(new NotAwaited('The client had gone.'));
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort(new NotAwaited('The client went away.'));
  });
  return controller.signal;
}

/**
 * The last look before the write. A host may have answered meanwhile, as time limits do: the client then has been told
 * that it failed.
 *
 * @throws NotAwaited
 */
export function assertAwaited(res: ServerResponse, signal: AbortSignal): void {
  signal.throwIfAborted();
  if (res.headersSent) throw new NotAwaited('The request was answered by another middleware.');
}
