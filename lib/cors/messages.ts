import { inspect } from 'node:util';
import { nearestName } from '../config/nearest-name';
import {
  findCorsCheckFailure,
  findPreflightFailure,
  readRedirect,
  readValue,
  type AnswerHead,
  type ExplanationCode,
  type FailedStep,
  type PageRequest,
} from './fetch-steps';
import type { HeaderList } from './names';
import type { CorsRefusalCode } from './options';
import type { CorsReport } from './report';

/** An explanation of the step that fails, or of the address at which the answer is. */
export interface BrowserRefusal {
  readonly code: ExplanationCode;
  readonly step: string | undefined;
  /** The failure and the remedy, as a sentence. */
  readonly reason: string;
  /** The error that an origin function threw or rejected with. */
  readonly error?: unknown;
}

/** An answer, and the report of `corsPreflight` about it. */
interface JudgedAnswer {
  readonly preflight: boolean;
  readonly answer: AnswerHead;
  /** Undefined if the request reached no `corsPreflight` in this process. */
  readonly report: CorsReport | undefined;
  /**
   * Whether the request was served in this process. If so, and there is no report, it reached no
   * `corsPreflight`.
   */
  readonly inProcess: boolean;
}

/** Why an origin or a preflight was refused, and how to fix it. */
export const refusalDetails: Readonly<Record<CorsRefusalCode, string>> = {
  'cors-origin-repeated':
    'The Origin header contains several origins. Browsers send one: check what joined them, such as a proxy.',
  'cors-origin-too-long': 'The Origin header is longer than any valid origin, so no browser sent it.',
  'cors-origin-malformed':
    'The Origin header contains characters that are not valid in an origin, so no browser sent it.',
  'cors-origin-not-allowed':
    'The origin matches no rule of the option origin. Add it there if its pages may read the responses.',
  'cors-predicate-failed': 'The function in the option origin threw or rejected. Fix the reported error.',
  'cors-predicate-timed-out':
    'The function in the option origin did not settle within five seconds. Make it faster.',
  'cors-headers-too-many':
    'The preflight lists more than 128 header names, 16 empty elements or 4096 characters, ' +
    "too many for allowedHeaders: 'requested'. List the headers in allowedHeaders.",
  'cors-headers-malformed':
    'Access-Control-Request-Headers contains an invalid header name, so no browser sent it.',
};

/** Why the browser refuses an answer; undefined if it does not. */
export function findRefusal(page: PageRequest, judged: JudgedAnswer): BrowserRefusal | undefined {
  const { preflight, answer } = judged;
  const failed = preflight ? findPreflightFailure(page, answer) : findCorsCheckFailure(page, answer);
  if (failed !== undefined) {
    return (
      refuseOrigin(judged) ?? {
        code: failed.code,
        step: failed.step,
        reason: explainFailure(failed, page, judged),
      }
    );
  }
  return undefined;
}

/**
 * Why the browser will refuse the response after an allowed preflight, if its route comes before our
 * middleware: the response has only the CORS headers of middleware in front of both.
 */
export function foreseeRefusal(
  page: PageRequest,
  report: CorsReport | undefined,
): BrowserRefusal | undefined {
  if (report?.headersInFront === undefined) return undefined;
  const answer = { status: 200, headers: report.headersInFront };
  const failed = findCorsCheckFailure(page, answer);
  if (failed === undefined) return undefined;
  const { code, step } = failed;
  return code === 'cors-no-allow-origin'
    ? { code: 'cors-mounted-late', step, reason: sayMountedLate(report.policy.subject, page.method) }
    : {
        code,
        step,
        reason: explainFailure(failed, page, { preflight: false, answer, report, inProcess: true }),
      };
}

/** @param target - the method of the route, and its path unless the text names it elsewhere */
export function sayMountedLate(subject: string, target: string): string {
  return (
    `${subject} is mounted after the route for ${target}: the preflight was allowed, ` +
    'but that route answers without CORS headers, so the page cannot read the response. ' +
    `Mount ${subject} before all routes.`
  );
}

/**
 * The largest difference between an origin and the one that may be meant: a port has five characters, and
 * `www.` four.
 */
const maxEdits = 5;

