import type { Fault } from '../../configuration';

/**
 * Header field names as CORS sees them, in lower case, each with why it cannot be in `allowedHeaders` or in
 * `exposedHeaders`.
 */

/** Fetch, forbidden request-header: of these, browsers write what there is, whatever the server allows. */
const writtenByBrowsers = new Set([
  'accept-charset',
  'access-control-request-headers',
  'access-control-request-method',
  'cookie',
  'cookie2',
  'dnt',
  'expect',
  'host',
  'origin',
  'referer',
  'te',
]);

/** Forbidden to scripts too; but in a response they may stand. */
const forbiddenInRequests = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'set-cookie',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
]);

/** Defined for requests alone. */
const requestFields = new Set([
  'accept-language',
  'authorization',
  'from',
  'idempotency-key',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'max-forwards',
  'prefer',
  'range',
  'upgrade-insecure-requests',
  'user-agent',
]);

/** Fetch, forbidden response-header name: scripts cannot read them, whatever the server exposes. */
const forbiddenResponseFields = new Set(['set-cookie', 'set-cookie2']);

/** Defined for responses alone, beside those of CORS and its like. */
const responseFields = new Set([
  'accept-patch',
  'accept-post',
  'accept-ranges',
  'age',
  'allow',
  'alt-svc',
  'clear-site-data',
  'content-security-policy',
  'etag',
  'last-modified',
  'location',
  'permissions-policy',
  'preference-applied',
  'referrer-policy',
  'retry-after',
  'server',
  'server-timing',
  'strict-transport-security',
  'timing-allow-origin',
  'vary',
  'www-authenticate',
  'x-content-type-options',
  'x-frame-options',
]);

/** RFC 9110 5.6.2: a header field name is a token. */
export function nameFault(name: string): Fault | undefined {
  const isToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name);
  return isToken ? undefined : leaveOut('header-name-invalid', 'is no header field name');
}

/** Why a page could never send this field, or never has a reason to; undefined: it could. */
export function requestFieldFault(name: string): Fault | undefined {
  const lower = name.toLowerCase();
  if (writtenByBrowsers.has(lower) || forbiddenInRequests.has(lower) || /^(?:proxy|sec)-/.test(lower)) {
    return leaveOut('cors-header-forbidden', 'is a header field that browsers let no script send');
  }
  const ofPolicy = /^(?:access-control-(?:allow|expose|max)|cross-origin)-/.test(lower);
  return ofPolicy || responseFields.has(lower)
    ? leaveOut('cors-header-misplaced', 'is a response header field')
    : nameFault(name);
}

/** Why a page could never read this field; undefined: it could. */
export function responseFieldFault(name: string): Fault | undefined {
  const lower = name.toLowerCase();
  if (forbiddenResponseFields.has(lower)) {
    return leaveOut('cors-header-forbidden', 'is a header field that browsers let no script read');
  }
  return requestFields.has(lower) || writtenByBrowsers.has(lower)
    ? leaveOut('cors-header-misplaced', 'is a request header field')
    : nameFault(name);
}

function leaveOut(code: Fault['code'], reason: string): Fault {
  return { code, reason, fix: 'Leave it out.' };
}
