import type { IncomingMessage, ServerResponse } from 'node:http';
import { memberOf } from '../../prototype-pollution';
import { debugLog } from '../../http/debug-log';
import { parseFieldList } from '../../http/field-list';
import type { Middleware } from '../../http/middleware';
import type { CorsPolicy } from '../policy/policy';
import type { CorsFindings, ForeignAnswer } from './explanation';
import { failedStep, refusalDetails } from './fetch-steps';
import { isRefused } from '../check-origin';

const debug = debugLog('cors');

/** Tells the app's `onRefused`, and whoever debugs, what came of a request. */
export function report(
  policy: CorsPolicy,
  findings: CorsFindings,
  req: IncomingMessage,
  res: ServerResponse,
  instance: Middleware,
): void {
  const { preflight, verdict, target } = findings;
  // Browsers name the origin in every request but GET and HEAD, also to the page's own service, where CORS has no say.
  if (!preflight && req.headers['sec-fetch-site'] === 'same-origin') return;
  if (debug.enabled) {
    const { writableEnded } = res;
    if (!preflight || isRefused(verdict) || target !== undefined || writableEnded) {
      debugFindings(policy, findings, req);
    } else {
      // It has gone on to the app.
      res.once('finish', () => {
        debugFindings(policy, { ...findings, answered: answerOf(res) }, req);
      });
    }
  }
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
    method: (preflight ? headers['access-control-request-method'] : req.method) ?? '',
    headers: parseFieldList(headers['access-control-request-headers']),
    credentials: undefined,
  };
  const { step, reason } = failedStep(policy, asked, findings) ?? {
    step: undefined,
    reason: `The browser lets the page send ${asked.method} and read the answer.`,
  };
  const what = `${preflight ? 'preflight for ' : ''}${asked.method} ${req.url ?? ''}`;
  const why = step === undefined ? reason : `${step}. ${reason}`;
  debug('%s from %s: %s', what, origin.slice(0, 100), why);
  if (isRefused(verdict) && verdict.thrown.length > 0) {
    debug('the origin predicate failed: %s', verdict.thrown[0]);
  }
}

/** What whoever answered a preflight has said. */
function answerOf(res: ServerResponse): ForeignAnswer {
  const methods = res.getHeader('Access-Control-Allow-Methods');
  const lines = typeof methods === 'number' ? String(methods) : methods;
  return { status: res.statusCode, methods: lines === undefined ? undefined : parseFieldList(lines) };
}
