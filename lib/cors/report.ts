import { tracingChannel } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { debugLog } from '../http/debug-log';
import type { Middleware } from '../http/middleware';
import type { TargetMethods } from '../routes/method-set';
import type { CorsRefusalCode } from './options';
import type { OriginDecision } from './origin';
import type { CorsPolicy } from './policy';

/** A decision of `corsPreflight` on a request. */
export interface CorsReport {
  readonly instance: Middleware;
  readonly preflight: boolean;
  readonly policy: CorsPolicy;
  readonly decision: OriginDecision;
  /** The methods of a preflight's target, if a route matches it. */
  readonly methods: TargetMethods | undefined;
  /**
   * If the route for the requested method comes before the middleware: the CORS headers that middleware in
   * front of both has set, and that its response will have. Names are in lower case.
   */
  readonly headersInFront: Readonly<Record<string, string | undefined>> | undefined;
  /** Whether only routes that match every path match the target of a preflight. */
  readonly onlyWildcards: boolean;
}

/** A symbol of the global registry, so that two copies of this library understand each other. */
const listenerKey = Symbol.for('patch-options:explain');

/** Makes the first `corsPreflight` that receives the request call `listener`, within this process only. */
export function listenToReport(req: IncomingMessage, listener: (report: CorsReport) => void): void {
  Object.defineProperty(req, listenerKey, { value: listener });
}

/** The listener that was passed to `listenToReport`. */
export function readReportListener(req: IncomingMessage): ((report: CorsReport) => void) | undefined {
  return (req as { readonly [listenerKey]?: (report: CorsReport) => void })[listenerKey];
}

/** The log of decisions, in DEBUG `patch-options:cors`. */
export const corsLog = debugLog('cors');

// The same type for both: @types/node 26 has the two parameters in another order.
export const preflightChannel = tracingChannel<PreflightDecision, PreflightDecision>(
  'patch-options:preflight',
);

/**
 * The message of `tracingChannel('patch-options:preflight')` of node:diagnostics_channel for each preflight,
 * at `start` and `end`. It does not measure time: a decision takes too little.
 */
export interface PreflightDecision {
  /** The origin as the client sent it, of any length and with any characters. */
  readonly origin: string;
  /** `allowed`, or the code of the refusal. */
  readonly outcome: 'allowed' | CorsRefusalCode;
  /** 200 or 403; undefined if no route is visible, so that the app answers. */
  readonly status: 200 | 403 | undefined;
}
