import { inspect } from 'node:util';
import { nearestName } from '../config/nearest-name';
import { fieldListBounds } from '../http/field-list';
import type { TargetMethods } from '../routes/target-methods';
import { isRefused, type OriginDecision, type OriginRefused } from './origin/check-origin';
import { isForbiddenMethod, isSafelistedMethod } from './policy/fetch-methods';
import type { CorsRefusalCode } from './policy/options';
import { isRequestedOption, type HeaderList } from './policy/name-lists';
import { listedMethods, type CorsPolicy } from './policy/policy';

/** The code of an `Explanation`: `cors-allowed`, or what fails. The codes are stable. */
export type ExplanationCode =
  | 'cors-allowed'
  | 'cors-method-forbidden'
  | 'cors-credentials-not-allowed'
  | 'cors-no-route'
  | 'cors-method-not-allowed'
  | 'cors-header-not-allowed'
  | 'cors-preflight-elsewhere'
  | 'cors-mounted-late'
  | 'cors-not-mounted'
  | CorsRefusalCode;

/** A step of the Fetch standard that fails. */
export interface Failure {
  readonly code: ExplanationCode;
  readonly step: string | undefined;
  /** What fails and how to fix it, as a sentence. */
  readonly reason: string;
  /** What an origin function threw or rejected with. */
  readonly error?: unknown;
}

/** The parts of a page's request that matter for CORS. */
export interface PageRequest {
  readonly method: string;
  /**
   * The headers that are not CORS-safelisted; undefined if the list exceeds the limits of `parseFieldList`.
   */
  readonly headers: readonly string[] | undefined;
  /**
   * Whether the page uses `fetch(…, { credentials: 'include' })`; undefined if that is unknown, as for a
   * preflight, or for a request without cookies.
   */
  readonly credentials?: boolean | undefined;
}

/** The answer of another handler to a preflight. */
export interface ForeignAnswer {
  readonly status: number;
  /** The methods in Access-Control-Allow-Methods; undefined if the answer has no such header. */
  readonly methods: readonly string[] | undefined;
}

