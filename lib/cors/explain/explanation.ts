import type { Middleware } from '../../http/middleware';
import type { TargetMethods } from '../../routes/allowed-methods';
import type { OriginVerdict } from '../check-origin';
import type { CorsRefusalCode } from '../policy/options';

/** The codes of an `Explanation`: stable, for programs. */
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

/** What a browser would make of a request. */
export interface Explanation {
  /** Whether the page may send it and read the answer. False also where that is for another handler to say. */
  readonly allowed: boolean;
  /** Whether the browser asks first. */
  readonly preflight: boolean;
  /** Stable, for programs. */
  readonly code: ExplanationCode;
  /** The step of Fetch that fails, if any. */
  readonly step: string | undefined;
  /** What is wrong, and what to do. */
  readonly reason: string;
  /** What is worth knowing besides, such as where Chromium does otherwise than Fetch. */
  readonly notes: readonly string[];
  /** The `corsPreflight` whose verdict it is; undefined where none was reached. */
  readonly instance: Middleware | undefined;
  /** What an origin predicate threw or rejected with. */
  readonly error?: unknown;
}

/** What the browser comes to at a step that fails. */
export type Failure = Pick<Explanation, 'code' | 'step' | 'reason' | 'error'>;

/** The request that a page makes, as far as CORS looks at it. */
export interface AskedRequest {
  readonly method: string;
  /** The header fields that CORS does not let pass unasked; undefined: a list past all bounds. */
  readonly headers: readonly string[] | undefined;
  /** `fetch(…, { credentials: 'include' })`. Left out where that is not known, as to a preflight. */
  readonly credentials?: boolean | undefined;
}

/** What whoever else answered a preflight has said. */
export interface ForeignAnswer {
  readonly status: number;
  /** Access-Control-Allow-Methods; undefined: there was none. */
  readonly methods: readonly string[] | undefined;
}

/** What this service finds out about a request. */
export interface CorsFindings {
  readonly preflight: boolean;
  readonly verdict: OriginVerdict;
  /** The target of a preflight, where a route matches it. */
  readonly target?: TargetMethods | undefined;
  /** The app has an OPTIONS handler for the target, and no routes. */
  readonly optionsHandler?: boolean;
  /** The answer of the app, once it is there. */
  readonly answered?: ForeignAnswer;
}
