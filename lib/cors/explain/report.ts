import type { IncomingMessage } from 'node:http';
import { debugLog } from '../../http/debug-log';
import { parseFieldList } from '../../http/field-list';
import type { Middleware } from '../../http/middleware';
import type { CorsPolicy } from '../policy/policy';
import { explainAnswer, refusalDetails, type CorsFindings } from './explain';
import { isRefused } from '../check-origin';

const debug = debugLog('cors');

/** Tells the app's `onRefused`, and whoever debugs, what came of a request. */
export function report(
  policy: CorsPolicy,
  findings: CorsFindings,
  req: IncomingMessage,
  instance: Middleware,
): void {
  const { preflight, verdict } = findings;
  // Browsers name the origin in every request but GET and HEAD, also to the page's own service, where CORS has no say.
  if (!preflight && req.headers['sec-fetch-site'] === 'same-origin') return;
  if (debug.enabled) debugFindings(policy, findings, req);
  if (!isRefused(verdict)) return;
  const { code, origin, ...thrown } = verdict;
  const status = preflight ? 403 : undefined;
  policy.notifyRefused({ code, status, detail: refusalDetails[code], req, origin, instance, ...thrown });
}

function debugFindings(policy: CorsPolicy, findings: CorsFindings, req: IncomingMessage): void {
  const { preflight, verdict } = findings;
  const { headers } = req;
  if (headers.origin === undefined) return;
  const asked = {
    preflight,
    method: (preflight ? headers['access-control-request-method'] : req.method) ?? '',
    headers: parseFieldList(headers['access-control-request-headers']),
  };
  const { step, reason } = explainAnswer(policy, asked, findings);
  const what = `${preflight ? 'preflight for ' : ''}${asked.method} ${req.url ?? ''}`;
  const why = step === undefined ? reason : `${step}. ${reason}`;
  debug('%s from %s: %s', what, headers.origin.slice(0, 100), why);
  if (isRefused(verdict) && 'error' in verdict) debug('the origin predicate failed: %s', verdict.error);
}