/** What the server finds out about a request. */
export interface CorsFindings {
  readonly preflight: boolean;
  readonly decision: OriginDecision;
  /** The target of a preflight, if a route matches it. */
  readonly target?: TargetMethods | undefined;
  /** Whether the route for the requested method comes first, so that its response has no CORS headers. */
  readonly behindRoutes?: boolean | undefined;
  /** Whether the app has only an OPTIONS handler for the target, and no routes. */
  readonly optionsHandler?: boolean;
  /** A function that is mounted under a path of the target, and whose methods are not known. */
  readonly unknownBehind?: string | undefined;
  /** The app's answer to a preflight, if it has been sent. */
  readonly answered?: ForeignAnswer;
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

/**
 * What is said of a request if no step fails. Headers that the app sets itself are kept, and nothing tells
 * which it will set.
 */
export function sayAllowed({ method, credentials }: PageRequest, policy: CorsPolicy | undefined): string {
  const isOpen = credentials === undefined && policy?.credentials === false;
  const exception = isOpen ? 'it is sent with credentials, which the policy does not allow, or ' : '';
  return `The browser lets the page send ${method} and read the response, unless ${exception}${ownHeaders}.`;
}

export const ownHeaders = 'your app sets CORS headers of its own';

/** Fetch, Request constructor: requests that are never sent, whatever the server answers. */
export function failedConstructor({ method }: PageRequest): Failure | undefined {
  if (!isForbiddenMethod(method)) return undefined;
  return {
    code: 'cors-method-forbidden',
    step: 'Request constructor: a forbidden method',
    reason: `Browsers do not let scripts send ${method}. Use another method.`,
  };
}

/** The first step of Fetch that fails for one answer, in the browser's order. */
export function failedStep(
  policy: CorsPolicy,
  page: PageRequest,
  findings: CorsFindings,
): Failure | undefined {
  const failure = failedCheck(policy, page, findings);
  if (failure !== undefined || !findings.preflight) return failure;
  return failedPreflight(policy, page, findings) ?? failedResponse(policy, page, findings);
}

/** The CORS check of the response that follows a preflight. */
function failedResponse(
  { subject }: CorsPolicy,
  { method }: PageRequest,
  { behindRoutes }: CorsFindings,
): Failure | undefined {
  if (behindRoutes !== true) return undefined;
  return {
    code: 'cors-mounted-late',
    step: 'CORS check step 2: no Access-Control-Allow-Origin',
    reason: sayBehindRoutes(subject, method),
  };
}

/** @param target - the method of the route, and its path where that is not said beside it */
export function sayBehindRoutes(subject: string, target: string): string {
  return (
    `${subject} is mounted after the route for ${target}: the preflight was allowed, ` +
    'but that route answers without CORS headers, so the page cannot read the response. ' +
    `Mount ${subject} before all routes.`
  );
}

/** Fetch, CORS check. The answer to a preflight must pass it, too. */
function failedCheck(
  policy: CorsPolicy,
  { credentials }: PageRequest,
  { preflight, decision }: { readonly preflight: boolean; readonly decision: OriginDecision },
): Failure | undefined {
  const check = preflight ? 'CORS-preflight fetch step 7, CORS check' : 'CORS check';
  if (isRefused(decision)) {
    const step = `${check} step 2: no Access-Control-Allow-Origin`;
    const { code } = decision;
    const failure = { code, step, reason: refusalReason(policy, decision) };
    return decision.thrown.length === 0 ? failure : { ...failure, error: decision.thrown[0] };
  }
  if (credentials !== true || policy.credentials) return undefined;
  return {
    code: 'cors-credentials-not-allowed',
    step:
      decision.allowOrigin === '*'
        ? `${check} step 4: Access-Control-Allow-Origin is '*', which is not for credentials`
        : `${check} step 8: no Access-Control-Allow-Credentials`,
    reason:
      'The page sends credentials, but the policy does not allow them. ' +
      'List the origins and set credentials: true.',
  };
}

/**
 * Only for those who run the app: a page, which can be anyone's, must not learn which origins are allowed.
 */
function refusalReason({ originRules }: CorsPolicy, { code, origin }: OriginRefused): string {
  if (code !== 'cors-origin-not-allowed') return refusalDetails[code];
  const nearest = nearestName(origin, originRules.texts);
  const reason = sayUnsent(origin) ?? refusalDetails[code];
  return nearest === undefined ? reason : `${reason} The nearest rule is '${nearest}'.`;
}

/** Of a URL in place of an origin, which the option `origin` does not take either. */
function sayUnsent(origin: string): string | undefined {
  const [, rest] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]+([/?#].*)$/i.exec(origin) ?? [];
  if (rest === undefined) return undefined;
  const what = rest === '/' ? 'a slash at the end' : 'a path';
  return `No browser sends ${what}. Write ${inspect(origin.slice(0, -rest.length))}.`;
}

function failedPreflight(policy: CorsPolicy, page: PageRequest, findings: CorsFindings): Failure | undefined {
  const { target, answered, optionsHandler, unknownBehind } = findings;
  if (target !== undefined || policy.unseen !== undefined) {
    return failedMethod(policy, page, findings) ?? failedHeaders(policy, page);
  }
  if (answered !== undefined) return failedForeign(page, answered);
  if (optionsHandler === true) {
    return elsewhere(
      "Your app's own OPTIONS handler answers the preflight. " +
        'Make sure that it answers 2xx with Allow or Access-Control-Allow-Methods, ' +
        'or add a route for the path.',
    );
  }
  if (unknownBehind === undefined) {
    return unseen('and unless a function there answers it, browsers reject a 404');
  }
  return elsewhere(
    `No visible route matches the path, but ${unknownBehind} is mounted there ` +
      'and may answer the preflight. ' +
      'Make sure that it answers 2xx with Allow or Access-Control-Allow-Methods, ' +
      'declare its methods with declareMethods(), or set the option unseen.',
  );
}

function elsewhere(reason: string): Failure {
  return {
    code: 'cors-preflight-elsewhere',
    step: 'CORS-preflight fetch step 7: depends on the answer of another handler',
    reason,
  };
}

function unseen(answer: string): Failure {
  return {
    code: 'cors-no-route',
    step: 'CORS-preflight fetch step 7: the status is not an ok status',
    reason:
      `No visible route matches the path, so the preflight goes on to your app, ${answer}. ` +
      'Add a route, correct the path, declare the methods with declareMethods(), ' +
      'or set the option unseen.',
  };
}

/** The step that fails if the app answers a preflight for which no route is visible. */
function failedForeign({ method }: PageRequest, { status, methods }: ForeignAnswer): Failure | undefined {
  if (status < 200 || status > 299) return unseen(`which answered ${status}`);
  if (methods?.includes(method) === true || isSafelistedMethod(method)) return undefined;
  const list =
    methods === undefined ? 'without Access-Control-Allow-Methods' : `and allowed only ${methods.join(', ')}`;
  return {
    code: 'cors-method-not-allowed',
    step: 'CORS-preflight fetch step 7.5: the method is not in Access-Control-Allow-Methods',
    reason:
      `No visible route matches the path, and your app answered the preflight with ${status} ${list}. ` +
      'Declare the methods with declareMethods(), or set the option unseen.',
  };
}

function failedMethod(
  policy: CorsPolicy,
  { method }: PageRequest,
  { target }: CorsFindings,
): Failure | undefined {
  const listed = target === undefined ? (policy.unseen ?? []) : listedMethods(policy, target.methods);
  if (listed.includes(method) || isSafelistedMethod(method)) return undefined;
  return {
    code: 'cors-method-not-allowed',
    step: 'CORS-preflight fetch step 7.5: the method is not in Access-Control-Allow-Methods',
    reason: whyUnlisted(policy, method, target, listed),
  };
}

function whyUnlisted(
  policy: CorsPolicy,
  method: string,
  target: CorsFindings['target'],
  listed: readonly string[],
): string {
  const upper = method.toUpperCase();
  if (upper !== method) {
    const inUpperCase =
      'Methods are case-sensitive, and fetch() does not convert this one to upper case. ' +
      `Write '${upper}'.`;
    // The methods of routes are in upper case.
    const isListed = listed.includes(upper);
    return isListed ? inUpperCase : `${inUpperCase} ${whyUnlisted(policy, upper, target, listed)}`;
  }
  if (target === undefined) {
    return (
      `No visible route matches the path, and the option unseen does not list ${method}. ` +
      'Add it there, or add a route.'
    );
  }
  if (policy.methods?.includes(method) === false) {
    return `The option methods does not list ${method}. Add it there, and make sure that a route handles it.`;
  }
  return target.allVerbs
    ? `Only app.all() handles the path, so the preflight lists only ${listed.join(', ')}. ` +
        `Add a route for ${method}.`
    : `The routes for the path handle ${target.methods.join(', ')}, but not ${method}. ` +
        `Add a route for ${method}.`;
}

function failedHeaders(
  { allowedHeaders, credentials }: CorsPolicy,
  { headers }: PageRequest,
): Failure | undefined {
  if (allowedHeaders === 'requested') return undefined;
  const allowed = allowedHeaders.all.map((name) => name.toLowerCase());
  const any = allowed.includes('*') && !credentials;
  if (headers === undefined) {
    if (any) return undefined;
    const { elements, empty, length } = fieldListBounds;
    return {
      code: 'cors-headers-too-many',
      step: 'CORS-preflight fetch step 5: no browser sends such an Access-Control-Request-Headers',
      reason:
        `The list of headers has more than ${elements} names, ${empty} empty elements ` +
        `or ${length} characters.`,
    };
  }
  const unlisted = headers.filter((name) => !allowed.includes(name.toLowerCase()));
  const authorization = unlisted.find((name) => name.toLowerCase() === 'authorization');
  const missing = any ? [authorization].filter((name) => name !== undefined) : unlisted;
  const failing = authorization ?? missing[0];
  if (failing === undefined) return undefined;
  const step = `${failing} is not in Access-Control-Allow-Headers`;
  const option = shownOption(allowedHeaders, missing, credentials);
  return {
    code: 'cors-header-not-allowed',
    step: `CORS-preflight fetch step ${authorization ? `7.6: ${step} by its own name` : `7.7: ${step}`}`,
    reason: `The page sends ${missing.join(', ')}. Write ${option}.`,
  };
}

/**
 * The option as the app would write it with these headers, too. Some names cannot be listed: with
 * credentials, a star is the name of a header (Fetch, CORS-preflight fetch step 7.7), and the configuration
 * refuses it.
 */
function shownOption(
  { written, isOnly }: HeaderList,
  missing: readonly string[],
  credentials: boolean,
): string {
  const listed = missing.filter((name) => !isRequestedOption(name) && !(credentials && name === '*'));
  if (listed.length < missing.length) return "allowedHeaders: 'requested'";
  const names = [...written, ...listed].map((name) => inspect(name)).join(', ');
  return `allowedHeaders: ${isOnly ? `{ only: [${names}] }` : `[${names}]`}`;
}
