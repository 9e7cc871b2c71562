import { readMember } from '../config/prototype-pollution';
import { isSafelistedMethod } from '../http/fetch-methods';
import type { CorsRefusalCode } from './options';

/**
 * The code of an `Explanation`: `cors-allowed`, `cors-preflight-allowed`, `cors-preflight-not-needed` or
 * `cors-same-origin` if the browser refuses nothing; `cors-redirected` if the answer is at another address;
 * otherwise the reason of the refusal. The codes are stable.
 */
export type ExplanationCode =
  /** The page can send the request and read the response. */
  | 'cors-allowed'
  /** The preflight allows the request, so the browser sends it. It was not sent here: `send: true` sends it. */
  | 'cors-preflight-allowed'
  /** The browser sends the request without a preflight, for a page of any origin. It was not sent here. */
  | 'cors-preflight-not-needed'
  /** The page has the target's own origin, and needs no CORS. */
  | 'cors-same-origin'
  /** Browsers never send CONNECT, TRACE or TRACK. */
  | 'cors-method-forbidden'
  /**
   * There was no answer in HTTP: nothing listens there, the certificate is not trusted, or the scheme is
   * wrong. `error` is Node's error.
   */
  | 'cors-no-response'
  /** There was no answer within `timeout`. */
  | 'cors-timed-out'
  /** The status of the preflight is not 2xx, such as 404 for a path without visible routes. */
  | 'cors-preflight-status'
  /** The preflight was redirected. */
  | 'cors-preflight-redirected'
  /**
   * The answer has no Access-Control-Allow-Origin: authentication, a proxy or a route answered before `corsPreflight`,
   * or, over a URL, the origin is not allowed.
   */
  | 'cors-no-allow-origin'
  /** Access-Control-Allow-Origin is another origin, or several. */
  | 'cors-other-origin'
  /**
   * The request is sent with credentials, and the answer does not allow them: the policy does not, or your
   * app has set the header differently.
   */
  | 'cors-credentials-not-allowed'
  /** Access-Control-Allow-Methods or Access-Control-Allow-Headers is not a list of names. */
  | 'cors-list-malformed'
  /**
   * The method is not in Access-Control-Allow-Methods: no route of the path has it, or the option `methods` excludes
   * it.
   */
  | 'cors-method-not-allowed'
  /** A header is not in Access-Control-Allow-Headers: add it to `allowedHeaders`. */
  | 'cors-header-not-allowed'
  /**
   * Not decided: the browser follows a redirect, and the answer there decides. `reason` names the next
   * question.
   */
  | 'cors-redirected'
  /** `corsPreflight` or `patchOptions` is mounted after the route, which answers without CORS headers. */
  | 'cors-mounted-late'
  | CorsRefusalCode;

/** The parts of a page's request that matter for CORS. */
export interface PageRequest {
  /** As the browser serialises it. */
  readonly origin: string;
  readonly method: string;
  /** CORS-unsafe request-header names, as the page writes them. */
  readonly headers: readonly string[];
  /** Whether the credentials mode is `include`; undefined if that is unknown, as for a preflight. */
  readonly credentials: boolean | undefined;
  /** Fetch, use-CORS-preflight flag: the page listens to upload events. */
  readonly upload: boolean;
}

/** The head of an answer: names in lower case, and repeated headers joined by a comma. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** A step of the Fetch standard that fails, as the head of an answer alone shows. */
export interface FailedStep {
  readonly code: ExplanationCode;
  readonly step: string;
  /** The method, header names or header value that the step is about. */
  readonly about: readonly string[];
}

/**
 * The Location of a redirect; undefined if the answer is not one. An empty Location means the URL itself in
 * Fetch, but is not a redirect in Chromium.
 */
export function readRedirect(answer: AnswerHead): string | undefined {
  const isRedirect = [301, 302, 303, 307, 308].includes(answer.status);
  return (isRedirect && readValue(answer, 'location')) || undefined;
}

/** Fetch, CORS-preflight fetch step 7: the first sub-step that fails. */
export function findPreflightFailure(page: PageRequest, answer: AnswerHead): FailedStep | undefined {
  const step = 'CORS-preflight fetch step 7';
  const { status } = answer;
  const location = readRedirect(answer);
  if (location !== undefined) {
    const failing = `${step}: the status ${status} is a redirect`;
    return fail('cors-preflight-redirected', failing, String(status), location);
  }
  const failure = findCorsCheckFailure(page, answer);
  if (failure !== undefined) return { ...failure, step: `${step}, ${failure.step}` };
  if (status < 200 || status > 299) {
    return fail('cors-preflight-status', `${step}: the status ${status} is not an ok status`, String(status));
  }
  const methods = readTokens(answer, 'access-control-allow-methods');
  const headers = readTokens(answer, 'access-control-allow-headers');
  if (methods === 'malformed') return malformed('Access-Control-Allow-Methods', answer);
  if (headers === 'malformed') return malformed('Access-Control-Allow-Headers', answer);
  return findMethodFailure(page, methods) ?? findHeaderFailure(page, headers ?? []);
}

