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
   * If the route for the requested method comes first: the CORS headers that its response will have, because middleware
   * in front of both has set them, with names in lower case.
   */
  readonly headersInFront: Readonly<Record<string, string | undefined>> | undefined;
  /** Whether no route matches the target of a preflight but those that match every path. */
  readonly onlyWildcards: boolean;
}

/** A symbol of all realms, so that two copies of this library understand each other. */
const listenerKey = Symbol.for('patch-options:explain');

/** Makes the first `corsPreflight` that gets a request call `listener`: within the process only. */
export function listenToReport(req: IncomingMessage, listener: (report: CorsReport) => void): void {
  Object.defineProperty(req, listenerKey, { value: listener });
}

/** The listener that `listenToReport` was called with. */
export function readReportListener(req: IncomingMessage): ((report: CorsReport) => void) | undefined {
  return (req as { readonly [listenerKey]?: (report: CorsReport) => void })[listenerKey];
}

/** The log of decisions, in DEBUG `patch-options:cors`. */
export const corsLog = debugLog('cors');

export const preflightChannel = tracingChannel<unknown, PreflightDecision>('patch-options:preflight');

/**
 * What `tracingChannel('patch-options:preflight')` of node:diagnostics_channel tells of each preflight, at `start`
 * and `end`: a decision takes no time that is worth measuring.
 */
export interface PreflightDecision {
  /** As the client sent it: of any length, with any characters. */
  readonly origin: string;
  /** `allowed`, or the code of the refusal. */
  readonly outcome: 'allowed' | CorsRefusalCode;
  /** 200 or 403; undefined if no route is visible, so that the app answers. */
  readonly status: 200 | 403 | undefined;
}
