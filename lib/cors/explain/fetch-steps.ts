import { fieldListBounds } from '../../http/field-list';
import { isRefused, type OriginVerdict } from '../check-origin';
import { isForbiddenMethod, isSafelistedMethod } from '../policy/fetch-methods';
import type { CorsRefusalCode } from '../policy/options';
import type { CorsPolicy } from '../policy/policy';
import { listedMethods } from '../preflight-answer';
import type { AskedRequest, CorsFindings, Failure, ForeignAnswer } from './explanation';

/** What is wrong with an origin or a preflight that was refused, as a sentence. */
export const refusalDetails: Readonly<Record<CorsRefusalCode, string>> = {
  'cors-origin-repeated':
    'The Origin field names several origins. A browser sends one; something on the way joined them.',
  'cors-origin-too-long': 'The Origin field is longer than any origin: whatever sent it is no browser.',
  'cors-origin-malformed': 'The Origin field holds what is in no origin: whatever sent it is no browser.',
  'cors-origin-not-allowed':
    'The origin matches none of the rules of the option origin: add it there, if its pages may read the answers.',
  'cors-predicate-failed': 'The predicate in the option origin threw or rejected: mend what the error names.',
  'cors-predicate-timed-out':
    'The predicate in the option origin did not settle within originTimeout: make it answer sooner, or raise originTimeout.',
  'cors-headers-too-many':
    "The preflight asks for more than 128 header names, 16 empty elements or 4096 characters, which allowedHeaders: 'requested' does not send back: name the headers in allowedHeaders.",
  'cors-headers-malformed':
    'Access-Control-Request-Headers holds what is not a header name: whatever sent it is no browser.',
};

/** Fetch, Request constructor: what is never sent, whatever a server says. */
export function failedConstructor({ method }: AskedRequest): Failure | undefined {
  if (!isForbiddenMethod(method)) return undefined;
  return {
    code: 'cors-method-forbidden',
    step: 'Request constructor: a forbidden method',
    reason: `Browsers let no script send ${method}: use another method.`,
  };
}

/** Walks the steps of Fetch over one answer, in the browser's order, up to the first that fails. */
export function failedStep(
  policy: CorsPolicy,
  asked: AskedRequest,
  findings: CorsFindings,
): Failure | undefined {
  const failure = failedCheck(policy, asked, findings);
  return failure ?? (findings.preflight ? failedPreflight(policy, asked, findings) : undefined);
}

/** The CORS check, which a preflight's answer has to pass as well. */
function failedCheck(
  policy: CorsPolicy,
  { credentials }: AskedRequest,
  { preflight, verdict }: { readonly preflight: boolean; readonly verdict: OriginVerdict },
): Failure | undefined {
  const check = preflight ? 'CORS-preflight fetch step 7, CORS check' : 'CORS check';
  if (isRefused(verdict)) {
    const step = `${check} step 2: no Access-Control-Allow-Origin`;
    const { code } = verdict;
    const failure = { code, step, reason: refusalDetails[code] };
    return verdict.thrown.length === 0 ? failure : { ...failure, error: verdict.thrown[0] };
  }
  if (credentials !== true || policy.credentials) return undefined;
  return {
    code: 'cors-credentials-not-allowed',
    step:
      verdict.allowOrigin === '*'
        ? `${check} step 4: Access-Control-Allow-Origin is '*', which is not for credentials`
        : `${check} step 8: no Access-Control-Allow-Credentials`,
    reason:
      'The page asks with credentials, and the policy gives none: name the origins and set credentials: true.',
  };
}

function failedPreflight(
  policy: CorsPolicy,
  asked: AskedRequest,
  findings: CorsFindings,
): Failure | undefined {
  const { target, answered, optionsHandler } = findings;
  if (target !== undefined || policy.unseen !== undefined) {
    return failedMethod(policy, asked, findings) ?? failedHeaders(policy, asked);
  }
  if (answered !== undefined) return failedForeign(asked, answered);
  return optionsHandler === true
    ? {
        code: 'cors-preflight-elsewhere',
        step: 'CORS-preflight fetch step 7: by the answer of another handler',
        reason:
          "The app's own OPTIONS handler answers the preflight, and what it says counts: see that it answers 2xx with Allow or Access-Control-Allow-Methods, or give the path a route.",
      }
    : unseen('whose 404 browsers refuse');
}

