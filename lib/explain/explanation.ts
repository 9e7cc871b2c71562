import type { ExplanationCode } from '../cors/fetch-steps';
import type { Middleware } from '../http/middleware';

/** What a browser would do with a request of a page: the result of `explainCors`. */
export interface Explanation {
  /**
   * Whether the page can send the request and read the response, as far as no function in `notes` decides
   * otherwise. Also false if another handler answers the preflight.
   */
  readonly allowed: boolean;
  /** Whether the browser sends a preflight first. */
  readonly preflight: boolean;
  /** `cors-allowed`, or the code of what fails. It stays the same when `reason` is reworded. */
  readonly code: ExplanationCode;
  /** The step of the Fetch standard that fails; undefined if none does. */
  readonly step: string | undefined;
  /** What fails and how to fix it, as a sentence. */
  readonly reason: string;
  /** Further remarks, such as where Chromium differs from the Fetch standard. */
  readonly notes: readonly string[];
  /** The `corsPreflight` middleware whose policy was applied; undefined if the request reaches none. */
  readonly instance: Middleware | undefined;
  /** What an origin function threw or rejected with. */
  readonly error?: unknown;
}
