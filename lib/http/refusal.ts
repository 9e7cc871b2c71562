import type { IncomingMessage } from 'node:http';

/** What `onRefused` is told, whichever middleware refused: enough for a metric's labels and for a log line. */
export interface Refusal {
  /** Stable, for programs: the README's catalogue lists every code. */
  readonly code: string;
  /** The status that was answered; undefined where the request went on to the host's handlers all the same. */
  readonly status: number | undefined;
  /** One sentence for the person who reads the log. */
  readonly detail: string;
  readonly req: IncomingMessage;
  /** What was thrown, where the refusal follows from a fault in the host's own code. */
  readonly error?: unknown;
}
