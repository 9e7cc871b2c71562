import type { IncomingMessage } from 'node:http';
import { memberOf } from '../../prototype-pollution';
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
  const { code, origin, thrown } = verdict;
  const status = preflight ? 403 : undefined;
  const refusal = { code, status, detail: refusalDetails[code], req, origin, instance } as const;
  policy.notifyRefused(thrown.length === 0 ? refusal : { ...refusal, error: thrown[0] });
}

function debugFindings(policy: CorsPolicy, findings: CorsFindings, req: IncomingMessage): void {
  const { preflight, verdict } = findings;
  const { headers } = req;
  const origin = memberOf(headers, 'origin');
  if (origin === undefined) return;
  const asked = {
    preflight,
    method: (preflight ? headers['access-control-request-method'] : req.method) ?? '',
    headers: parseFieldList(headers['access-control-request-headers']),
    credentials: undefined,
  };
  const { step, reason } = explainAnswer(policy, asked, findings);
  const what = `${preflight ? 'preflight for ' : ''}${asked.method} ${req.url ?? ''}`;
  const why = step === undefined ? reason : `${step}. ${reason}`;
  debug('%s from %s: %s', what, origin.slice(0, 100), why);
  if (isRefused(verdict) && verdict.thrown.length > 0) {
    debug('the origin predicate failed: %s', verdict.thrown[0]);
  }
}
