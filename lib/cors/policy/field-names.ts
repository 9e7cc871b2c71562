import type { Fault } from '../../configuration';

/**
 * Header names as CORS sees them. Only those that can do nothing are mistakes: what a standard defines for the other
 * direction, such as ETag in a request, an app may send all the same.
 */

/** Fetch, forbidden request-header: of these, browsers write what there is, whatever the server allows. */
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

/** Fetch, forbidden request-header, whatever its value: browsers let no script send it. */
export function isForbiddenInRequests(name: string): boolean {
  const lower = name.toLowerCase();
  return forbiddenInRequests.has(lower) || /^(?:proxy|sec)-/.test(lower);
}

/** RFC 9110 5.6.2: a header field name is a token. */
export function nameFault(name: string): Fault | undefined {
  const isToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name);
  return isToken ? undefined : leaveOut('header-name-invalid', 'is no header field name');
}

/** Why a page could never send this field; undefined: it could. */
export function requestFieldFault(name: string): Fault | undefined {
  return isForbiddenInRequests(name)
    ? leaveOut('cors-header-forbidden', 'is a header field that browsers let no script send')
    : nameFault(name);
}

/** Why a page could never read this field (Fetch, forbidden response-header name); undefined: it could. */
export function responseFieldFault(name: string): Fault | undefined {
  return /^set-cookie2?$/i.test(name)
    ? leaveOut('cors-header-forbidden', 'is a header field that browsers let no script read')
    : nameFault(name);
}

function leaveOut(code: Fault['code'], reason: string): Fault {
  return { code, reason, fix: 'Leave it out.' };
}
