import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { isSafelistedMethod, normalizedMethod } from '../cors/policy/fetch-methods';
import type { PageRequest } from '../cors/fetch-steps';
import type { CheckedQuestion } from './question';
import { pageHeaders } from './unsafe-headers';

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
