import type { Middleware } from '../http/middleware';
import type { TargetMethods } from '../routes/allowed-methods';
import type { OriginDecision } from '../cors/origin/check-origin';
import type { CorsRefusalCode } from '../cors/policy/options';

/** The code of an `Explanation`: `cors-allowed`, or what fails. The codes are stable. */
export type ExplanationCode =
  | 'cors-allowed'
  | 'cors-method-forbidden'
  | 'cors-credentials-not-allowed'
  | 'cors-no-route'
  | 'cors-method-not-allowed'
  | 'cors-header-not-allowed'
  | 'cors-preflight-elsewhere'
  | 'cors-mounted-late'
  | 'cors-not-mounted'
  | CorsRefusalCode;

/** What a browser would do with a request of a page: the result of `corsPreflight().explain()`. */
export interface Explanation {
  /**
   * Whether the page can send the request and read the response. Also false if that depends on another
   * handler.
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

/** A step that fails. */
export type Failure = Pick<Explanation, 'code' | 'step' | 'reason' | 'error'>;

/** The parts of a page's request that matter for CORS. */
export interface AskedRequest {
  readonly method: string;
  /**
   * The headers that are not CORS-safelisted; undefined if the list exceeds the limits of `parseFieldList`.
   */
  readonly headers: readonly string[] | undefined;
  /**
   * Whether the page uses `fetch(…, { credentials: 'include' })`; undefined if that is unknown, as for a
   * preflight.
   */
  readonly credentials?: boolean | undefined;
}

/** The answer of another handler to a preflight. */
export interface ForeignAnswer {
  readonly status: number;
  /** The methods in Access-Control-Allow-Methods; undefined if the answer has no such header. */
  readonly methods: readonly string[] | undefined;
}

/** What the server finds out about a request. */
export interface CorsFindings {
  readonly preflight: boolean;
  readonly decision: OriginDecision;
  /** The target of a preflight, if a route matches it. */
  readonly target?: TargetMethods | undefined;
  /** Whether the app has only an OPTIONS handler for the target, and no routes. */
  readonly optionsHandler?: boolean;
  /** The app's answer to a preflight, if it has been sent. */
  readonly answered?: ForeignAnswer;
}
