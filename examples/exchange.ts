/** The fields of a message that are worth looking at, in the order in which they were sent. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** What a message carried. */
export interface Body {
  /** Its beginning, unless `isWhole`; left out where it is not text. */
  readonly text?: string;
  /** Its length. */
  readonly bytes: number;
  readonly isWhole: boolean;
}

/** A request that reached the API, and its answer. */
export interface Exchange {
  readonly id: string;
  /** When the request came, in milliseconds of the epoch. */
  readonly at: number;
  /** How long the answer took, in milliseconds. */
  readonly took: number;
  readonly preflight: boolean;
  readonly method: string;
  readonly url: string;
  readonly requestFields: Fields;
  readonly requestBody?: Body;
  readonly status: number;
  readonly phrase: string;
  readonly responseFields: Fields;
  readonly responseBody?: Body;
  /** What the browser makes of the answer, where that can be known from a preflight or a request that has none. */
  readonly verdict?: Verdict;
}

/** Whether a browser lets a page send a request and read its answer, and if not, why. */
export interface Verdict {
  readonly allowed: boolean;
  readonly code: string;
  /** The step of the Fetch standard that fails. */
  readonly step: string | undefined;
  readonly reason: string;
}
