import { isSafelistedMethod } from '../http/fetch-methods';
import { findRefusal, readRedirect } from './words';
import type { AnswerHead, PageRequest } from './words/fetch-steps';
import type { BrowserRefusal } from './words/reasons';
import { toPreflight, toRequest } from './browser-requests';
import { hideSecrets } from './hide-secrets';
import { findUnsafeNames, hasHeader } from './page-headers';
import type { CheckedQuestion, PageHeader } from './question';
import { followRedirect, type Hop } from './redirect';
import type { HttpExchange, SentRequest, Transport } from './transport';

/** What a browser made of a page's request. */
export interface BrowserOutcome {
  /** Undefined if the browser refuses nothing. */
  readonly refusal: BrowserRefusal | undefined;
  /** Whether the first request needed a preflight. */
  readonly preflight: boolean;
  /** Whether the request itself was sent, and not only its preflight. */
  readonly isSent: boolean;
  readonly exchanges: readonly HttpExchange[];
}

/**
 * Sends a page's request as a browser does (Fetch, HTTP fetch and HTTP-redirect fetch): first its preflight,
 * if it needs one, then the request itself, if it is safe or if the question says so.
 *
 * @param pageHeaders - without those that scripts cannot set
 */
export async function fetchAsBrowser(
  question: CheckedQuestion,
  method: string,
  pageHeaders: readonly PageHeader[],
  transport: Transport,
): Promise<BrowserOutcome> {
  const { credentials, upload, body } = question;
  const exchanges: HttpExchange[] = [];
  const needsPreflight = (hop: Hop): boolean =>
    !isSafelistedMethod(hop.method) || findUnsafeNames(hop.headers).length > 0 || upload;
  const { base } = transport;
  const first: Hop = {
    url: new URL(base.origin + question.path),
    path: question.path,
    method,
    headers:
      body === undefined || hasHeader(pageHeaders, 'content-type')
        ? pageHeaders
        : [...pageHeaders, plainText],
    body,
    pageOrigin: question.origin,
    origin: question.origin,
    urls: [],
  };
  const preflight = needsPreflight(first);
  const end = (refusal: BrowserRefusal | undefined, isSent: boolean): BrowserOutcome => ({
    refusal,
    preflight,
    isSent,
    exchanges,
  });
  /** Sends a request, and judges the answer. */
  const ask = async (
    hop: Hop,
    request: SentRequest,
    isPreflight: boolean,
  ): Promise<{ readonly refusal: BrowserRefusal | undefined; readonly answer?: AnswerHead }> => {
    const exchange = await transport.send(request);
    exchanges.push(exchange);
    const { answer } = exchange;
    if (answer === undefined) return { refusal: explainSilence(exchange) };
    const { origin } = hop;
    const page: PageRequest = {
      ...{ origin, method: hop.method, credentials, upload },
      headers: findUnsafeNames(hop.headers),
    };
    const refusal = findRefusal(page, { ...exchange, answer, preflight: isPreflight });
    return { refusal: refusal && origin !== question.origin ? explainTaint(refusal) : refusal, answer };
  };

  for (let hop = first; ;) {
    const isSafe = hop.method === 'GET' || hop.method === 'HEAD';
    const isSent = isSafe || question.send;
    let late: BrowserRefusal | undefined;
    if (needsPreflight(hop)) {
      const { refusal } = await ask(hop, toPreflight(hop), true);
      // Where the request is sent, its own answer shows whether the headers are there.
      if (isSent && refusal?.code === 'cors-mounted-late') late = refusal;
      else if (refusal !== undefined) return end(refusal, false);
    }
    if (!isSent) return end(undefined, false);
    const { refusal, answer } = await ask(hop, toRequest(hop, question, base), false);
    if (refusal?.code === 'cors-no-allow-origin') return end(late ?? refusal, true);
    if (refusal !== undefined || answer === undefined) return end(refusal, true);
    const location = readRedirect(answer);
    if (location === undefined) return end(undefined, true);
    const next = followRedirect(hop, answer.status, location);
    if ('code' in next) return end(next, true);
    hop = next;
  }
}

const plainText: PageHeader = ['content-type', 'text/plain;charset=UTF-8'];

/** Fetch, redirect-tainted origin. */
function explainTaint(refusal: BrowserRefusal): BrowserRefusal {
  const reason =
    'After a redirect from one origin to another, browsers send Origin: null. ' +
    'Ask for the address that it leads to, or redirect within one origin. ';
  return { ...refusal, reason: reason + refusal.reason };
}

/** Fetch, HTTP-network fetch: a network error. */
function explainSilence({ request: { method, url }, isLate, error }: HttpExchange): BrowserRefusal {
  const what = `${method} ${hideSecrets(url.href)}`;
  if (isLate) {
    const reason =
      `${what} was not answered in time. Check what handles it, or raise the option timeout ` +
      'if it may take longer.';
    return { code: 'cors-timed-out', step: undefined, reason };
  }
  const code: unknown = Reflect.get(Object(error) as object, 'code');
  const name = typeof code === 'string' ? ` (${code})` : '';
  const reason = `${what} got no answer${name}. Check that the server runs, and what its log says.`;
  return { code: 'cors-no-response', step: 'HTTP-network fetch: a network error', reason, error };
}
