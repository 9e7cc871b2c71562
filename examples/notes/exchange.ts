/** The header fields of a message that are worth showing, in the order in which they were sent. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** The body of a message. */
export interface Body {
  /** Its text, or the beginning of it unless `isWhole`; left out if it is not text. */
  readonly text?: string;
  /** Its length in bytes. */
  readonly bytes: number;
  readonly isWhole: boolean;
}

/** A request that reached the API, and its response. */
export interface Exchange {
  readonly id: string;
  /** When the request arrived, in milliseconds since the epoch. */
  readonly at: number;
  /** How long the response took, in milliseconds. */
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
  /** What the browser does with the response, if that is known: for a preflight, or a request that needs none. */
  readonly verdict?: Verdict;
}

/** Whether a browser lets a page send a request and read the response, and if not, why. */
export interface Verdict {
  readonly allowed: boolean | undefined;
  readonly code: string;
  /** The step of the Fetch standard that fails. */
  readonly step: string | undefined;
  readonly reason: string;
}
