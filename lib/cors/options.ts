import type { IncomingMessage } from 'node:http';
import type { Middleware } from '../http/middleware';
import type { Refusal } from '../http/refusal';
import type { TargetOptions } from '../routes/target-methods';

/**
 * Decides whether an origin is allowed; only `true` allows it. It gets well-formed origins, never `null`, and
 * the request waits for its result. If it throws or rejects, the origin is refused, and `onRefused` gets the
 * error.
 */
export type OriginPredicate = (origin: string, req: IncomingMessage) => boolean | Promise<boolean>;

/**
 * A rule of the option `origin` of `corsPreflight`:
 *
 * - `'*'`, alone and without credentials: any origin
 * - `'https://app.example'`: this origin, byte for byte as browsers send it
 * - `'https://*.example.com'`: all its subdomains at any depth, but not `https://example.com` itself
 * - `'http://localhost:*'`: any port, including the default port
 * - `'null'`: pages without an origin, such as sandboxed frames; functions are not called for these
 * - a function of the origin and the request, which returns a boolean or a promise of one
 */
export type OriginRule = string | OriginPredicate;

/** Why `corsPreflight` refused an origin or a preflight. The codes are stable. */
export type CorsRefusalCode =
  /** The request has more than one Origin. */
  | 'cors-origin-repeated'
  /** The Origin has more than 1,024 characters. */
  | 'cors-origin-too-long'
  /** The Origin is not one that a browser sends. */
  | 'cors-origin-malformed'
  /** No rule of `origin` allows it. `explainCors` and `DEBUG` name an allowed origin that is almost the same. */
  | 'cors-origin-not-allowed'
  /** A function in `origin` threw or rejected, with `error`. */
  | 'cors-predicate-failed'
  /** A function in `origin` did not settle within five seconds. */
  | 'cors-predicate-timed-out'
  /** The preflight lists more than 128 header names, or 4 KB of them. */
  | 'cors-headers-too-many'
  /** The preflight lists something that is not a header name. */
  | 'cors-headers-malformed';

/**
 * The argument of `onRefused` of `corsPreflight`: a refused origin, or a preflight that was refused for its
 * header names.
 */
export interface CorsRefusal extends Refusal {
  /** The reason. It stays the same when `detail` is reworded. */
  readonly code: CorsRefusalCode;
  /** 403 for a preflight; undefined for other requests, which are never blocked. */
  readonly status: 403 | undefined;
  /**
   * The value of the Origin header. Clients can send anything there: do not use it as a label of a metric.
   */
  readonly origin: string;
  /** The `corsPreflight` middleware that refused. */
  readonly instance: Middleware;
}

/** A list of headers that replaces the default one. */
export interface OnlyThese {
  readonly only: string | readonly string[];
}

/** Options of `corsPreflight`. Lists of names can be arrays or comma-separated strings. */
export interface CorsOptions extends TargetOptions {
  /**
   * The origins whose pages can read the responses (Fetch, CORS check): a rule, or a list of rules, any of
   * which can allow an origin. Default `'*'`.
   */
  readonly origin?: OriginRule | readonly OriginRule[];
  /**
   * Whether pages can send cookies and HTTP authentication (Fetch, CORS protocol and credentials). Not
   * allowed with the origin `'*'`. From pages of another site, browsers send only cookies with
   * `SameSite=None; Secure`, and many browsers also require `Partitioned`. Default false.
   */
  readonly credentials?: boolean;
  /**
   * The headers that pages can send (Fetch, Access-Control-Allow-Headers), in addition to Content-Type,
   * If-Match, If-None-Match, If-Unmodified-Since, Prefer, Idempotency-Key and Authorization, without which
   * they cannot PATCH. `{ only: […] }` replaces these defaults. So do `'*'`, which without credentials allows
   * every header but Authorization, and `'requested'`, which allows the headers that the preflight asks for,
   * up to 128 names and 4 KB. Default: none are added.
   */
  readonly allowedHeaders?: string | readonly string[] | OnlyThese;
  /**
   * The headers that pages can read (Fetch, Access-Control-Expose-Headers), in addition to the
   * CORS-safelisted ones and to ETag, Accept-Patch, Allow, Content-Location, Location, Preference-Applied and
   * Retry-After. `{ only: […] }` replaces these defaults, and so does `'*'`, without credentials. Default:
   * none are added.
   */
  readonly exposedHeaders?: string | readonly string[] | OnlyThese;
  /**
   * How many seconds browsers can cache a preflight (Fetch, Access-Control-Max-Age), up to 86,400.
   * Default 600.
   */
  readonly maxAge?: number;
  /**
   * Restricts the methods of the routes to these (Fetch, Access-Control-Allow-Methods). It adds no methods.
   * Default: all methods of the routes.
   */
  readonly methods?: string | readonly string[];
  /**
   * The methods that preflights get for paths without a visible route (Fetch, Access-Control-Allow-Methods).
   * Default: these preflights go on to your app, and the methods are those in the `Allow` header of its
   * answer.
   */
  readonly fallbackMethods?: string | readonly string[];
  /**
   * Called after a preflight has been refused, and for other requests from refused origins. The first error
   * that it throws becomes a process warning. Default none.
   */
  readonly onRefused?: (refusal: CorsRefusal) => void | Promise<void>;
  /**
   * Dangerous: allows `'*'` and `'null'` with credentials (Fetch, CORS protocol and credentials). Every page
   * that a user opens can then act as that user. Default false.
   */
  readonly dangerouslyAllowAnyOriginWithCredentials?: boolean;
}
