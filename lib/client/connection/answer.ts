/** An answer, with its content read. */
export interface Answer {
  readonly status: number;
  /** A field of its head; null where it has none, or the page may not read it. */
  readonly field: (name: string) => string | null;
  /** Undefined where the connection broke after the head. */
  readonly text: string | undefined;
  /** Whether the request was sent before, and may have been carried out then: its first answer was lost. */
  readonly uncertain: boolean;
}
