import { isForbiddenMethod, normalizeMethod } from '../http/fetch-methods';
import type { Explanation } from './explanation';
import { fetchAsBrowser, type BrowserOutcome } from './fetch';
import { writeNotes } from './notes';
import { classifyHeaders } from './page-headers';
import { checkQuestion, QuestionCheck, type CheckedQuestion, type CorsQuestion } from './question';
import { readCorsTarget, type CorsTarget } from './target';
import { toTranscript } from './transcript';
import { openTransport, type Transport } from './transport';

/**
 * Asks an app as a browser would, and explains whether that lets a page make a request and read the response,
 * which step of the Fetch standard fails, and how to fix it.
 *
 * The preflight is sent, if the request needs one, and then GET or HEAD themselves: for development and
 * tests, and for a server of your own. Other methods are not sent, unless the question has `send: true`.
 *
 * @param target - an Express app, a router, a request listener such as an `optionsListener`, a server of
 *   `node:http`, `node:https` or `node:http2`, listening or not, or the URL of one that runs, such as
 *   `https://api.example`
 * @param question - the request that the page makes
 * @returns a promise; it rejects with a ConfigurationError that reports every mistake in the arguments
 *
 * @example
 * ```ts
 * const { allowed, reason } = await explainCors(app, {
 *   origin: 'https://app.example',
 *   method: 'PATCH',
 *   headers: 'x-request-id',
 *   path: '/notes/1',
 * });
 * ```
 */
export async function explainCors(target: CorsTarget, question: CorsQuestion): Promise<Explanation> {
  const check = new QuestionCheck();
  const readable = readCorsTarget(target, check);
  const checked = checkQuestion(question, check);
  check.done();
  const method = normalizeMethod(checked.method);
  if (readable === undefined || isForbiddenMethod(method)) return explainForbidden(method);
  const [, host] = checked.headers.find(([name]) => /^host$/i.test(name)) ?? [];
  const transport = await openTransport(readable, host, checked.timeout);
  try {
    return await ask(checked, method, transport);
  } finally {
    await transport.close();
  }
}

async function ask(question: CheckedQuestion, method: string, transport: Transport): Promise<Explanation> {
  if (question.origin === transport.base.origin) return explainSameOrigin(question.origin);
  const headers = classifyHeaders(question.headers);
  const outcome = await fetchAsBrowser(question, method, headers.sent, transport);
  const { refusal, preflight, exchanges } = outcome;
  const instances = exchanges.flatMap(({ report }) => report?.instance ?? []);
  return {
    allowed: refusal?.code === 'cors-redirected' ? undefined : refusal === undefined,
    preflight,
    ...(refusal ?? { ...describeSuccess(outcome, method), step: undefined }),
    notes: writeNotes(question, method, headers, outcome),
    requests: exchanges.map(toTranscript),
    instance: instances.at(-1),
  };
}

function describeSuccess(
  { isSent, preflight }: BrowserOutcome,
  method: string,
): Pick<Explanation, 'code' | 'reason'> {
  if (isSent) {
    return {
      code: 'cors-allowed',
      reason: `The browser lets the page send ${method} and read the response.`,
    };
  }
  return preflight
    ? { code: 'cors-preflight-allowed', reason: `The preflight allows ${method}, so the browser sends it.` }
    : {
        code: 'cors-preflight-not-needed',
        reason: `The browser sends this ${method} without a preflight, for a page of any origin.`,
      };
}

const noRequests = { preflight: false, notes: [], requests: [], instance: undefined } as const;

function explainSameOrigin(origin: string): Explanation {
  const reason = `The target is ${origin} itself, and a page needs no CORS for its own origin.`;
  return { ...noRequests, allowed: true, code: 'cors-same-origin', step: undefined, reason };
}

/** Fetch, Request constructor: these are never sent, whatever the server answers. */
function explainForbidden(method: string): Explanation {
  const step = 'Request constructor: a forbidden method';
  const reason = `Browsers do not let scripts send ${method}. Use another method.`;
  return { ...noRequests, allowed: false, code: 'cors-method-forbidden', step, reason };
}
