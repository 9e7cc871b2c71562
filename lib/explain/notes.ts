import { readValue } from '../cors/fetch-steps';
import { isLoopback } from '../cors/origin-text';
import { isSafelistedMethod } from '../http/fetch-methods';
import { isSameSite, type BrowserOutcome } from './fetch';
import { findUnsafeNames, type PageHeaders } from './page-headers';
import type { CheckedQuestion } from './question';
import type { HttpExchange } from './transport';

/** Chromium 156: client hints, and headers that it always sets itself. */
const chromiumHeaders = /^(?:user-agent|save-data|device-memory|dpr|width|viewport-width|rtt|downlink|ect)$/i;

/**
 * Remarks on the result: headers and cookies that browsers ignore, and differences between Chromium and the
 * Fetch standard.
 */
export function writeNotes(
  { origin, credentials, upload }: CheckedQuestion,
  method: string,
  { sent, ignored }: PageHeaders,
  { refusal, isSent, exchanges }: BrowserOutcome,
): readonly string[] {
  const notes: string[] = [];
  const unsafe = findUnsafeNames(sent);
  const preflight = exchanges.findLast(
    ({ request }) => request.method === 'OPTIONS' && method !== 'OPTIONS',
  )?.answer;
  if (ignored.length > 0) {
    notes.push(`Browsers ignore these headers if a script sets them: ${ignored.join(', ')}.`);
  }
  const headersOfChromium = unsafe.filter((name) => chromiumHeaders.test(name));
  if (headersOfChromium.length > 0) {
    notes.push(
      `Unlike the Fetch standard, Chromium does not ask for ${headersOfChromium.join(', ')}: ` +
        'it sends its own User-Agent, and always allows client hints.',
    );
  }
  const allowed = (preflight && readValue(preflight, 'access-control-allow-headers')) ?? '';
  const isStar = allowed.split(',').some((name) => name.trim() === '*') && !credentials;
  if (refusal?.code === 'cors-header-not-allowed' && isStar) {
    notes.push(
      "Unlike the Fetch standard, Chromium lets '*' cover Authorization, but asks again before every request.",
    );
  }
  const listsNoMethods = preflight && readValue(preflight, 'access-control-allow-methods') === undefined;
  if (upload && listsNoMethods === true && !isSafelistedMethod(method)) {
    notes.push(
      'Unlike the Fetch standard, Chromium refuses an upload whose preflight has no ' +
        'Access-Control-Allow-Methods.',
    );
  }
  if (preflight !== undefined && (isSent || refusal === undefined)) {
    const maxAge = readValue(preflight, 'access-control-max-age');
    if (maxAge === undefined || Number(maxAge) <= 0) {
      notes.push(
        maxAge === undefined
          ? 'The browser keeps the preflight for five seconds only: it has no Access-Control-Max-Age.'
          : `The browser sends a preflight before every request: Access-Control-Max-Age is ${maxAge}.`,
      );
    }
  }
  const answered = exchanges.at(-1);
  if (isSent && credentials && answered !== undefined) notes.push(...noteCookies(answered, origin));
  return notes;
}

/**
 * Remarks on cookies that the answer sets, but that a browser does not send back (RFC 6265bis 5.7, and
 * CHIPS).
 */
function noteCookies({ request: { url }, answer }: HttpExchange, origin: string): readonly string[] {
  const isInsecure = url.protocol === 'http:' && !isLoopback(url.hostname);
  const crossesSites = !isSameSite(url, origin);
  const { rawHeaders = [] } = answer ?? {};
  const lines = rawHeaders.filter((_line, i) => i % 2 === 1 && /^set-cookie$/i.test(rawHeaders[i - 1] ?? ''));
  return lines.flatMap((line) => {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const has = (pattern: RegExp): boolean => attributes.some((attribute) => pattern.test(attribute));
    const [secure, partitioned] = [has(/^secure$/i), has(/^partitioned$/i)];
    const cookie = `the cookie ${pair.replace(/=.*/s, '')}`;
    if (secure && isInsecure) return `Browsers ignore ${cookie}: it is Secure, but the request uses http:.`;
    if (!crossesSites) return [];
    if (!has(/^samesite\s*=\s*none$/i)) {
      return (
        `Browsers ignore ${cookie}: the page is of another site, and it has no SameSite=None. ` +
        'Write SameSite=None; Secure; Partitioned.'
      );
    }
    if (!secure) return `Browsers ignore ${cookie}: SameSite=None needs Secure.`;
    if (partitioned) return [];
    return (
      `Safari, and browsers that block third-party cookies, ignore ${cookie}: the page is of another site. ` +
      'Add Partitioned, or serve both from one site.'
    );
  });
}
