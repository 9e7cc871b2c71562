import { settledWithin, wait } from './abort';
import type { Answer } from './answer';
import { backOff, retryAfter } from './back-off';
import type { FetchRequest, RequestHeaders, Settings } from '../client-options';
import { ConnectionError } from '../errors';
import { sendOnce } from './send-once';

/** A request, which can be sent several times. */
export interface ClientRequest {
  readonly method: 'GET' | 'QUERY' | 'PATCH' | 'PUT' | 'DELETE' | 'OPTIONS';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Safe methods (RFC 9110 9.2.1). */
const safe: readonly string[] = ['GET', 'QUERY', 'OPTIONS'];

/** Statuses after which a request can be sent again, as nothing is wrong with it. */
const retryable = [408, 425, 429, 502, 503, 504];

/**
 * Retryable statuses after which the request can have been carried out: a gateway lost the response, or a timeout middleware
 * answered instead.
 */
const ambiguous = [408, 502, 503, 504];

/**
 * Sends a request until it gets a final answer, or `timeout` is over. It is retried if the connection fails, or after a retryable
 * status. Each attempt is the same request, including its Idempotency-Key.
 *
 * @returns the final answer; or the last one with a retryable status, if there is no time left for another attempt
 * @throws ConnectionError, the signal's reason, and what the option `headers` throws
 */
export async function exchange(
  settings: Settings,
  request: ClientRequest,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const { method, url } = request;
  const changes = !safe.includes(method);
  const end = performance.now() + settings.timeout;
  let uncertain = false;

  function headersLate(): ConnectionError {
    const cause = new Error('The promise that the option headers returned did not settle within timeout.');
    return new ConnectionError(method, url, uncertain, cause);
  }

  for (let failures = 0; ; failures++) {
    signal?.throwIfAborted();
    const given = Promise.resolve(settings.headers());
    const own = await settledWithin(Math.max(1, end - performance.now()), given, headersLate, signal);
    const sent = await sendOnce(settings.fetch, toFetch(settings, request, own), {
      url,
      // What `headers` has taken is part of the time: the least that a timer can wait is left.
      milliseconds: Math.max(1, Math.min(end - performance.now(), settings.timeout / 3)),
      signal,
      // The head of the answer to a write is enough to know the result.
      needsContent: !changes,
    });
    const pause = sent.answer === undefined ? backOff(failures) : pauseAfter(sent.answer, failures);
    if (sent.answer !== undefined && pause === undefined) return { ...sent.answer, uncertain };
    const mayBeDone = sent.answer === undefined || ambiguous.includes(sent.answer.status);
    uncertain ||= changes && mayBeDone;
    if (await isOverAfter(pause ?? 0, end, signal)) {
      if (sent.answer === undefined) throw new ConnectionError(method, url, uncertain, sent.cause);
      return { ...sent.answer, uncertain };
    }
  }
}

/** Waits, unless `end` comes first. Whether it has come is asked again afterwards: timers are late on a busy machine. */
async function isOverAfter(pause: number, end: number, signal: AbortSignal | undefined): Promise<boolean> {
  if (performance.now() + pause >= end) return true;
  await wait(pause, signal);
  return performance.now() >= end;
}

/** The pause before the next attempt; undefined if the answer is final. */
function pauseAfter({ status, field }: Omit<Answer, 'uncertain'>, failures: number): number | undefined {
  const asked = retryAfter(field('Retry-After'));
  const isRetryable = retryable.includes(status) || (status === 409 && asked !== undefined);
  if (!isRetryable) return undefined;
  // Jitter: clients that got the same Retry-After must not return all at once. It grows, for servers that keep sending 0.
  return (asked ?? 0) + backOff(failures);
}

function toFetch(
  { credentials }: Settings,
  { method, headers, body }: ClientRequest,
  own: RequestHeaders,
): Omit<FetchRequest, 'signal'> {
  return {
    method,
    headers: mergedHeaders(own, headers),
    ...(body !== undefined && { body }),
    ...(credentials !== undefined && { credentials }),
    ...(method === 'GET' && takesCacheMode() && { cache: 'no-cache' }),
    // A redirected write can end at a login page, which answers 200.
    redirect: method === 'GET' || method === 'QUERY' ? 'follow' : 'manual',
  };
}

/**
 * The client's own headers replace those of the app, whatever their case. Invalid ones throw here, as fetch would reject them in
 * the same way as a lost connection.
 */
function mergedHeaders(theirs: RequestHeaders, ours: RequestHeaders): Record<string, string> {
  const merged = new Headers(theirs);
  for (const [name, value] of Object.entries(ours)) merged.set(name, value);
  return Object.fromEntries(merged);
}

let takes: boolean | undefined;

/**
 * In the cache mode `default`, fetch adds `Cache-Control: no-cache` to a request that has If-None-Match, and Express then never
 * sends 304; in the mode `no-cache`, it adds `max-age=0` (Fetch, HTTP-network-or-cache fetch, step 8.16). Setting the header here
 * would need a preflight, which the server can refuse. Some workers do not support cache modes, and throw.
 */
function takesCacheMode(): boolean {
  if (takes === undefined) {
    try {
      const init = { method: 'GET', cache: 'no-cache' } as const;
      takes = new Request('http://localhost', init).method === 'GET';
    } catch {
      takes = false;
    }
  }
  return takes;
}
