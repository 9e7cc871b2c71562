import { getRegistrableDomain } from '../cors/origin/public-suffix';
import { isLoopback } from '../cors/origin/text';
import { findUnsafeNames, hasHeader } from './page-headers';
import type { CheckedQuestion } from './question';
import type { Hop } from './redirect';
import type { SentRequest } from './transport';

/** CORS-preflight fetch steps 1 to 5. */
export function toPreflight(hop: Hop): SentRequest {
  const names = findUnsafeNames(hop.headers).map((name) => name.toLowerCase());
  const requested = [...new Set(names)].sort().join(',');
  const headers = [
    ['Access-Control-Request-Method', hop.method] as const,
    ...(requested === '' ? [] : [['Access-Control-Request-Headers', requested] as const]),
  ];
  return toSent(hop, 'OPTIONS', headers);
}

export function toRequest(hop: Hop, { headers, credentials }: CheckedQuestion, base: URL): SentRequest {
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

function toSent(hop: Hop, method: string, headers: readonly (readonly [string, string])[]): SentRequest {
  const { url, path, pageOrigin, origin, urls, body } = hop;
  const isSameSite = [...urls, url].every((each) => toSite(each) === toSite(pageOrigin));
  const defaults = [
    ['Accept', '*/*'],
    ['Accept-Encoding', 'gzip, deflate, br, zstd'],
    ['Accept-Language', 'en-US,en;q=0.9'],
    ['User-Agent', userAgent],
  ] as const;
  // Node would send a body without a length in chunks.
  const hasLength = body !== undefined || !['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(method);
  const isPreflight = method !== hop.method;
  const length =
    hasLength && !isPreflight ? [['Content-Length', String(Buffer.byteLength(body ?? ''))] as const] : [];
  // Referrer Policy 3.5, strict-origin-when-cross-origin.
  const isDowngrade =
    pageOrigin.startsWith('https:') && url.protocol === 'http:' && !isLoopback(url.hostname);
  const referer = /^https?:/.test(pageOrigin) && !isDowngrade ? [['Referer', `${pageOrigin}/`] as const] : [];
  return {
    ...{ url, path, method },
    headers: [
      ['Host', url.host],
      ...defaults.filter(([name]) => !hasHeader(headers, name.toLowerCase())),
      ...headers,
      ...length,
      ['Origin', origin],
      ...referer,
      ['Sec-Fetch-Dest', 'empty'],
      ['Sec-Fetch-Mode', 'cors'],
      ['Sec-Fetch-Site', isSameSite ? 'same-site' : 'cross-site'],
    ],
  };
}

/** HTML, site: the scheme and the registrable domain. An opaque origin has none. */
function toSite(from: URL | string): string {
  if (from === 'null') return from;
  const { protocol, hostname } = new URL(from);
  return `${protocol}//${getRegistrableDomain(hostname)}`;
}
