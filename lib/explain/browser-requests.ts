import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { isSafelistedMethod, normalizedMethod, isForbiddenMethod } from '../cors/policy/fetch-methods';
import type { PageRequest } from '../cors/fetch-steps';
import type { CheckedQuestion } from './question';
import { isForbiddenInRequests } from '../cors/policy/field-names';

/**
 * The requests that a browser makes for a question: the request of the page and, if it needs one, its
 * preflight.
 */
export interface BrowserRequests {
  readonly page: PageRequest;
  /** Headers that the browser does not let the page set. */
  readonly leftOut: readonly string[];
  readonly preflight: IncomingMessage | undefined;
  readonly actual: IncomingMessage;
}

export function browserRequests(question: CheckedQuestion): BrowserRequests {
  const { origin, path, headers: fields, credentials, upload } = question;
  const method = normalizedMethod(question.method);
  const { unsafe, leftOut } = pageHeaders(fields);
  const simple = isSafelistedMethod(method) && unsafe.length === 0 && upload !== true;
  const values = new Map<string, string>();
  for (const [name, value] of fields) if (value !== undefined) values.set(name.toLowerCase(), value);
  // The browser itself sets the headers that pages cannot set, on the preflight too; except cookies, which
  // are credentials.
  const ofBrowser = leftOut.map((name) => name.toLowerCase()).filter((name) => name !== 'cookie');
  const kept = [...values].filter(([name]) => ofBrowser.includes(name));
  const names = unsafe.map((name) => name.toLowerCase()).sort();
  const asking = {
    'access-control-request-method': method,
    ...(names.length > 0 ? { 'access-control-request-headers': names.join(',') } : {}),
  };
  return {
    page: { method, headers: unsafe, credentials },
    leftOut,
    preflight: simple
      ? undefined
      : request('OPTIONS', path, { ...Object.fromEntries(kept), origin, ...asking }),
    actual: request(method, path, { ...Object.fromEntries(values), origin }),
  };
}

/** A request without a connection. */
function request(method: string, url: string, headers: IncomingMessage['headers']): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { method, url, headers });
}

/** The headers that a page sets, as a browser classifies them. */
interface PageHeaders {
  /** CORS-unsafe request-header names, which a preflight asks for. */
  readonly unsafe: readonly string[];
  /** Forbidden request-headers, which browsers ignore. */
  readonly leftOut: readonly string[];
}

/** @param fields - names and values; a name without a value is one that the preflight lists */
function pageHeaders(fields: readonly (readonly [string, string?])[]): PageHeaders {
  const leftOut = new Set<string>();
  const unsafe = new Set<string>();
  // Safelisted headers of more than 1,024 bytes in total would be unsafe, too, but there are too few of them
  // for that.
  for (const [name, value] of fields) {
    if (isForbiddenInRequests(name) || overridesByForbidden(name, value)) leftOut.add(name);
    else if (value === undefined || !isSafelisted(name, value)) unsafe.add(name);
  }
  return { unsafe: [...unsafe], leftOut: [...leftOut] };
}

/** Fetch, forbidden request-header step 2. */
function overridesByForbidden(name: string, value = ''): boolean {
  return (
    /^x-(?:http-method|http-method-override|method-override)$/i.test(name) &&
    value.split(',').some((method) => isForbiddenMethod(method.trim()))
  );
}

const unsafeByte = /[^\t\x20-\x7e\x80-\uffff]|["():<>?@[\\\]{}]/;
const unsafeLanguageByte = /[^0-9A-Za-z *,\-.;=]/;

/** Fetch, CORS-safelisted request-header. */
function isSafelisted(name: string, value: string): boolean {
  if (Buffer.byteLength(value) > 128) return false;
  switch (name.toLowerCase()) {
    case 'accept':
      return !unsafeByte.test(value);
    case 'accept-language':
    case 'content-language':
      return !unsafeLanguageByte.test(value);
    case 'content-type': {
      const [essence = ''] = value.split(';');
      const safe = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)$/i;
      return !unsafeByte.test(value) && safe.test(essence.trim());
    }
    case 'range': {
      const [, first, last] = /^bytes=([0-9]+)-([0-9]*)$/.exec(value) ?? [];
      return first !== undefined && (last === '' || Number(first) <= Number(last));
    }
    default:
      return false;
  }
}
