import type { IncomingMessage } from 'node:http';

/** The headers of a request. Requests from adapters may have no `rawHeaders`. */
export type RequestFields = Pick<IncomingMessage, 'headers'> & Partial<Pick<IncomingMessage, 'rawHeaders'>>;

/**
 * The headers of which Node keeps the first line, and drops the others. A proxy in front may have read the last one: so
 * all are joined here, and a repeated header is noticed.
 */
const keptOnce: ReadonlySet<string> = new Set(['content-type', 'if-modified-since', 'if-unmodified-since']);

/**
 * The value of a header of a request; undefined if it was not sent. Repeated lines are one list (RFC 9110 5.3).
 *
 * @param name - in lower case
 */
export function header({ headers, rawHeaders = [] }: RequestFields, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  if (value === undefined || !keptOnce.has(name)) return value?.toString();
  // Not `headersDistinct`: before Node 20.20.2 it throws if a header is called __proto__ (CVE-2026-21710).
  const lines: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length === name.length && rawHeaders[i]?.toLowerCase() === name)
      lines.push(rawHeaders[i + 1] ?? '');
  }
  return lines.length > 1 ? lines.join(', ') : value.toString();
}
