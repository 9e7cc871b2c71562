import type { IncomingMessage } from 'node:http';
import createDebug from 'debug';
import { parseFieldList } from '../http/field-list';
import type { Middleware } from '../http/middleware';
import { thrownText } from '../http/thrown-text';
import type { CorsDecision } from './cors-decision';
import type { CorsPolicy } from './cors-policy';
import { explainAnswer, refusalDetail } from './explain';
import { isRefused, type OriginRefused } from './origin-verdict';
import { listedMethods } from './preflight-answer';

const debug = createDebug('patch-options:cors');

/** Tells the host's `onRefused`, and whoever debugs, what came of a request. */
export function report(
  policy: CorsPolicy,
  decision: CorsDecision,
  req: IncomingMessage,
  instance: Middleware,
): void {
  const { preflight, verdict } = decision;
  if (debug.enabled) debugDecision(policy, decision, req);
  if (policy.onRefused === undefined || !isRefused(verdict) || (!preflight && isSameOrigin(req))) return;
  void tell(policy.onRefused, verdict, preflight, req, instance);
}

/** Browsers name the origin in every request but GET and HEAD, also where CORS has no say because it is the target's. */
function isSameOrigin({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-site'] === 'same-origin';
}

/** Metrics are no reason for a request to fail, nor for the process to end: what they throw becomes a warning. */
async function tell(
  onRefused: NonNullable<CorsPolicy['onRefused']>,
  { code, origin, ...thrown }: OriginRefused,
  preflight: boolean,
  req: IncomingMessage,
  instance: Middleware,
): Promise<void> {
  const status = preflight ? 403 : undefined;
  try {
    await onRefused({ code, status, detail: refusalDetail(code), req, origin, instance, ...thrown });
  } catch (error) {
    process.emitWarning(`onRefused of corsPreflight() failed: ${thrownText(error)}`, {
      code: 'PATCH_OPTIONS_ON_REFUSED',
    });
  }
}

function debugDecision(policy: CorsPolicy, decision: CorsDecision, req: IncomingMessage): void {
  const { preflight, verdict, target } = decision;
  const { headers } = req;
  if (headers.origin === undefined) return;
  const asked = {
    preflight,
    method: (preflight ? headers['access-control-request-method'] : req.method) ?? '',
    headers: parseFieldList(headers['access-control-request-headers']),
  };
  const methods = target && listedMethods(policy, target);
  const { step, reason } = explainAnswer(policy, asked, { verdict, methods });
  const what = `${preflight ? 'preflight for ' : ''}${asked.method} ${req.url ?? ''}`;
  debug(
    '%s from %s: %s',
    what,
    headers.origin.slice(0, 100),
    step === undefined ? reason : `${step}. ${reason}`,
  );
  if (isRefused(verdict) && 'error' in verdict) debug('the origin predicate failed: %O', verdict.error);
}
