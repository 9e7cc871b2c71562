import { getRegistrableDomain } from '../cors/origin/public-suffix';
import { isSafelistedMethod } from '../http/fetch-methods';
import { findRefusal, isRedirect, readValue } from './words';
import type { AnswerHead, PageRequest } from './words/fetch-steps';
import type { BrowserRefusal } from './words/reasons';
import { findUnsafeNames } from './page-headers';
import type { CheckedQuestion, PageHeader } from './question';
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

/** The request of a page, which redirects change. */
interface Hop {
  readonly url: URL;
  readonly path: string;
  readonly method: string;
  readonly headers: readonly PageHeader[];
  readonly body: string | undefined;
  /** The Origin that the browser sends: `null` after another origin has redirected the request. */
  readonly origin: string;
  /** The URLs so far. */
  readonly urls: readonly URL[];
}

/** Fetch, HTTP-redirect fetch step 5. */
const maxRedirects = 20;

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
    const location = isRedirect(answer.status) ? readValue(answer, 'location') : undefined;
    if (location === undefined) return end(undefined, true);
    const next = follow(hop, answer.status, location, question.origin);
    if ('code' in next) return end(next, true);
    hop = next;
  }
}

const plainText: PageHeader = ['content-type', 'text/plain;charset=UTF-8'];

function hasHeader(headers: readonly PageHeader[], name: string): boolean {
  return headers.some(([each]) => each.toLowerCase() === name);
}

/** CORS-preflight fetch steps 1 to 5. */
function toPreflight(hop: Hop): SentRequest {
  const names = findUnsafeNames(hop.headers).map((name) => name.toLowerCase());
  const requested = [...new Set(names)].sort().join(',');
  const headers = [
    ['Access-Control-Request-Method', hop.method] as const,
    ...(requested === '' ? [] : [['Access-Control-Request-Headers', requested] as const]),
  ];
  return toSent(hop, 'OPTIONS', headers);
}

function toRequest(hop: Hop, { headers, credentials }: CheckedQuestion, base: URL): SentRequest {
  const values = hop.headers.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const cookies = headers.filter(([name, value]) => /^cookie$/i.test(name) && value !== undefined);
  // RFC 6265 8.5: ports do not tell cookies apart.
  const isSent = credentials && hop.url.hostname === base.hostname;
  return {
    ...toSent(hop, hop.method, [
      ...values,
      ...(isSent ? cookies.map(([name, value = '']) => [name, value] as const) : []),
    ]),
    body: hop.body,
  };
}

/** What Chromium 156 sends with every request. */
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';

function toSent(
  { url, path, origin, urls, body }: Hop,
  method: string,
  headers: readonly (readonly [string, string])[],
): SentRequest {
  const isSameSite = [...urls, url].every((each) => toSite(each) === toSite(origin));
  const defaults = [
    ['Accept', '*/*'],
    ['Accept-Encoding', 'gzip, deflate, br, zstd'],
    ['User-Agent', userAgent],
  ] as const;
  const length =
    method === 'OPTIONS' || (body === undefined && method !== 'POST' && method !== 'PUT')
      ? []
      : [['Content-Length', String(Buffer.byteLength(body ?? ''))] as const];
  return {
    ...{ url, path, method },
    headers: [
      ['Host', url.host],
      ...defaults.filter(([name]) => !hasHeader(headers, name.toLowerCase())),
      ...headers,
      ...length,
      ['Origin', origin],
      ['Sec-Fetch-Dest', 'empty'],
      ['Sec-Fetch-Mode', 'cors'],
      ['Sec-Fetch-Site', isSameSite ? 'same-site' : 'cross-site'],
    ],
  };
}

/** HTML, site: the scheme and the registrable domain. An opaque origin, as that of a sandboxed frame, is of none. */
function toSite(from: URL | string): string {
  if (from === 'null') return from;
  const { protocol, hostname } = new URL(from);
  return `${protocol}//${getRegistrableDomain(hostname)}`;
}

/** Fetch, HTTP-redirect fetch. */
function follow(hop: Hop, status: number, location: string, pageOrigin: string): Hop | BrowserRefusal {
  const refuse = (step: string, reason: string): BrowserRefusal => ({
    code: 'cors-redirect-refused',
    step: `HTTP-redirect fetch step ${step}`,
    reason: `${hop.method} ${hop.url.href} was answered ${status} with Location: ${location}. ${reason}`,
  });
  let url: URL;
  try {
    url = new URL(location, hop.url);
  } catch {
    return refuse('3: the location is not a URL', 'Send a Location that is a URL.');
  }
  if (!/^https?:$/.test(url.protocol)) {
    return refuse('4: the scheme is not http: or https:', 'Redirect to an http: or https: URL.');
  }
  if (hop.urls.length === maxRedirects) {
    return refuse(
      '5: too many redirects',
      `Browsers follow ${maxRedirects} redirects. Check what redirects in a circle.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    return refuse('7: the location has a user name or password', 'Leave the user name and the password out.');
  }
  const isPost = hop.method === 'POST' && (status === 301 || status === 302);
  const isOther = status === 303 && hop.method !== 'GET' && hop.method !== 'HEAD';
  const toGet = isPost || isOther;
  const leavesOrigin = url.origin !== hop.url.origin;
  const isTainted = leavesOrigin && pageOrigin !== hop.url.origin;
  const dropped = new Set([
    ...(toGet ? ['content-encoding', 'content-language', 'content-location', 'content-type'] : []),
    ...(leavesOrigin ? ['authorization'] : []),
  ]);
  return {
    url,
    path: url.pathname + url.search,
    method: toGet ? 'GET' : hop.method,
    headers: hop.headers.filter(([name]) => !dropped.has(name.toLowerCase())),
    body: toGet ? undefined : hop.body,
    origin: isTainted ? 'null' : hop.origin,
    urls: [...hop.urls, hop.url],
  };
}

/** Fetch, redirect-tainted origin. */
function explainTaint(refusal: BrowserRefusal): BrowserRefusal {
  const reason =
    'After a redirect from one origin to another, browsers send Origin: null. ' +
    'Ask for the address that it leads to, or redirect within one origin. ';
  return { ...refusal, reason: reason + refusal.reason };
}

/** Fetch, HTTP-network fetch: a network error. */
function explainSilence({ request: { method, url }, isLate, error }: HttpExchange): BrowserRefusal {
  const what = `${method} ${url.href}`;
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
