import type { IncomingMessage } from 'node:http';
import type { Middleware } from '../../http/middleware';
import type { Refusal } from '../../http/refusal';
import type { TargetOptions } from '../../routes/allowed-methods';

/**
 * Asked of an Origin that a browser could have sent, never of `null`, while the host's handlers wait. What it throws
 * or rejects with refuses the origin, and goes to `onRefused`.
 */
export type OriginPredicate = (origin: string, req: IncomingMessage) => boolean | Promise<boolean>;

/**
 * - `'https://app.example'`, byte for byte as browsers send it
 * - `'https://*.example.com'`, its sub-domains, however deep, without itself
 * - `'http://localhost:*'`, any port, the default too
 * - `'null'`, pages without an origin, which nothing else allows
 * - a RegExp, anchored at both ends, without the flags g, y and m
 */
export type OriginRule = string | RegExp | OriginPredicate;

/** Why an origin or a preflight was refused: stable, for programs. */
export type CorsRefusalCode =
  | 'cors-origin-repeated'
  | 'cors-origin-too-long'
  | 'cors-origin-malformed'
  | 'cors-origin-not-allowed'
  | 'cors-predicate-failed'
  | 'cors-predicate-timed-out'
  | 'cors-headers-too-many'
  | 'cors-headers-malformed';

/** An origin that was refused, or a preflight from one that is allowed. */
export interface CorsRefusal extends Refusal {
  readonly code: CorsRefusalCode;
  /** 403 to a preflight; an actual request is never blocked. */
  readonly status: 403 | undefined;
  /** A stranger's: keep it out of a metric's labels. */
  readonly origin: string;
  /** What `corsPreflight` returned. */
  readonly instance: Middleware;
}

/** Options of `corsPreflight`. Lists of names are arrays or comma-separated strings. */
export interface CorsOptions extends TargetOptions {
  /**
   * Whose pages may read the answers (Fetch, CORS check): one rule, or a list of which any may allow. Default `'*'`.
   */
  readonly origin?: OriginRule | readonly OriginRule[];
  /**
   * Whether pages may send cookies and HTTP authentication (Fetch, CORS protocol and credentials). Not with the origin
   * `'*'`. Default false.
   */
  readonly credentials?: boolean;
  /**
   * Header fields that pages may send (Fetch, Access-Control-Allow-Headers); `'*'`, without credentials, all but
   * Authorization; `'requested'`, those that the preflight asks for, up to 128 names and 4 KB. Default Content-Type, If-Match, If-None-Match, If-Unmodified-Since, Prefer, Idempotency-Key,
   * Authorization.
   */
  readonly allowedHeaders?: string | readonly string[];
  /**
   * Header fields that pages may read (Fetch, Access-Control-Expose-Headers), beside those that they always may.
   * Default ETag, Accept-Patch, Accept-Query, Allow, Content-Location, Location, Preference-Applied, Retry-After.
   */
  readonly exposedHeaders?: string | readonly string[];
  /** For how many seconds browsers may keep a preflight (Fetch, Access-Control-Max-Age), up to 86,400. Default 600. */
  readonly maxAge?: number;
  /** Narrows the methods of the routes (Fetch, Access-Control-Allow-Methods); adds none. Default: all. */
  readonly methods?: string | readonly string[];
  /**
   * Answers preflights for paths whose routes cannot be seen, with these methods (Fetch, Access-Control-Allow-Methods).
   * Default: they go on to the app, and the `Allow` of whoever answers counts.
   */
  readonly unseen?: string | readonly string[];
  /** Header fields that an origin predicate reads beside Origin, for Vary. Default none. */
  readonly vary?: string | readonly string[];
  /**
   * Milliseconds within which an origin predicate has to settle: after them the origin is refused, and what it says later is
   * ignored. Default 5,000.
   */
  readonly originTimeout?: number;
  /**
   * Told of refused preflights, after the answer, and of other requests from refused origins. What it throws becomes
   * a process warning, once. Default none.
   */
  readonly onRefused?: (refusal: CorsRefusal) => void | Promise<void>;
  /**
   * Dangerous: lets `http:` origins outside localhost (Secure Contexts 3.1) have credentials. Whoever is on a user's
   * network can act as that user. Only strings are judged. Default false.
   */
  readonly dangerouslyAllowInsecureOrigins?: boolean;
  /**
   * Dangerous: lets patterns on public suffixes, like `https://*.co.uk` and `https://*.github.io`, name the domains of
   * strangers. Default false.
   */
  readonly dangerouslyAllowPublicSuffixes?: boolean;
  /**
   * Dangerous: lets `'*'` and `'null'` go with credentials (Fetch, CORS protocol and credentials). Every page that a
   * user opens can act as that user. Default false.
   */
  readonly dangerouslyAllowAnyOriginWithCredentials?: boolean;
}

const dangers = [
  'dangerouslyAllowInsecureOrigins',
  'dangerouslyAllowPublicSuffixes',
  'dangerouslyAllowAnyOriginWithCredentials',
] as const;

/** The options that are true or false. */
export const corsFlags = ['credentials', ...dangers] as const;

export const corsOptionNames: readonly (keyof CorsOptions)[] = [
  'origin',
  'credentials',
  'allowedHeaders',
  'exposedHeaders',
  'maxAge',
  'methods',
  'unseen',
  'vary',
  'originTimeout',
  'onRefused',
  'root',
  ...dangers,
];
