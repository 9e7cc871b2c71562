/**
 * The reports of `corsPreflight`: to `explainCors`, to `onRefused`, to DEBUG, and as process warnings. They
 * are loaded when the first decision is reported, because most requests do not need them.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { header } from '../http/header';
import { inspectShort } from '../config/inspect';
import { beforeHead } from '../http/response-head';
import { sentTarget, toPath } from '../http/target-path';
import { readRedirect, readValue, type AnswerHead, type PageRequest } from './fetch-steps';
import {
  findRefusal,
  foreseeRefusal,
  hideSecrets,
  refusalDetails,
  sayMountedLate,
  showAllowedHeaders,
} from './messages';
import type { HeaderList } from './names';
import type { CorsPolicy } from './policy';
import { corsLog, readReportListener, type CorsReport } from './report';

/** Reports a decision, before the answer. */
export function reportDecision(report: CorsReport, req: IncomingMessage, res: ServerResponse): void {
  const { preflight, decision, policy, instance } = report;
  readReportListener(req)?.(report);
  if (corsLog.enabled) logAnswer(report, req, res);
  const { notifyRefused } = policy;
  if (decision.code === undefined || notifyRefused === undefined) return;
  const { code, origin, thrown } = decision;
  const status = preflight ? 403 : undefined;
  const refusal = { code, status, detail: refusalDetails[code], req, origin, instance } as const;
  notifyRefused(thrown.length === 0 ? refusal : { ...refusal, error: thrown[0] });
}

/**
 * Logs a browser's decision on the answer. The request is read at once, because later middlewares can change
 * it; the answer when its head is written.
 */
function logAnswer(report: CorsReport, req: IncomingMessage, res: ServerResponse): void {
  const { preflight, decision } = report;
  const origin = header(req, 'origin');
  if (origin === undefined) return;
  const requested = header(req, 'access-control-request-headers') ?? '';
  const page: PageRequest = {
    origin,
    method: (preflight ? header(req, 'access-control-request-method') : req.method) ?? '',
    headers: requested.split(',').flatMap((name) => name.trim() || []),
    // A request without cookies can still be one with credentials, if the page has no cookies for this host.
    credentials: preflight || header(req, 'cookie') === undefined ? undefined : true,
    upload: false,
  };
  const logged = { page, url: sentTarget(req), report };
  const log = (): void => {
    corsLog('%s', toDebugLine(logged, { status: res.statusCode, headers: readHeaders(res) }));
    if (decision.code !== undefined && decision.thrown.length > 0) {
      corsLog('the origin function threw or rejected: %s', decision.thrown[0]);
    }
  };
  if (res.headersSent) {
    log();
    return;
  }
  beforeHead(res, () => {
    // Runs after the middlewares in front, which can still change the head.
    process.nextTick(log);
  });
}

function readHeaders(res: ServerResponse): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(res.getHeaders()).map(([name, value]) => [name, String(value)]));
}

/** A request whose answer is logged, as it was when it came in. */
interface LoggedRequest {
  readonly page: PageRequest;
  /** The request target that the client sent. */
  readonly url: string;
  readonly report: CorsReport;
}

/** The line of DEBUG about an answer. */
export function toDebugLine({ page, url, report }: LoggedRequest, answer: AnswerHead): string {
  const { preflight } = report;
  const refusal =
    findRefusal(page, { preflight, answer, report, inProcess: true }) ??
    (preflight ? foreseeRefusal(page, report) : undefined);
  const what = `${preflight ? 'preflight for ' : ''}${page.method} ${url} from ${page.origin.slice(0, 100)}`;
  if (refusal !== undefined) return `${what}: ${refusal.step ?? ''}. ${refusal.reason}`;
  const location = preflight ? undefined : readRedirect(answer);
  if (location !== undefined) {
    return `${what}: The browser follows the redirect to ${hideSecrets(location)}, and the answer there decides.`;
  }
  const allows = readValue(answer, 'access-control-allow-credentials') === 'true';
  return `${what}: ${sayAllowed(page, preflight, allows)}`;
}

function sayAllowed(
  { method, credentials }: PageRequest,
  preflight: boolean,
  allowsCredentials: boolean,
): string {
  const isOpen = credentials === undefined && !allowsCredentials;
  return preflight
    ? `The browser lets the page send ${method}${isOpen ? ' without credentials' : ''}.`
    : `The browser lets the page read the response to ${method}` +
        `${isOpen ? ', if it was sent without credentials' : ''}.`;
}

