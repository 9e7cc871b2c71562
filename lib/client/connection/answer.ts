/** The response to one attempt of a request. */
export interface AnswerOnce {
  readonly status: number;
  /** The value of a header; null if it is missing, or not exposed to the page. */
  readonly field: (name: string) => string | null;
  /** The content; undefined if the connection broke after the head, or if it has no end. */
  readonly text: string | undefined;
}

/** The response to a request. */
export interface Answer extends AnswerOnce {
  /**
   * Whether the server may have carried out the request, although this is not a success: at this attempt, or
   * at an earlier one.
   */
  readonly uncertain: boolean;
}
