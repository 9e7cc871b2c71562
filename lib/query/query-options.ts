import type { PatchRefusal } from '../request/exchange';
import type { PatchRequest } from '../request/routed-request';
import type { QueryLimits } from './query-format';

/** What `run` is told beside the query. */
export interface QueryContext {
  readonly req: PatchRequest;
  /** Of the query, in lower case, without parameters. */
  readonly mediaType: string;
  /** Aborted when the client has gone: nobody needs the result any more. */
  readonly signal: AbortSignal;
}

/** Options of `queryHandler`. */
export interface QueryHandlerOptions<Q, R> {
  /** What one QUERY may cost, else 413 (RFC 9110 15.5.14). Default: 1 MiB `bytes`, 100 `depth`. */
  readonly limits?: Partial<QueryLimits>;
  /**
   * The media types in which a result can be had, the preferred one first, each with what makes its content: chosen by Accept
   * (RFC 9110 12.5.1), else 406. Default: `application/json` by JSON.stringify.
   */
  readonly results?: Readonly<Record<string, (result: R) => string | Uint8Array>>;
  /**
   * Where GET gives this result again, for Content-Location (RFC 10008 2.3). Put nothing of the query into it that must not be
   * logged. Default: none.
   */
  readonly contentLocation?: (query: Q, result: R, req: PatchRequest) => string | undefined;
  /** Where GET asks the same query again, for Location (RFC 10008 2.4). Default: none. */
  readonly location?: (query: Q, result: R, req: PatchRequest) => string | undefined;
  /** The Cache-Control of results (RFC 10008 2.7): `'no-cache'`, for instance. Default: none is sent. */
  readonly cacheControl?: string;
  /** Told of every refusal, for metrics. What it throws becomes a process warning, once. Default none. */
  readonly onRefused?: (refusal: PatchRefusal) => unknown;
  /** `'next'` hands refusals to your app's error handler, as a `ProblemError`. Default `'answer'`. */
  readonly errors?: 'answer' | 'next';
}
