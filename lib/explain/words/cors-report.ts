import type { IncomingMessage } from 'node:http';
import type { Middleware } from '../../http/middleware';

/** Why `corsPreflight` refused an origin or a preflight. The codes are stable. */
export type CorsRefusalCode =
  | 'cors-origin-repeated'
  | 'cors-origin-too-long'
  | 'cors-origin-malformed'
  | 'cors-origin-not-allowed'
  | 'cors-predicate-failed'
  | 'cors-predicate-timed-out'
  | 'cors-headers-too-many'
  | 'cors-headers-malformed';

/** What `corsPreflight` decided on a request, as data: the words for it are loaded only if it is told. */
export interface CorsReport {
  readonly instance: Middleware;
  readonly preflight: boolean;
  readonly policy: ReportedPolicy;
  readonly decision: ReportedDecision;
  /** The methods of a preflight's target, if a route matches it. */
  readonly target: { readonly methods: readonly string[]; readonly allVerbs: boolean } | undefined;
  /** Whether the route for the requested method comes first, so that its response has no CORS headers. */
  readonly behindRoutes: boolean;
  /** Whether no route matches the target of a preflight but those that match every path. */
  readonly onlyWildcards: boolean;
}

interface ReportedPolicy {
  /** The function that the app called, such as `patchOptions()`. */
  readonly subject: string;
  readonly originRules: { readonly texts: readonly string[] };
  readonly credentials: boolean;
  readonly allowedHeaders: WrittenHeaders | 'requested';
  readonly methods: readonly string[] | undefined;
  readonly unseen: readonly string[] | undefined;
}

/** The option `allowedHeaders`: what the app wrote, and what became of it. */
export interface WrittenHeaders {
  readonly all: readonly string[];
  readonly written: readonly string[];
  /** Whether the defaults are replaced by what is written. */
  readonly isOnly: boolean;
}

interface ReportedDecision {
  /** Undefined if the origin is allowed, or if the request has none. */
  readonly code: CorsRefusalCode | undefined;
  /** The Access-Control-Allow-Origin of the policy; undefined if it has none. */
  readonly allowOrigin: string | undefined;
  readonly origin?: string;
  /** What an origin function threw or rejected with; empty if it did neither. */
  readonly thrown?: readonly [error?: unknown];
}

/** A symbol of all realms, so that two copies of this library understand each other. */
const listenerKey = Symbol.for('patch-options:explain');

/** Makes the first `corsPreflight` that gets a request call `listener`: within the process only. */
export function listenToReport(req: IncomingMessage, listener: (report: CorsReport) => void): void {
  Object.defineProperty(req, listenerKey, { value: listener });
}

/** What `listenToReport` was called with. */
export function readReportListener(req: IncomingMessage): ((report: CorsReport) => void) | undefined {
  return (req as { readonly [listenerKey]?: (report: CorsReport) => void })[listenerKey];
}
