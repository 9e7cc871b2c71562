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
  instance: Middleware,
): void {
  const { preflight, verdict } = findings;
  // Browsers name the origin in every request but GET and HEAD, also to the page's own service, where CORS has no say.
  if (!preflight && req.headers['sec-fetch-site'] === 'same-origin') return;
  if (debug.enabled) debugLine(policy, req, preflight)(findings);
  if (!isRefused(verdict)) return;
  const { code, origin, thrown } = verdict;
  const status = preflight ? 403 : undefined;
  const refusal = { code, status, detail: refusalDetails[code], req, origin, instance } as const;
  policy.notifyRefused(thrown.length === 0 ? refusal : { ...refusal, error: thrown[0] });
}

/** Tells whoever debugs what the app answers a preflight that goes on to it, once it has. */
export function reportAnswer(
  policy: CorsPolicy,
  findings: CorsFindings,
  req: IncomingMessage,
  res: ServerResponse,
): void {
  if (!debug.enabled) return;
  const line = debugLine(policy, req, true);
  res.once('finish', () => {
    line({ ...findings, answered: answerOf(res) });
  });
}

/** @returns what says it of the request as it is now: those behind trim its URL */
function debugLine(
  policy: CorsPolicy,
  { method, url = '', headers }: IncomingMessage,
  preflight: boolean,
): (findings: CorsFindings) => void {
  const origin = memberOf(headers, 'origin');
  if (origin === undefined) return () => undefined;
  const asked = {
    method: (preflight ? headers['access-control-request-method'] : method) ?? '',
    headers: parseFieldList(headers['access-control-request-headers']),
    credentials: undefined,
  };
  const what = `${preflight ? 'preflight for ' : ''}${asked.method} ${url}`;
  return (findings) => {
    const failure = failedStep(policy, asked, findings);
    const why =
      failure === undefined
        ? `The browser lets the page send ${asked.method} and read the answer.`
        : `${failure.step ?? ''}. ${failure.reason}`;
    debug('%s from %s: %s', what, origin.slice(0, 100), why);
    const { verdict } = findings;
    if (isRefused(verdict) && verdict.thrown.length > 0) {
      debug('the origin predicate failed: %s', verdict.thrown[0]);
    }
  };
}

/** What whoever answered a preflight has said. */
function answerOf(res: ServerResponse): ForeignAnswer {
  const methods = res.getHeader('Access-Control-Allow-Methods');
  const lines = typeof methods === 'number' ? String(methods) : methods;
  return { status: res.statusCode, methods: lines === undefined ? undefined : parseFieldList(lines) };
}
