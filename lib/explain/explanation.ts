import type { Middleware } from '../http/middleware';
import type { ExplanationCode } from './words/fetch-steps';

/** What a browser makes of a request of a page: the result of `explainCors`. */
export interface Explanation {
  /**
   * Whether the page can send the request and, if it was sent, read the response. With a `code` other than
   * `cors-allowed` it was not sent, so its response is not known. Undefined if the answer is a redirect that the
   * browser follows: `reason` says what to ask next.
   */
  readonly allowed: boolean | undefined;
  /** Whether the browser sends a preflight first. */
  readonly preflight: boolean;
  /** What is allowed, or what fails. It stays the same when `reason` is reworded. */
  readonly code: ExplanationCode;
  /** The step of the Fetch standard that fails; undefined if none does. */
  readonly step: string | undefined;
  /** What fails and how to fix it, as a sentence. */
  readonly reason: string;
  /** Further remarks, such as where Chromium differs from the Fetch standard. */
  readonly notes: readonly string[];
  /**
   * Each request that was sent, with the head of its answer. The values of Authorization, Cookie, Set-Cookie
   * and of queries are replaced by an ellipsis, as are fragments, and names and passwords in URLs.
   */
  readonly requests: readonly string[];
  /**
   * The `corsPreflight` middleware that decided last; undefined if the requests reached none, or one in
   * another process.
   */
  readonly instance: Middleware | undefined;
  /** Why there was no answer, or what an origin function threw or rejected with. */
  readonly error?: unknown;
}