/** An origin, or a list of header names, that our middleware refused. */
function refuseOrigin({ preflight, answer, report }: JudgedAnswer): BrowserRefusal | undefined {
  if (report?.decision.code === undefined) return undefined;
  // Something else has set the header, so the decision of our middleware is not the reason.
  if (readValue(answer, 'access-control-allow-origin') !== undefined) return undefined;
  const { code, origin, thrown } = report.decision;
  const check = 'CORS check step 2: no Access-Control-Allow-Origin';
  const step = preflight ? `CORS-preflight fetch step 7, ${check}` : check;
  const nearest =
    code === 'cors-origin-not-allowed'
      ? nearestName(origin, report.policy.originRules.texts, maxEdits)
      : undefined;
  const detail = refusalDetails[code];
  const reason = nearest === undefined ? detail : `${detail} The nearest rule is '${nearest}'.`;
  return { code, step, reason, ...(thrown.length > 0 ? { error: thrown[0] } : {}) };
}

function explainFailure(failed: FailedStep, page: PageRequest, judged: JudgedAnswer): string {
  const { preflight, report, inProcess } = judged;
  const reason = explainStep(failed, page, judged);
  if (!inProcess || report !== undefined) return reason;
  const what = preflight ? 'preflight' : 'request';
  return `No corsPreflight() has seen the ${what}: something else has answered it. ${reason}`;
}

function explainStep(failed: FailedStep, page: PageRequest, judged: JudgedAnswer): string {
  const [about = ''] = failed.about;
  switch (failed.code) {
    case 'cors-preflight-redirected':
      return explainRedirectedPreflight(failed.about, judged);
    case 'cors-preflight-status':
      return explainStatus(about, judged);
    case 'cors-no-allow-origin':
      return explainNoOrigin(about, judged);
    case 'cors-other-origin':
      return (
        `Access-Control-Allow-Origin is ${inspect(about)}, and the origin of the page is '${page.origin}'. ` +
        explainOtherOrigin(about, judged.report)
      );
    case 'cors-credentials-not-allowed':
      return explainCredentials(failed.about, judged.report);
    case 'cors-list-malformed':
      return `The value is ${inspect(about)}. Write names, separated by commas.`;
    case 'cors-method-not-allowed':
      return explainMethod(page.method, failed.about, judged.report);
    default:
      return explainHeaders(failed.about, judged);
  }
}

function explainOtherOrigin(value: string, report: CorsReport | undefined): string {
  // The policy sets the origin of the page, '*' or nothing.
  if (report !== undefined) return saySetElsewhere(report);
  return value.includes(',')
    ? 'Two functions, or the app and a proxy, have both set it: remove one of them.'
    : 'Allow this origin where the header is set.';
}

/** The text about a header with a value that the policy never sends. */
function saySetElsewhere({ policy: { subject } }: CorsReport): string {
  return `Your app, or a server whose answer it passes on, set that header, not ${subject}: remove it there.`;
}

/** The text about a header that the policy has sent, but that is missing or different in the answer. */
function sayChanged({ policy: { subject } }: CorsReport, name: string, value: string): string {
  return (
    `${subject} sets ${name}: ${value}, but something has changed or removed it, or has sent the head earlier. ` +
    `Mount ${subject} first.`
  );
}

/** Whether no visible route matches the path of a preflight, so that the app has answered it. */
function isPassedOn({ preflight, methods, policy }: CorsReport): boolean {
  return preflight && methods === undefined && policy.fallbackMethods === undefined;
}

const noRoute = 'No visible route matches the path';
const sayDeclare = 'declare the methods with declareMethods(), or set the option fallbackMethods';
const sayDeclareOnly = 'Declare the methods with declareMethods(), or set the option fallbackMethods.';

