import type { PatchRefusal } from '../request/exchange';
import type { PatchRequest } from '../http/routed-request';
import type { QueryLimits } from './query-format';

/** What `run` of `queryHandler` receives in addition to the query. */
export interface QueryContext {
  /** The QUERY request. */
  readonly req: PatchRequest;
  /** The media type of the query, in lower case, without parameters. */
  readonly mediaType: string;
  /** Aborted when the client disconnects, so that the result is no longer needed. */
  readonly signal: AbortSignal;
}

/** Options of `queryHandler`. */
export interface QueryHandlerOptions<Q, R> {
  /**
   * Limits on a QUERY request. One that exceeds them is answered 413 (RFC 9110 15.5.14). Default: 1 MiB
   * `bytes`, 100 `depth`.
   */
  readonly limits?: Partial<QueryLimits>;
  /**
   * The media types of results, the preferred one first, each with a function that makes the content. Accept
   * selects one (RFC 9110 12.5.1); if it allows none, the answer is 406. Default: `application/json` by
   * JSON.stringify.
   */
  readonly results?: Readonly<Record<string, (result: R) => string | Uint8Array>>;
  /**
   * Returns the path at which GET returns this result again, for Content-Location (RFC 10008 2.3). The path
   * can appear in logs: leave confidential parts of the query out. Default: none is sent.
   */
  readonly contentLocation?: (query: Q, result: R, req: PatchRequest) => string | undefined;
  /**
   * Returns the path at which GET runs the same query again, for Location (RFC 10008 2.4). Default: none is
   * sent.
   */
  readonly location?: (query: Q, result: R, req: PatchRequest) => string | undefined;
  /** The Cache-Control header of results (RFC 10008 2.7), such as `'no-cache'`. Default: none is sent. */
  readonly cacheControl?: string;
  /**
   * Called for every refused request, for instance to count them. If it throws or rejects, a process warning
   * is emitted, once. Default none.
   */
  readonly onRefused?: (refusal: PatchRefusal) => unknown;
  /** `'next'` passes refusals to your app's error handler, as a `ProblemError`. Default `'answer'`. */
  readonly errors?: 'answer' | 'next';
}
