import { settledWithin, wait } from './abort';
import type { Answer, AnswerOnce } from './answer';
import { backOffDelay, retryAfter } from './back-off';
import { isConclusive, isOpen } from './certainty';
import type { FetchRequest, RequestHeaders, Settings } from '../client-options';
import { ConnectionError } from '../errors';
import { sendOnce } from './send-once';

/** A request, which can be sent several times. */
export interface ClientRequest {
  readonly method: 'GET' | 'PATCH' | 'PUT' | 'DELETE' | 'OPTIONS';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Safe methods (RFC 9110 9.2.1). */
export const safe: readonly string[] = ['GET', 'OPTIONS'];

/** Statuses after which a request can be sent again, as nothing is wrong with it. */
export const retryable: readonly number[] = [408, 425, 429, 502, 503, 504];

/**
 * How often a write is asked for again under its key after any other answer that leaves it open. A fault that
 * is still there after that will not pass while a person waits.
 */
const maxInquiries = 3;

/**
 * Sends a request until it gets a final answer, or `timeout` is over. It is retried if the connection fails,
 * or after a retryable status; if it has an Idempotency-Key, also up to three times after other answers that
 * leave open whether it was carried out. Each attempt is the same request, including its key.
 *
 * @param assertGoesOn - called before each attempt, when its headers are there; what it throws ends the
 *   exchange
 * @param onUncertain - called if the exchange ends, in whatever way, and the request may have been carried
 *   out
 * @returns the final answer; or the last one, if there is no time left for another attempt
 * @throws ConnectionError, the signal's reason, and what the option `headers` and `assertGoesOn` throw before
 *   anything may have been carried out
 */
export async function exchange(
  settings: Settings,
  request: ClientRequest,
  signal: AbortSignal | undefined,
  assertGoesOn: () => void,
  onUncertain: () => void,
): Promise<Answer> {
  const { method, url, headers } = request;
  const changes = !safe.includes(method);
  const hasKey = 'Idempotency-Key' in headers;
  const end = performance.now() + settings.timeout;
  let uncertain = false;
  let inquiries = 0;

  function failure(cause: unknown): ConnectionError {
    return new ConnectionError(method, url, uncertain, cause);
  }

  try {
    for (let failures = 0; ; failures++) {
      signal?.throwIfAborted();
      const pendingHeaders = Promise.resolve(settings.headers());
      const appHeaders = await settledWithin(
        Math.max(1, end - performance.now()),
        pendingHeaders,
        () => failure(new Error('The function headers did not settle within timeout.')),
        signal,
      ).finally(assertGoesOn);
      const toSend = toFetch(settings, request, appHeaders);
      const wasUncertain: boolean = uncertain;
      uncertain = changes;
      const { answer, cause } = await sendOnce(settings.fetch, toSend, {
        url,
        // The time that `headers` took counts. A timer waits for at least one millisecond.
        milliseconds: Math.max(1, Math.min(end - performance.now(), settings.timeout / 3)),
        signal,
        // The head of the answer to a write is enough to know the result.
        needsContent: !changes,
      });
      let pause: number | undefined = backOffDelay(failures);
      if (answer !== undefined) {
        const isOpenWrite = changes && isOpen(answer);
        uncertain = isOpenWrite || (wasUncertain && !isConclusive(answer, hasKey));
        const isOther = isOpenWrite && hasKey && !retryable.includes(answer.status);
        pause = pauseAfter(answer, pause, isOther && inquiries++ < maxInquiries);
      }
      if (pause === undefined || (await isOverAfter(pause, end, signal))) {
        if (answer === undefined) throw failure(cause);
        return { ...answer, uncertain };
      }
    }
  } catch (error) {
    signal?.throwIfAborted();
    // An error before a repeat says nothing about the attempts before it.
    throw uncertain && !(error instanceof ConnectionError) ? failure(error) : error;
  } finally {
    if (uncertain) onUncertain();
  }
}

/**
 * Waits, unless `end` comes first. Whether it has come is asked again afterwards: timers are late on a busy
 * machine.
 */
async function isOverAfter(pause: number, end: number, signal: AbortSignal | undefined): Promise<boolean> {
  if (performance.now() + pause >= end) return true;
  await wait(pause, signal);
  return performance.now() >= end;
}

/** The pause before the next attempt; undefined if the answer is final. */
function pauseAfter(
  { status, field }: AnswerOnce,
  jitter: number,
  isRepeatable: boolean,
): number | undefined {
  const delay = retryAfter(field('Retry-After'));
  const isRetryable = isRepeatable || retryable.includes(status) || (status === 409 && delay !== undefined);
  // Clients that got the same Retry-After must not return all at once. The jitter grows, for servers that
  // keep sending 0.
  return isRetryable ? (delay ?? 0) + jitter : undefined;
}

function toFetch(
  { credentials }: Settings,
  { method, headers, body }: ClientRequest,
  appHeaders: RequestHeaders,
): Omit<FetchRequest, 'signal'> {
  return {
    method,
    headers: mergedHeaders(appHeaders, headers),
    ...(body !== undefined && { body }),
    ...(credentials !== undefined && { credentials }),
    ...(method === 'GET' && takesCacheMode() && { cache: 'no-cache' }),
    // A redirected write can end at a login page, which answers 200.
    redirect: method === 'GET' ? 'follow' : 'manual',
  };
}

/**
 * The client's own headers replace those of the app, whatever their case. Invalid ones throw here, as fetch
 * would reject them in the same way as a lost connection.
 */
function mergedHeaders(theirs: RequestHeaders, ours: RequestHeaders): Record<string, string> {
  const merged = new Headers(theirs);
  for (const [name, value] of Object.entries(ours)) merged.set(name, value);
  return Object.fromEntries(merged);
}

let takes: boolean | undefined;

/**
 * In the cache mode `default`, fetch adds `Cache-Control: no-cache` to a request that has If-None-Match, and
 * Express then never sends 304; in the mode `no-cache`, it adds `max-age=0` (Fetch, HTTP-network-or-cache
 * fetch, step 8.16). Setting the header here would need a preflight, which the server can refuse. Some
 * workers do not support cache modes, and throw.
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
