import { isForbiddenInRequests } from '../cors/names';
import { isForbiddenMethod } from '../http/fetch-methods';
import type { PageHeader } from './question';

/** The headers that a page sets, as a browser classifies them. */
export interface PageHeaders {
  /** The headers that are sent: all except forbidden ones. */
  readonly sent: readonly PageHeader[];
  /** The names of forbidden request-headers, which browsers ignore. */
  readonly ignored: readonly string[];
}

export function classifyHeaders(headers: readonly PageHeader[]): PageHeaders {
  const ignored = headers.filter(
    ([name, value]) => isForbiddenInRequests(name) || overridesMethod(name, value),
  );
  return {
    sent: headers.filter((header) => !ignored.includes(header)),
    ignored: [...new Set(ignored.map(([name]) => name))],
  };
}

/** Fetch, forbidden request-header step 2. */
function overridesMethod(name: string, value = ''): boolean {
  return (
    /^x-(?:http-method|http-method-override|method-override)$/i.test(name) &&
    value.split(',').some((method) => isForbiddenMethod(method.trim()))
  );
}

/** @param name - in lower case */
export function hasHeader(
  headers: readonly (readonly [name: string, value?: string])[],
  name: string,
): boolean {
  return headers.some(([each]) => each.toLowerCase() === name);
}

/** Fetch, CORS-unsafe request-header names: those for which a preflight asks, as the page writes them. */
export function findUnsafeNames(headers: readonly PageHeader[]): readonly string[] {
  const safe = headers.filter(([name, value]) => value !== undefined && isSafelisted(name, value));
  const size = safe.reduce((total, [, value = '']) => total + Buffer.byteLength(value), 0);
  const unsafe = size > 1_024 ? headers : headers.filter((header) => !safe.includes(header));
  return [...new Set(unsafe.map(([name]) => name))];
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
      return first !== undefined && (last === '' || BigInt(first) <= BigInt(last ?? ''));
    }
    default:
      return false;
  }
}
