/** A response whose content has been read. */
export interface Answer {
  readonly status: number;
  /** The value of a header; null if it is missing, or not exposed to the page. */
  readonly field: (name: string) => string | null;
  /** The content; undefined if the connection broke after the head. */
  readonly text: string | undefined;
  /** Whether an earlier attempt, whose response was lost, can have been carried out. */
  readonly uncertain: boolean;
}
