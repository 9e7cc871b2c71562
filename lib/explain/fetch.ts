import { readRedirect, type PageRequest } from '../cors/fetch-steps';
import { findRefusal, foreseeRefusal, type BrowserRefusal } from '../cors/messages';
import { isLoopback } from '../cors/origin-text';
import { getRegistrableDomain } from '../cors/public-suffix';
import { isSafelistedMethod } from '../http/fetch-methods';
import { explainRedirect, explainSilence } from './messages';
import { findUnsafeNames, hasHeader } from './page-headers';
import type { CheckedQuestion, PageHeader } from './question';
import type { HttpExchange, SentRequest, Transport } from './transport';

/** The decision of a browser on a page's request. */
export interface BrowserOutcome {
  /** The refusal, or the redirect that the browser follows; undefined if neither. */
  readonly refusal: BrowserRefusal | undefined;
  /** Whether the request needs a preflight. */
  readonly preflight: boolean;
  /** Whether the request itself was sent, and not only its preflight. */
  readonly isSent: boolean;
  readonly exchanges: readonly HttpExchange[];
}

/** A request of a page, with the headers that the browser sends. */
interface PageFetch extends CheckedQuestion {
  readonly url: URL;
}

/**
 * Sends a page's request as a browser does (Fetch, HTTP fetch): first its preflight, if it needs one, then
 * the request itself, if it is safe or if the question says so. Redirects are not followed.
 *
 * @param pageHeaders - without headers that scripts cannot set
 */
export async function fetchAsBrowser(
  question: CheckedQuestion,
  method: string,
  pageHeaders: readonly PageHeader[],
  transport: Transport,
): Promise<BrowserOutcome> {
  const { origin, path, credentials, upload, body, send } = question;
  const hasPlainText = body !== undefined && !hasHeader(pageHeaders, 'content-type');
  const headers = hasPlainText ? [...pageHeaders, plainText] : pageHeaders;
  const url = new URL(transport.base.origin + path);
  const page: PageRequest = { origin, method, credentials, upload, headers: findUnsafeNames(headers) };
  const exchanges: HttpExchange[] = [];
  const ask = async (request: SentRequest, isPreflight: boolean): Promise<BrowserRefusal | undefined> => {
    const exchange = await transport.send(request);
    exchanges.push(exchange);
    const { answer } = exchange;
    if (answer === undefined) return explainSilence(exchange);
    const refusal = findRefusal(page, { ...exchange, answer, preflight: isPreflight });
    const location = refusal === undefined && !isPreflight ? readRedirect(answer) : undefined;
    return location === undefined ? refusal : explainRedirect(page, url, answer.status, location);
  };

  const fetched: PageFetch = { ...question, method, headers, url };
  const isSent = method === 'GET' || method === 'HEAD' || send;
  const preflight = !isSafelistedMethod(method) || page.headers.length > 0 || upload;
  let foreseen: BrowserRefusal | undefined;
  if (preflight) {
    const refusal = await ask(toPreflight(fetched, page.headers), true);
    if (refusal !== undefined) return { refusal, preflight, isSent: false, exchanges };
    foreseen = foreseeRefusal(page, exchanges[0]?.report);
  }
  if (!isSent) return { refusal: foreseen, preflight, isSent, exchanges };
  // The answer to the request itself shows whether it has the headers. Why it has none is in the report of
  // the preflight.
  const refusal = await ask(toRequest(fetched, question.headers), false);
  const isForeseen = foreseen !== undefined && refusal?.step === foreseen.step;
  return { refusal: isForeseen ? foreseen : refusal, preflight, isSent, exchanges };
}

const plainText: PageHeader = ['content-type', 'text/plain;charset=UTF-8'];

/** CORS-preflight fetch steps 1 to 5. */
function toPreflight(fetched: PageFetch, unsafeNames: readonly string[]): SentRequest {
  const requested = [...new Set(unsafeNames.map((name) => name.toLowerCase()))].sort().join(',');
  const headers = [
    ['Access-Control-Request-Method', fetched.method] as const,
    ...(requested === '' ? [] : [['Access-Control-Request-Headers', requested] as const]),
  ];
  return toSent(fetched, 'OPTIONS', headers);
}

/** @param pageHeaders - the headers of the question, with the cookies */
function toRequest(fetched: PageFetch, pageHeaders: readonly PageHeader[]): SentRequest {
  const { method, credentials, headers, body } = fetched;
  const cookies = credentials ? pageHeaders.filter(([name]) => /^cookie$/i.test(name)) : [];
  const values = [...headers, ...cookies].flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  // Node would send a body without a length in chunks.
  const hasLength = body !== undefined || !['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(method);
  const length = hasLength ? [['Content-Length', String(Buffer.byteLength(body ?? ''))] as const] : [];
  return { ...toSent(fetched, method, [...values, ...length]), body };
}

/** Chromium 156 sends this header with every request. */
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';

function toSent(
  { url, path, origin }: PageFetch,
  method: string,
  headers: readonly (readonly [string, string])[],
): SentRequest {
  const defaults = [
    ['Accept', '*/*'],
    ['Accept-Encoding', 'gzip, deflate, br, zstd'],
    ['Accept-Language', 'en-US,en;q=0.9'],
    ['User-Agent', userAgent],
  ] as const;
  // Referrer Policy 3.5, strict-origin-when-cross-origin.
  const isDowngrade = origin.startsWith('https:') && url.protocol === 'http:' && !isLoopback(url.hostname);
  const referer = /^https?:/.test(origin) && !isDowngrade ? [['Referer', `${origin}/`] as const] : [];
  return {
    ...{ url, path, method },
    headers: [
      ['Host', url.host],
      ...defaults.filter(([name]) => !hasHeader(headers, name.toLowerCase())),
      ...headers,
      ['Origin', origin],
      ...referer,
      ['Sec-Fetch-Dest', 'empty'],
      ['Sec-Fetch-Mode', 'cors'],
      ['Sec-Fetch-Site', isSameSite(url, origin) ? 'same-site' : 'cross-site'],
    ],
  };
}

/** Whether a URL and a page have the same scheme and the same registrable domain. */
export function isSameSite(url: URL, origin: string): boolean {
  return toSite(url) === toSite(origin);
}

/** HTML, site: the scheme and the registrable domain. An opaque origin has none. */
function toSite(from: URL | string): string {
  if (from === 'null') return from;
  const { protocol, hostname } = new URL(from);
  return `${protocol}//${getRegistrableDomain(hostname)}`;
}
