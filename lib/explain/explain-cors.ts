import { printable } from '../config/printable';
import type { ExplanationCode } from '../cors/fetch-steps';
import { hideSecrets } from '../cors/messages';
import { isForbiddenMethod, normalizeMethod } from '../http/fetch-methods';
import type { Middleware } from '../http/middleware';
import { fetchAsBrowser, type BrowserOutcome } from './fetch';
import { writeNotes } from './notes';
import { classifyHeaders } from './page-headers';
import { checkQuestion, QuestionCheck, type CheckedQuestion, type CorsQuestion } from './question';
import { readCorsTarget, type CorsTarget } from './target';
import { openTransport, type HttpExchange, type Transport } from './transport';

/** The result of `explainCors`: what a browser does with the request of a page. */
export interface Explanation {
  /**
   * Whether the page can send the request and, if it was sent, read the response. With a `code` other than
   * `cors-allowed` it was not sent, so its response is not known. Undefined if the answer is a redirect that
   * the browser follows: `reason` says which address to ask next.
   */
  readonly allowed: boolean | undefined;
  /** Whether the browser sends a preflight first. */
  readonly preflight: boolean;
  /** The kind of result. It stays the same when `reason` is reworded. */
  readonly code: ExplanationCode;
  /** The step of the Fetch standard that fails; undefined if none does. */
  readonly step: string | undefined;
  /** The failure and the remedy, as a sentence. */
  readonly reason: string;
  /** Further remarks, such as where Chromium differs from the Fetch standard. */
  readonly notes: readonly string[];
  /**
   * Each request that was sent, with the head of its answer. The values of Authorization, Cookie, Set-Cookie
   * and of queries are replaced by an ellipsis, as are fragments, and names and passwords in URLs.
   */
  readonly requests: readonly string[];
  /**
   * The `corsPreflight` middleware that decided last; undefined if the requests reached none in this process.
   */
  readonly instance: Middleware | undefined;
  /** The error because of which there was no answer, or the error of an origin function. */
  readonly error?: unknown;
}

/**
 * Asks an app as a browser would, and explains whether a page can make a request and read the response, and
 * if not, which step of the Fetch standard fails and how to fix it.
 *
 * It sends the preflight, if the request needs one, and then the request itself if it is GET or HEAD. Use it
 * in development and tests, and for a server of your own. Other methods are not sent, unless the question has
 * `send: true`.
 *
 * @param target - an Express app, a router, a request listener such as an `optionsListener`, a server of
 *   `node:http`, `node:https` or `node:http2`, listening or not, or the URL of a running server, such as
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
    ? {
        code: 'cors-preflight-allowed',
        reason: `The preflight allows ${method}, so the browser sends it. The response was not checked: ask again with send (--send).`,
      }
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

/** A request and the head of its answer, as text that can be pasted into an issue. */
function toTranscript({ request, answer, isLate }: HttpExchange): string {
  const { method, path, headers } = request;
  const lines = [
    `${method} ${hideSecrets(path)} HTTP/1.1`,
    ...headers.map(([name, value]) => showField(name, value)),
    '',
  ];
  if (answer === undefined) return [...lines, isLate ? '(no answer in time)' : '(no answer)'].join('\n');
  lines.push(printable(`HTTP/1.1 ${answer.status} ${hideSecrets(answer.statusMessage ?? '')}`.trimEnd()));
  for (let i = 0; i < answer.rawHeaders.length; i += 2) {
    lines.push(showField(answer.rawHeaders[i] ?? '', answer.rawHeaders[i + 1] ?? ''));
  }
  return lines.join('\n');
}

function showField(name: string, value: string): string {
  const isSecret = /^(?:authorization|proxy-authorization|cookie|set-cookie)$/i.test(name);
  return printable(`${name}: ${isSecret ? '…' : hideSecrets(value)}`);
}
