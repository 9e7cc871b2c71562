import { isForbiddenMethod } from '../cors/policy/fetch-methods';
import { isForbiddenInRequests } from '../cors/policy/field-names';

/** The headers that a page sets, as a browser classifies them. */
export interface PageHeaders {
  /** CORS-unsafe request-header names, which a preflight asks for. */
  readonly unsafe: readonly string[];
  /** Forbidden request-headers, which browsers ignore. */
  readonly leftOut: readonly string[];
}

/** @param fields - names and values; a name without a value is one that the preflight lists */
export function pageHeaders(fields: readonly (readonly [string, string?])[]): PageHeaders {
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
