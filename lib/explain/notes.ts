import { isSafelistedMethod } from '../http/fetch-methods';
import { readValue } from './words';
import type { BrowserOutcome } from './fetch';
import { findUnsafeNames, type PageHeaders } from './page-headers';
import type { CheckedQuestion } from './question';

/** Chromium 156: client hints, and headers that it always sets itself. */
const chromiumHeaders = /^(?:user-agent|save-data|device-memory|dpr|width|viewport-width|rtt|downlink|ect)$/i;

/** Remarks beside the result: what browsers ignore, and where Chromium differs from the Fetch standard. */
export function writeNotes(
  { credentials, upload }: CheckedQuestion,
  method: string,
  { sent, ignored }: PageHeaders,
  { refusal, exchanges }: BrowserOutcome,
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
    notes.push("Unlike the Fetch standard, Chromium lets '*' cover Authorization.");
  }
  const listsNoMethods = preflight && readValue(preflight, 'access-control-allow-methods') === undefined;
  if (upload && listsNoMethods === true && !isSafelistedMethod(method)) {
    notes.push(
      'Unlike the Fetch standard, Chromium refuses an upload whose preflight has no ' +
        'Access-Control-Allow-Methods.',
    );
  }
  return notes;
}
