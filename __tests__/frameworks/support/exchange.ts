import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Answer {
  readonly status: number;
  /** But for what differs from one answer to the next: dates, ids of sessions, counters of rate limits. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Fields = Readonly<Record<string, string>>;

const changing =
  /^(?:date|connection|keep-alive|set-cookie|ratelimit-\w+|x-powered-by|etag|content-security-policy)$/;

/** One request on a connection of its own, with a JSON body where the method takes one. */
export async function exchange(port: number, method: string, path: string, fields: Fields): Promise<Answer> {
  const body = /^P(?:OST|UT|ATCH)$/.test(method) ? '{"title":"x"}' : undefined;
  const headers = { host: 'localhost', ...(body && { 'content-type': 'application/json' }), ...fields };
  const sending = request({ port, method, path, headers, agent: false });
  sending.end(body);
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  const kept = Object.entries(response.headers).filter(([name]) => !changing.test(name));
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
    body: (await text(response)).replace(/"sid":"[^"]+"/, '"sid":"…"'),
  };
}