/** @param about - the header that does not allow credentials and, if the answer has it, its value */
function explainCredentials([name = '', value]: readonly string[], report: CorsReport | undefined): string {
  if (report === undefined) {
    return (
      'The page sends credentials. They need Access-Control-Allow-Credentials: true, ' +
      'and the origin itself in Access-Control-Allow-Origin.'
    );
  }
  const { policy, decision } = report;
  const ownCredentials = policy.credentials ? 'true' : undefined;
  const own = name === 'Access-Control-Allow-Origin' ? decision.allowOrigin : ownCredentials;
  if (value === own) {
    return (
      'The page sends credentials, but the policy does not allow them. ' +
      'List the origins and set credentials: true.'
    );
  }
  return value === undefined
    ? `The page sends credentials. ${sayChanged(report, name, String(own))}`
    : `The page sends credentials, and ${name}: ${inspect(value)} does not allow them. ${saySetElsewhere(report)}`;
}

const ours = 'corsPreflight(), or patchOptions() with cors,';

/** @param about - the status and the location */
function explainRedirectedPreflight(
  [status = '', location = '']: readonly string[],
  { report, inProcess }: JudgedAnswer,
): string {
  const what =
    `The preflight was answered ${status} with Location: ${hideSecrets(location)}, ` +
    'and browsers do not follow redirects of a preflight.';
  if (report !== undefined && isPassedOn(report)) {
    return (
      `${what} ${noRoute}, so the preflight went on to your app, which redirects it. ` +
      `Let the page ask for that address, or ${sayDeclare}.`
    );
  }
  const before = inProcess ? `mount ${ours} before the redirect` : 'answer the preflight before the redirect';
  return `${what} Let the page ask for that address, or ${before}.`;
}

/** An answer that passes the CORS check. */
function explainStatus(status: string, { report, inProcess }: JudgedAnswer): string {
  if (report !== undefined && isPassedOn(report)) {
    return (
      `${noRoute}, so the preflight went on to your app, which answered ${status}. ` +
      `Add a route, correct the path, ${sayDeclare}.`
    );
  }
  if (report !== undefined) {
    const { subject } = report.policy;
    return `${subject} has seen the preflight, but something else has answered it, with ${status}. Mount ${subject} first.`;
  }
  const answered = `The preflight was answered ${status}, and browsers need a 2xx status`;
  return isAuthenticationStatus(status)
    ? `${answered}. ${adviseOnAuthentication(inProcess)}`
    : `${answered}. Let the function that sets the CORS headers answer OPTIONS, too` +
        `${inProcess ? '' : ', and let proxies pass OPTIONS on'}.`;
}

function isAuthenticationStatus(status: string): boolean {
  return ['401', '403', '407'].includes(status);
}

function adviseOnAuthentication(inProcess: boolean): string {
  return (
    'Preflights carry no credentials, so nothing can authenticate them. ' +
    `Mount ${ours} before authentication${inProcess ? '' : ', and let proxies pass OPTIONS on'}.`
  );
}

function explainNoOrigin(status: string, { preflight, answer, report, inProcess }: JudgedAnswer): string {
  const what = preflight ? 'preflight' : 'request';
  if (report !== undefined) {
    return (
      `${report.policy.subject} allows the origin, but something else has answered the ${what}, or removed ` +
      `the header. Mount ${report.policy.subject} first.`
    );
  }
  const location = readRedirect(answer);
  const leads = location === undefined ? '' : ` with Location: ${hideSecrets(location)}, and`;
  const unsent = `The ${what} was answered ${status}${leads} without the header.`;
  const isRefused = preflight && isAuthenticationStatus(status);
  const before = isRefused
    ? adviseOnAuthentication(inProcess)
    : `Mount ${ours} before everything that can answer it`;
  if (inProcess) return `${unsent} ${before}${isRefused ? '' : '.'}`;
  return (
    `${unsent} The origin is not allowed, or whatever answered sets no CORS headers. ` +
    `${before}${isRefused ? '' : ', and let proxies pass its headers on.'}`
  );
}

