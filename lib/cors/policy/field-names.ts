import type { Fault } from '../../config/mistake';

/**
 * Header names in CORS options. Only names that have no effect are mistakes: a header that a standard defines
 * for the other direction, such as ETag in a request, is not, as an app can send it all the same.
 */

/** Fetch, forbidden request-header: browsers set these themselves, whatever the server allows. */
const forbiddenInRequests = new Set([
  'accept-charset',
  'accept-encoding',
  'access-control-request-headers',
  'access-control-request-method',
  'connection',
  'content-length',
  'cookie',
  'cookie2',
  'date',
  'dnt',
  'expect',
  'host',
  'keep-alive',
  'origin',
  'referer',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
]);

/** Fetch, forbidden request-header, by name alone: browsers do not let scripts send it. */
export function isForbiddenInRequests(name: string): boolean {
  const lower = name.toLowerCase();
  return forbiddenInRequests.has(lower) || /^(?:proxy|sec)-/.test(lower);
}

/** RFC 9110 5.6.2: a header field name is a token. */
export function findNameFault(name: string): Fault | undefined {
  const isToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name);
  return isToken ? undefined : leaveOut('header-name-invalid', 'is not a valid header name');
}

/** Why a page can never send this header; undefined if it can. */
export function findRequestHeaderFault(name: string): Fault | undefined {
  return isForbiddenInRequests(name)
    ? leaveOut('cors-header-forbidden', 'is a header that browsers do not let scripts send')
    : findNameFault(name);
}

/** Why a page can never read this header (Fetch, forbidden response-header name); undefined if it can. */
export function findResponseHeaderFault(name: string): Fault | undefined {
  return /^set-cookie2?$/i.test(name)
    ? leaveOut('cors-header-forbidden', 'is a header that browsers do not let scripts read')
    : findNameFault(name);
}

function leaveOut(code: Fault['code'], reason: string): Fault {
  return { code, reason, fix: 'Leave it out.' };
}