function unseen(answer: string): Failure {
  return {
    code: 'cors-no-route',
    step: 'CORS-preflight fetch step 7: the status is not an ok status',
    reason: `No route that can be seen matches the path, so the preflight goes on to the app, ${answer}: add a route, correct the path, say by declareMethods() what answers it, or set the option unseen.`,
  };
}

/** What the app answered a preflight for which no route is seen. */
function failedForeign({ method }: AskedRequest, { status, methods }: ForeignAnswer): Failure | undefined {
  if (status < 200 || status > 299) return unseen(`which answered ${status}`);
  if (methods?.includes(method) === true || isSafelistedMethod(method)) return undefined;
  const list =
    methods === undefined ? 'without Access-Control-Allow-Methods' : `with ${methods.join(', ')} alone`;
  return {
    code: 'cors-method-not-allowed',
    step: 'CORS-preflight fetch step 7.5: the method is not in Access-Control-Allow-Methods',
    reason: `No route that can be seen matches the path, and the app answered the preflight ${status} ${list}: say by declareMethods() what answers it, or set the option unseen.`,
  };
}

function failedMethod(
  policy: CorsPolicy,
  { method }: AskedRequest,
  { target }: CorsFindings,
): Failure | undefined {
  const listed = target === undefined ? (policy.unseen ?? []) : listedMethods(policy, target);
  if (listed.includes(method) || isSafelistedMethod(method)) return undefined;
  return {
    code: 'cors-method-not-allowed',
    step: 'CORS-preflight fetch step 7.5: the method is not in Access-Control-Allow-Methods',
    reason: whyUnlisted(policy, method, target, listed),
  };
}

function whyUnlisted(
  { methods: narrowed }: CorsPolicy,
  method: string,
  target: CorsFindings['target'],
  listed: readonly string[],
): string {
  const upper = method.toUpperCase();
  if (listed.includes(upper)) {
    return `Methods are case-sensitive, and fetch does not upper-case this one: write '${upper}'.`;
  }
  if (target === undefined) {
    return `No route that can be seen matches the path, and the option unseen leaves ${method} out: name it there, or add a route.`;
  }
  if (narrowed?.includes(method) === false) {
    return `The option methods leaves ${method} out: name it there, and see that a route handles it.`;
  }
  return target.allVerbs
    ? `Only an app.all serves the path, and so the preflight lists just ${listed.join(', ')}: add a route for ${method}.`
    : `The target's routes handle ${target.methods.join(', ')}, and not ${method}: add a route.`;
}

function failedHeaders(
  { allowedHeaders, credentials }: CorsPolicy,
  { headers }: AskedRequest,
): Failure | undefined {
  if (allowedHeaders === 'requested') return undefined;
  const allowed = allowedHeaders.map((name) => name.toLowerCase());
  const any = allowed.includes('*') && !credentials;
  if (headers === undefined) {
    if (any) return undefined;
    const { elements, empty, length } = fieldListBounds;
    return {
      code: 'cors-headers-too-many',
      step: 'CORS-preflight fetch step 5: what no browser puts into Access-Control-Request-Headers',
      reason: `The list of header fields has more than ${elements} names, ${empty} empty elements or ${length} characters.`,
    };
  }
  const unlisted = headers.filter((name) => !allowed.includes(name.toLowerCase()));
  const authorization = unlisted.find((name) => name.toLowerCase() === 'authorization');
  const missing = authorization ?? (any ? undefined : unlisted[0]);
  if (missing === undefined) return undefined;
  const step = `${missing} is not in Access-Control-Allow-Headers`;
  return {
    code: 'cors-header-not-allowed',
    step: `CORS-preflight fetch step ${authorization ? `7.6: ${step} by its own name` : `7.7: ${step}`}`,
    reason: `The page sends the header field ${missing}: add it to the option allowedHeaders.`,
  };
}
