import { tracingChannel } from 'node:diagnostics_channel';

/**
 * What `tracingChannel('patch-options:patch')` of node:diagnostics_channel tells of a PATCH, PUT or DELETE. It
 * is one object for all events of a request. When it begins, only `method` is known; the rest is at
 * `asyncEnd`.
 */
export interface RequestTrace {
  readonly method: string;
  /** The key of the resource; undefined if the request was refused before it was read. */
  readonly key: string | undefined;
  /**
   * `changed`, `created`, `deleted` or `repeated`, for a repeat that wrote nothing; the code of a refusal;
   * `not-awaited` if the client disconnected, or was answered by other code, before the write. Undefined if
   * anything else was thrown: there is then an `error` event, and the member `error`.
   */
  readonly outcome: string | undefined;
  /** The status of the answer, or of the refusal that was passed on; undefined if the handler had none. */
  readonly status: number | undefined;
  /** How many times the store was asked to write: more than once if other writes came first. */
  readonly attempts: number;
}

/** A trace, as those who handle the request fill it in. */
export type PendingTrace = { -readonly [Member in keyof RequestTrace]: RequestTrace[Member] };

const channel = tracingChannel<unknown, PendingTrace>('patch-options:patch');

/** Carries out a request, and publishes its trace if somebody has subscribed. */
export function traced(trace: PendingTrace, run: () => Promise<void>): Promise<void> {
  return channel.hasSubscribers ? channel.tracePromise(run, trace) : run();
}