/** Fetch, CORS check. Every answer must pass it, redirects included. */
export function findCorsCheckFailure(page: PageRequest, answer: AnswerHead): FailedStep | undefined {
  const allowOrigin = readValue(answer, 'access-control-allow-origin');
  if (allowOrigin === undefined) {
    return fail(
      'cors-no-allow-origin',
      'CORS check step 2: no Access-Control-Allow-Origin',
      String(answer.status),
    );
  }
  const includes = page.credentials === true;
  if (!includes && allowOrigin === '*') return undefined;
  if (allowOrigin !== page.origin) {
    return allowOrigin === '*'
      ? fail(
          'cors-credentials-not-allowed',
          "CORS check step 4: Access-Control-Allow-Origin is '*', which does not cover credentials",
          ...['Access-Control-Allow-Origin', allowOrigin],
        )
      : fail(
          'cors-other-origin',
          'CORS check step 4: Access-Control-Allow-Origin is not the origin of the page',
          allowOrigin,
        );
  }
  const allowCredentials = readValue(answer, 'access-control-allow-credentials');
  if (!includes || allowCredentials === 'true') return undefined;
  return fail(
    'cors-credentials-not-allowed',
    'CORS check step 8: no Access-Control-Allow-Credentials: true',
    'Access-Control-Allow-Credentials',
    ...(allowCredentials === undefined ? [] : [allowCredentials]),
  );
}

/** CORS-preflight fetch steps 7.4 and 7.5. */
function findMethodFailure(
  { method, credentials, upload }: PageRequest,
  methods: readonly string[] | undefined,
): FailedStep | undefined {
  const listed = methods ?? (upload ? [method] : []);
  if (listed.includes(method) || isSafelistedMethod(method)) return undefined;
  if (listed.includes('*') && credentials !== true) return undefined;
  return fail(
    'cors-method-not-allowed',
    'CORS-preflight fetch step 7.5: the method is not in Access-Control-Allow-Methods',
    ...listed,
  );
}

/** CORS-preflight fetch steps 7.6 and 7.7. */
function findHeaderFailure(
  { headers, credentials }: PageRequest,
  allowed: readonly string[],
): FailedStep | undefined {
  const names = allowed.map((name) => name.toLowerCase());
  const any = names.includes('*') && credentials !== true;
  const unlisted = headers.filter((name) => !names.includes(name.toLowerCase()));
  // CORS non-wildcard request-header name.
  const authorization = unlisted.find((name) => name.toLowerCase() === 'authorization');
  const missing = any ? unlisted.filter((name) => name === authorization) : unlisted;
  const failing = authorization ?? missing[0];
  if (failing === undefined) return undefined;
  const what = `${failing} is not in Access-Control-Allow-Headers`;
  const step = authorization === undefined ? `7.7: ${what}` : `7.6: ${what} by its own name`;
  return fail('cors-header-not-allowed', `CORS-preflight fetch step ${step}`, ...missing);
}

/** CORS-preflight fetch step 7.3. */
function malformed(name: string, answer: AnswerHead): FailedStep {
  const value = readValue(answer, name.toLowerCase()) ?? '';
  return fail('cors-list-malformed', `CORS-preflight fetch step 7.3: ${name} is not a list of names`, value);
}

function fail(code: ExplanationCode, step: string, ...about: readonly string[]): FailedStep {
  return { code, step, about };
}

export function readValue({ headers }: AnswerHead, name: string): string | undefined {
  const value = readMember(headers, name);
  return value === undefined ? undefined : String(value);
}

/**
 * Fetch, extract header list values: `#token`, so one element that is not a token invalidates the whole list.
 */
function readTokens(answer: AnswerHead, name: string): readonly string[] | 'malformed' | undefined {
  const value = readValue(answer, name);
  if (value === undefined) return undefined;
  const elements = value.split(',').map((element) => element.replace(/^[\t ]+|[\t ]+$/g, ''));
  const tokens = elements.filter((element) => element !== '');
  return tokens.every((token) => /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(token)) ? tokens : 'malformed';
}
