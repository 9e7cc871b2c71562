import type { IncomingMessage, ServerResponse } from 'node:http';
import { readMember } from '../config/prototype-pollution';
import { debugLog } from '../http/debug-log';
import { parseFieldList } from '../http/field-list';
import type { Middleware } from '../http/middleware';
import { sentTarget } from '../http/target-path';
import type { CorsPolicy } from './policy/policy';
import { failedStep, refusalDetails, sayAllowed, type CorsFindings, type ForeignAnswer } from './fetch-steps';
import { isRefused } from './origin/check-origin';

const debug = debugLog('cors');

/** Reports the decision on a request to the debug log and, if it was refused, to the app's `onRefused`. */
export function report(
  policy: CorsPolicy,
  findings: CorsFindings,
  req: IncomingMessage,
  instance: Middleware,
): void {
  const { preflight, decision } = findings;
  // Browsers send Origin with every request but GET and HEAD, even to the page's own origin, where CORS does
  // not apply.
  if (!preflight && req.headers['sec-fetch-site'] === 'same-origin') return;
  if (debug.enabled) debugLine(policy, req, preflight)(findings);
  if (!isRefused(decision)) return;
  const { code, origin, thrown } = decision;
  const status = preflight ? 403 : undefined;
  const refusal = { code, status, detail: refusalDetails[code], req, origin, instance } as const;
  policy.notifyRefused(thrown.length === 0 ? refusal : { ...refusal, error: thrown[0] });
}

/** Writes the app's answer to a preflight to the debug log, once it has been sent. */
export function reportAnswer(
  policy: CorsPolicy,
  findings: CorsFindings,
  req: IncomingMessage,
  res: ServerResponse,
): void {
  if (!debug.enabled) return;
  const line = debugLine(policy, req, true);
  res.once('finish', () => {
    line({ ...findings, answered: readAnswer(res) });
  });
}

/**
 * Makes a function that writes the line. The request is read now, as middlewares behind this one can change
 * it.
 */
function debugLine(
  policy: CorsPolicy,
  req: IncomingMessage,
  preflight: boolean,
): (findings: CorsFindings) => void {
  const { method, headers } = req;
  const origin = readMember(headers, 'origin');
  if (origin === undefined) return () => undefined;
  const page = {
    method: (preflight ? headers['access-control-request-method'] : method) ?? '',
    headers: parseFieldList(headers['access-control-request-headers']),
    // A request without cookies can be one with credentials, from a page that has none for this host.
    credentials: preflight || headers.cookie === undefined ? undefined : true,
  };
  const what = `${preflight ? 'preflight for ' : ''}${page.method} ${sentTarget(req)}`;
  return (findings) => {
    const failure = failedStep(policy, page, findings);
    const why = failure === undefined ? sayAllowed(page, policy) : `${failure.step ?? ''}. ${failure.reason}`;
    debug('%s from %s: %s', what, origin.slice(0, 100), why);
    const { decision } = findings;
    if (isRefused(decision) && decision.thrown.length > 0) {
      debug('the origin function threw or rejected: %s', decision.thrown[0]);
    }
  };
}

/** The app's answer to a preflight. */
function readAnswer(res: ServerResponse): ForeignAnswer {
  const methods = res.getHeader('Access-Control-Allow-Methods');
  const lines = typeof methods === 'number' ? String(methods) : methods;
  return { status: res.statusCode, methods: lines === undefined ? undefined : parseFieldList(lines) };
}
