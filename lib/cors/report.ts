import { tracingChannel } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readMember } from '../config/prototype-pollution';
import { readReportListener, type CorsRefusalCode, type CorsReport } from '../explain/words/cors-report';
import type { PageRequest } from '../explain/words/fetch-steps';
import { beforeHead } from '../http/response-head';
import { debugLog } from '../http/debug-log';
import { sentTarget } from '../http/target-path';
import { isOwnPage, isRefused, type OriginDecision } from './origin/check-origin';
import type { CorsPolicy } from './policy/policy';
import { loadWords } from './words';

const debug = debugLog('cors');

const preflights = tracingChannel<unknown, PreflightDecision>('patch-options:preflight');

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

interface DecisionReport extends CorsReport {
  readonly policy: CorsPolicy;
  readonly decision: OriginDecision;
}

/**
 * Tells a decision to `explainCors`, if that sent the request, to the debug log and, if it is a refusal, to
 * the app's `onRefused`. It is called before the answer.
 */
export function tellDecision(report: DecisionReport, req: IncomingMessage, res: ServerResponse): void {
  const { preflight, decision, policy, instance } = report;
  const listener = readReportListener(req);
  const isTold = listener !== undefined || debug.enabled || isRefused(decision);
  if (!preflight && (!isTold || isOwnPage(req))) return;
  listener?.(report);
  if (preflight && preflights.hasSubscribers)
    preflights.traceSync(() => undefined, toPreflightDecision(report, req));
  if (debug.enabled) logAnswer(report, req, res);
  const { notifyRefused } = policy;
  if (!isRefused(decision) || notifyRefused === undefined) return;
  const { code, origin, thrown } = decision;
  const status = preflight ? 403 : undefined;
  const detail = loadWords().refusalDetails[code];
  const refusal = { code, status, detail, req, origin, instance } as const;
  notifyRefused(thrown.length === 0 ? refusal : { ...refusal, error: thrown[0] });
}

function toPreflightDecision(
  { decision: { code }, target, policy }: DecisionReport,
  req: IncomingMessage,
): PreflightDecision {
  const isAnswered = target !== undefined || policy.unseen !== undefined;
  const status = isAnswered ? 200 : undefined;
  return {
    origin: readMember(req.headers, 'origin') ?? '',
    outcome: code ?? 'allowed',
    status: code === undefined ? status : 403,
  };
}

/**
 * Logs what a browser makes of the answer. The request is read at once, as middlewares behind this one can
 * change it; the answer when its head is written.
 */
function logAnswer(report: DecisionReport, req: IncomingMessage, res: ServerResponse): void {
  const { preflight, decision } = report;
  const { method, headers } = req;
  const origin = readMember(headers, 'origin');
  if (origin === undefined) return;
  const requested = headers['access-control-request-headers'] ?? '';
  const page: PageRequest = {
    origin,
    method: (preflight ? headers['access-control-request-method'] : method) ?? '',
    headers: requested.split(',').flatMap((name) => name.trim() || []),
    // A request without cookies can be one with credentials, from a page that has none for this host.
    credentials: preflight || headers.cookie === undefined ? undefined : true,
    upload: false,
  };
  const logged = { page, url: sentTarget(req), report };
  const log = (): void => {
    debug('%s', loadWords().toDebugLine(logged, { status: res.statusCode, headers: readHeaders(res) }));
    if (isRefused(decision) && decision.thrown.length > 0) {
      debug('the origin function threw or rejected: %s', decision.thrown[0]);
    }
  };
  if (res.headersSent) {
    log();
    return;
  }
  beforeHead(res, () => {
    // What is sent, after middlewares in front that change it.
    process.nextTick(log);
  });
}

function readHeaders(res: ServerResponse): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(res.getHeaders()).map(([name, value]) => [name, String(value)]));
}
