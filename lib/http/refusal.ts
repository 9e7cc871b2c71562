import type { IncomingMessage } from 'node:http';

/** What `onRefused` is told. */
export interface Refusal {
  /** Stable, for programs: the README lists all. */
  readonly code: string;
  /** Undefined where the request went on to the host's handlers all the same. */
  readonly status: number | undefined;
  readonly detail: string;
  readonly req: IncomingMessage;
  /** What the host's code threw, where that is the cause. */
  readonly error?: unknown;
}