export function describeLateMount(subject: string, method: string, url: string): string {
  return sayMountedLate(subject, `${method} ${inspectShort(toPath(url))}`);
}

export function describeNpmCors(subject: string, method: string, url: string): string {
  return (
    `npm cors is mounted beside ${subject}: the preflight for ${method} ${inspectShort(toPath(url))} was ` +
    `answered by the policy of ${subject}, but npm cors sets the CORS headers of the response, ` +
    `also for origins that ${subject} refuses. Remove npm cors, and cors: true of Nest.`
  );
}

/** @param first - the function that made the instance in front */
export function describeShadowing(subject: string, first: string, request: string): string {
  return (
    `The policy of ${subject} does not apply to ${request}, nor to any other request there: each has already passed ` +
    `an instance of ${first} with another policy. ` +
    'Merge the two policies, or mount the instance for fewer paths first.'
  );
}

/** A response whose CORS headers come from the app, or from a server behind it. */
interface AppResponse extends JudgedRequest, Pick<IncomingMessage, 'headers'> {
  readonly allowOrigin: string | undefined;
  readonly allowCredentials: string | undefined;
}

/**
 * Fetch, CORS check: a warning if the app's headers lead a browser to another decision than the policy's.
 *
 * @param allowOrigin - the Access-Control-Allow-Origin of the policy
 */
export function describeOtherDecision(
  { subject, credentials }: CorsPolicy,
  allowOrigin: string | undefined,
  response: AppResponse,
): string | undefined {
  const { method, url, origin, headers, allowOrigin: appOrigin, allowCredentials } = response;
  const target = `${method} ${inspectShort(toPath(url))}`;
  const opens = appOrigin === '*' || appOrigin === origin;
  if (allowOrigin === undefined) {
    return opens
      ? `Your app set Access-Control-Allow-Origin: ${inspectShort(appOrigin)} on its response to ${target}, ` +
          `so pages of ${inspectShort(origin)} can read it, but the policy of ${subject} refuses that origin. ` +
          'Remove the CORS headers of your app, such as those of npm cors, or change the option origin.'
      : undefined;
  }
  // Browsers load fonts and other subresources without credentials, unless the page asks for them, so `*` is
  // usual there.
  const includes = credentials && (header({ headers }, 'sec-fetch-dest') ?? 'empty') === 'empty';
  const refused: (readonly [name: string, appValue: string, policyValue: string])[] = [];
  if (appOrigin !== undefined && (!opens || (includes && appOrigin === '*')))
    refused.push(['Access-Control-Allow-Origin', appOrigin, allowOrigin]);
  if (includes && allowCredentials !== undefined && allowCredentials !== 'true')
    refused.push(['Access-Control-Allow-Credentials', allowCredentials, 'true']);
  if (refused.length === 0) return undefined;
  const reads = opens || appOrigin === undefined ? 'it with credentials' : 'it';
  const appHeaders = refused.map(([name, appValue]) => `${name}: ${inspectShort(appValue)}`).join(' and ');
  const policyHeaders = refused.map(([name, , value]) => `${name}: ${inspectShort(value)}`).join(' and ');
  return (
    `Your app set ${appHeaders} on its response to ${target}, so pages of ${inspectShort(origin)} cannot read ` +
    `${reads}, but the policy of ${subject} allows that, with ${policyHeaders}. Remove the CORS headers of ` +
    'your app, such as those of npm cors, or of a server whose answers it passes on.'
  );
}

/** A request of a page, in a warning. */
interface JudgedRequest {
  readonly method: string;
  readonly url: string;
  readonly origin: string;
}

export function describeUnlistedHeader(
  subject: string,
  name: string,
  request: JudgedRequest,
  policy: { readonly allowedHeaders: HeaderList; readonly credentials: boolean },
): string {
  const { method, url, origin } = request;
  return (
    `A page of ${inspectShort(origin)} sends ${name} with ${method} ${inspectShort(toPath(url))}, which ` +
    `${subject} does not allow, so the browser refuses the request. If pages may send it, write ` +
    `${showAllowedHeaders(policy.allowedHeaders, [name], policy.credentials)}.`
  );
}
