import { fieldListBounds } from '../../http/field-list';
import type { TargetMethods } from '../../routes/allowed-methods';
import type { CorsRefusalCode } from '../policy/options';
import type { CorsPolicy } from '../policy/policy';
import { isForbiddenMethod, isSafelistedMethod } from '../policy/fetch-methods';
import { isRefused, type OriginVerdict } from '../check-origin';
import { listedMethods } from '../preflight-answer';

/** The codes of an `Explanation`: stable, for programs. */
export type ExplanationCode =
  | 'cors-allowed'
  | 'cors-method-forbidden'
  | 'cors-credentials-not-allowed'
  | 'cors-no-route'
  | 'cors-method-not-allowed'
  | 'cors-header-not-allowed'
  | CorsRefusalCode;

/** What a browser would make of a request. */
export interface Explanation {
  /** Whether the page may send it and read the answer. */
  readonly allowed: boolean;
  /** Whether the browser asks first. */
  readonly preflight: boolean;
  /** Stable, for programs. */
  readonly code: ExplanationCode;
  /** The step of Fetch that fails, if any. */
  readonly step: string | undefined;
  /** What is wrong, and what to do. */
  readonly reason: string;
  /** What an origin predicate threw or rejected with. */
  readonly error?: unknown;
}

/** The request that a page makes, as far as CORS looks at it. */
export interface AskedRequest {
  readonly preflight: boolean;
  readonly method: string;
  /** The header fields that CORS does not let pass unasked; undefined: a list that no browser sends. */
  readonly headers: readonly string[] | undefined;
  /** `fetch(…, { credentials: 'include' })`. Left out where that is not known, as to a preflight. */
  readonly credentials?: boolean | undefined;
}

/** What this service finds out about a request. */
export interface CorsFindings {
  readonly preflight: boolean;
  readonly verdict: OriginVerdict;
  /** The target of a preflight, where a route matches it. */
  readonly target?: TargetMethods | undefined;
}

/** What the browser comes to. */
type Outcome = Pick<Explanation, 'code' | 'step' | 'reason' | 'error'>;

/** Walks the steps of Fetch in the browser's order, up to the first that fails. */
export function explainAnswer(
  policy: CorsPolicy,
  asked: AskedRequest,
  { verdict, target }: Omit<CorsFindings, 'preflight'>,
): Explanation {
  const { preflight, method } = asked;
  const failure =
    forbiddenMethod(asked) ??
    failedCheck(policy, asked, verdict) ??
    (preflight ? failedPreflight(policy, asked, target) : undefined);
  const reason = `The browser lets the page send ${method} and read the answer.`;
  const outcome: Outcome = failure ?? { code: 'cors-allowed', step: undefined, reason };
  return { allowed: failure === undefined, preflight, ...outcome };
}

function forbiddenMethod({ method }: AskedRequest): Outcome | undefined {
  if (!isForbiddenMethod(method)) return undefined;
  return {
    code: 'cors-method-forbidden',
    step: 'Request constructor: a forbidden method',
    reason: `Browsers let no script send ${method}: use another method.`,
  };
}

/** What is wrong with an origin that was refused, as a sentence. */
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

/** The CORS check, which a preflight's answer has to pass as well. */
function failedCheck(
  policy: CorsPolicy,
  { preflight, credentials }: AskedRequest,
  verdict: OriginVerdict,
): Outcome | undefined {
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
  target: TargetMethods | undefined,
): Outcome | undefined {
  if (target === undefined) {
    return {
      code: 'cors-no-route',
      step: 'CORS-preflight fetch step 7: the status is not an ok status',
      reason:
        'No route matches the path, so the preflight gets the 404 of the service: add a route, or correct the path.',
    };
  }
  return failedMethod(policy, asked, target) ?? failedHeaders(policy, asked);
}

function failedMethod(
  policy: CorsPolicy,
  { method }: AskedRequest,
  target: TargetMethods,
): Outcome | undefined {
  const listed = listedMethods(policy, target);
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
  { allVerbs, methods }: TargetMethods,
  listed: readonly string[],
): string {
  const upper = method.toUpperCase();
  if (listed.includes(upper)) {
    return `Methods are case-sensitive, and fetch does not upper-case this one: write '${upper}'.`;
  }
  if (narrowed?.includes(method) === false) {
    return `The option methods leaves ${method} out: name it there, and see that a route handles it.`;
  }
  return allVerbs
    ? `Only an app.all serves the path, and so the preflight lists just ${listed.join(', ')}: add a route for ${method}.`
    : `The target's routes handle ${methods.join(', ')}, and not ${method}: add a route.`;
}

function failedHeaders(
  { allowedHeaders, credentials }: CorsPolicy,
  { headers }: AskedRequest,
): Outcome | undefined {
  if (allowedHeaders === 'requested') return undefined;
  if (headers === undefined) {
    const { elements, empty, length } = fieldListBounds;
    return {
      code: 'cors-headers-too-many',
      step: 'CORS-preflight fetch step 5: what no browser puts into Access-Control-Request-Headers',
      reason: `The list of header fields has more than ${elements} names, ${empty} empty elements or ${length} characters.`,
    };
  }
  const allowed = allowedHeaders.map((name) => name.toLowerCase());
  const any = allowed.includes('*') && !credentials;
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