function explainMethod(method: string, listed: readonly string[], report: CorsReport | undefined): string {
  const upper = method.toUpperCase();
  if (upper !== method) {
    const inUpperCase =
      'Methods are case-sensitive, and fetch() does not convert this one to upper case. ' +
      `Write '${upper}'.`;
    return listed.includes(upper) ? inUpperCase : `${inUpperCase} ${explainMethod(upper, listed, report)}`;
  }
  const list = listed.length === 0 ? 'no method' : listed.join(', ');
  if (report === undefined) {
    return `The answer allows ${list}, but not ${method}. Add it to Access-Control-Allow-Methods.`;
  }
  const { methods, policy, onlyWildcards } = report;
  if (isPassedOn(report)) return `${noRoute}, and the answer of your app allows ${list}. ${sayDeclareOnly}`;
  const own = (methods?.names ?? policy.fallbackMethods ?? []).filter(
    (each) => policy.methods?.includes(each) !== false,
  );
  if (listed.join() !== own.join()) {
    return `The answer allows ${list}. ${sayChanged(report, 'Access-Control-Allow-Methods', own.join(', '))}`;
  }
  if (methods === undefined) {
    return `${noRoute}, and the option fallbackMethods does not list ${method}. Add it there, or add a route.`;
  }
  if (policy.methods?.includes(method) === false) {
    return `The option methods does not list ${method}. Add it there, and make sure that a route handles it.`;
  }
  if (onlyWildcards) {
    return (
      `Only a route with a wildcard matches the path. It handles ${methods.names.join(', ')}, but not ${method}. ` +
      `Correct the path, or add a route for ${method}.`
    );
  }
  return methods.allVerbs
    ? `Only app.all() handles the path, so the preflight lists only ${list}. Add a route for ${method}.`
    : `The routes for the path handle ${methods.names.join(', ')}, but not ${method}. ` +
        `Add a route for ${method}.`;
}

function explainHeaders(missing: readonly string[], { answer, report }: JudgedAnswer): string {
  const sends = `The page sends ${missing.join(', ')}.`;
  const list = readValue(answer, 'access-control-allow-headers') ?? '';
  const { allowedHeaders = 'requested', credentials = false } = report?.policy ?? {};
  // Otherwise the app itself has answered, and the option would not help.
  if (allowedHeaders !== 'requested' && list === allowedHeaders.all.join(', ')) {
    return `${sends} Write ${showAllowedHeaders(allowedHeaders, missing, credentials)}.`;
  }
  const allows = `allows ${list === '' ? 'no headers' : list}`;
  if (report === undefined) return `${sends} The answer ${allows}. Add it there.`;
  if (isPassedOn(report))
    return `${sends} ${noRoute}, and the answer of your app ${allows}. ${sayDeclareOnly}`;
  const own =
    allowedHeaders === 'requested' ? missing.join(', ').toLowerCase() : allowedHeaders.all.join(', ');
  return `${sends} The answer ${allows}. ${sayChanged(report, 'Access-Control-Allow-Headers', own)}`;
}

/**
 * The option as the app would write it to allow these headers, too. Some names cannot be listed: with
 * credentials, a star is the name of a header (Fetch, CORS-preflight fetch step 7.7), and the configuration
 * refuses it.
 */
export function showAllowedHeaders(
  { written, isOnly }: HeaderList,
  missing: readonly string[],
  credentials: boolean,
): string {
  const isListable = (name: string): boolean => !/^requested$/i.test(name) && !(credentials && name === '*');
  if (!missing.every(isListable)) return "allowedHeaders: 'requested'";
  const names = [...written, ...missing].map((name) => inspect(name)).join(', ');
  return `allowedHeaders: ${isOnly ? `{ only: [${names}] }` : `[${names}]`}`;
}

/**
 * A URL, or a header that contains one, without secrets: the user info, the values in the query and the
 * fragment can contain a password, a token or a code, and become an ellipsis. The names in the query stay.
 */
export function hideSecrets(text: string): string {
  return (
    text
      // Browsers read a backslash as a slash, and accept one slash or none after `https:` (URL 4.4).
      .replace(/(?<=[\\/]{2})[^\\/?#]*@/g, '…@')
      .replace(/^([a-z][a-z\d+.-]*:[\\/]?)[^\\/?#]*@/i, '$1…@')
      .replace(/#.*/s, '#…')
      // `?1` alone is a boolean (RFC 9651 3.3.6), as in Origin-Agent-Cluster.
      .replace(/\?(?![01]$).*/s, (query) =>
        query.replace(/(?<=[?&])(?:([^=&#]*=)[^&#]*|[^&#]+)/g, (_value, name = '') => `${String(name)}…`),
      )
  );
}
