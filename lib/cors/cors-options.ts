import type { IncomingMessage } from 'node:http';
import type { Middleware } from '../http/middleware';
import type { Refusal } from '../http/refusal';
import type { TargetOptions } from '../routes/allowed-methods';

/**
 * Decides on one origin. It is asked only where the request has an Origin, and only one that a browser could have
 * sent; never about `null`. What it throws or rejects with refuses the origin and is reported to `onRefused`.
 *
 * On the request of an actual call the host's handlers wait for it.
 */
export type OriginPredicate = (origin: string, req: IncomingMessage) => boolean | Promise<boolean>;

/**
 * - `'https://app.example'`: this origin, byte for byte as browsers send it
 * - `'https://*.example.com'`: its sub-domains, one or more labels deep, and not `https://example.com` itself
 * - `'http://localhost:*'`: this host on any port, the default one included
 * - `'null'`: pages without an origin, such as sandboxed frames; nothing else allows it
 * - a RegExp, anchored at both ends, without the flags g, y and m
 * - a predicate, sync or async
 */
export type OriginRule = string | RegExp | OriginPredicate;

/** Why an origin was refused. */
export type CorsRefusalCode =
  | 'cors-origin-repeated'
  | 'cors-origin-too-long'
  | 'cors-origin-malformed'
  | 'cors-origin-not-allowed'
  | 'cors-predicate-failed';

/** An origin that was refused: a preflight with 403, an actual request by leaving the CORS headers out. */
export interface CorsRefusal extends Refusal {
  readonly code: CorsRefusalCode;
  /** 403 for a preflight; undefined for an actual request, which is never blocked. */
  readonly status: 403 | undefined;
  /** As the request had it. It is a stranger's: keep it out of a metric's labels. */
  readonly origin: string;
  /** The middleware that refused, the very function that `corsPreflight` returned. */
  readonly instance: Middleware;
}

/** Options of `corsPreflight`. Lists are arrays or comma-separated strings, as in npm `cors`. */
export interface CorsOptions extends TargetOptions {
  /**
   * Whose pages may read the answers (Fetch, CORS check): one rule, or a list of them, of which any may allow.
   * Default `'*'`.
   */
  readonly origin?: OriginRule | readonly OriginRule[];
  /**
   * May the browser send cookies and HTTP authentication (Fetch, CORS protocol and credentials)? Not with the origin
   * `'*'`. Default false.
   */
  readonly credentials?: boolean;
  /**
   * The request header fields that pages may send (Fetch, Access-Control-Allow-Headers). `'*'`, without credentials, is
   * every one but Authorization.
   * Default Content-Type, If-Match, If-None-Match, If-Unmodified-Since, Prefer, Idempotency-Key, Authorization.
   */
  readonly allowedHeaders?: string | readonly string[];
  /**
   * The response header fields that pages may read, beside those that Fetch lets them read anyway.
   * Default ETag, Accept-Patch, Allow, Content-Location, Location, Preference-Applied, Retry-After.
   */
  readonly exposedHeaders?: string | readonly string[];
  /**
   * For how many seconds browsers may keep the answer to a preflight (Fetch, Access-Control-Max-Age): a whole number
   * up to 86,400. Default 600.
   */
  readonly maxAge?: number;
  /**
   * Narrows the methods that are computed from the routes (Fetch, Access-Control-Allow-Methods); it can add none. Left
   * out, they are all allowed.
   */
  readonly methods?: string | readonly string[];
  /** The request header fields, beside Origin, that an origin predicate reads: they are named in Vary. Default none. */
  readonly vary?: string | readonly string[];
  /**
   * Told of every origin that was refused, after the answer; for metrics. What it throws becomes a process warning.
   * Default: nobody is told.
   */
  readonly onRefused?: (refusal: CorsRefusal) => void | Promise<void>;
  /**
   * Dangerous: lets `http:` origins outside localhost (Secure Contexts 3.1) have credentials. Whoever is on the
   * network of a user can write such a page, and so act as that user. Only strings are judged: which origins a RegExp
   * or a function admits cannot be known at start. Default false.
   */
  readonly dangerouslyAllowInsecureOrigins?: boolean;
  /** Dangerous: lets patterns like `https://*.com` name the domains of strangers. Default false. */
  readonly dangerouslyAllowPublicSuffixes?: boolean;
  /**
   * Dangerous: lets `'*'` and `'null'` go with credentials, by sending back whichever origin asks. Every page that a
   * user opens can then act as that user (Fetch, CORS protocol and credentials). Default false.
   */
  readonly dangerouslyAllowAnyOriginWithCredentials?: boolean;
}

/** The options that are true or false. */
const dangers = [
  'dangerouslyAllowInsecureOrigins',
  'dangerouslyAllowPublicSuffixes',
  'dangerouslyAllowAnyOriginWithCredentials',
] as const;
export const corsFlags = ['credentials', ...dangers] as const;
export const corsOptionNames: readonly (keyof CorsOptions)[] = [
  'origin',
  'credentials',
  'allowedHeaders',
  'exposedHeaders',
  'maxAge',
  'methods',
  'vary',
  'onRefused',
  'root',
  ...dangers,
];
