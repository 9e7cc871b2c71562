import type { IncomingMessage } from 'node:http';
import createDebug from 'debug';
import { parseFieldList } from '../../http/field-list';
import type { Middleware } from '../../http/middleware';
import { thrownText } from '../../http/thrown-text';
import type { CorsDecision } from '../cors-decision';
import type { CorsRefusal } from '../policy/options';
import type { CorsPolicy } from '../policy/policy';
import { explainAnswer, refusalDetails } from './explain';
import { isRefused } from '../origin/verdict';

const debug = createDebug('patch-options:cors');

/** Tells the host's `onRefused`, and whoever debugs, what came of a request. */
export function report(
  policy: CorsPolicy,
  decision: CorsDecision,
  req: IncomingMessage,
  instance: Middleware,
): void {
  const { preflight, verdict } = decision;
  // Browsers name the origin in every request but GET and HEAD, also to the page's own service, where CORS has no say.
  if (!preflight && req.headers['sec-fetch-site'] === 'same-origin') return;
  if (debug.enabled) debugDecision(policy, decision, req);
  if (policy.onRefused === undefined || !isRefused(verdict)) return;
  const { code, origin, ...thrown } = verdict;
  const status = preflight ? 403 : undefined;
  const detail = refusalDetails[code];
  void tell(policy.onRefused, { code, status, detail, req, origin, instance, ...thrown });
}

/** Metrics are no reason for a request to fail, nor for the process to end: what they throw becomes a warning. */
async function tell(onRefused: NonNullable<CorsPolicy['onRefused']>, refusal: CorsRefusal): Promise<void> {
  try {
    await onRefused(refusal);
  } catch (error) {
    process.emitWarning(`onRefused of corsPreflight() failed: ${thrownText(error)}`, {
      code: 'PATCH_OPTIONS_ON_REFUSED',
    });
  }
}

function debugDecision(policy: CorsPolicy, decision: CorsDecision, req: IncomingMessage): void {
  const { preflight, verdict } = decision;
  const { headers } = req;
  if (headers.origin === undefined) return;
  const asked = {
    preflight,
    method: (preflight ? headers['access-control-request-method'] : req.method) ?? '',
    headers: parseFieldList(headers['access-control-request-headers']),
  };
  const { step, reason } = explainAnswer(policy, asked, decision);
  const what = `${preflight ? 'preflight for ' : ''}${asked.method} ${req.url ?? ''}`;
  const why = step === undefined ? reason : `${step}. ${reason}`;
  debug('%s from %s: %s', what, headers.origin.slice(0, 100), why);
  if (isRefused(verdict) && 'error' in verdict) debug('the origin predicate failed: %O', verdict.error);
}
