import { orAborted, wait } from './abort';
import type { Answer } from './answer';
import { backOff, retryAfter } from './back-off';
import type { FetchRequest, RequestHeaders, Settings } from '../client-options';
import { ConnectionError } from '../errors';
import { sendOnce } from './send-once';

/** A request as it is sent, however often. */
export interface ClientRequest {
  readonly method: 'GET' | 'QUERY' | 'PATCH' | 'PUT' | 'DELETE' | 'OPTIONS';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** RFC 9110 9.2.1 */
const safe: readonly string[] = ['GET', 'QUERY', 'OPTIONS'];

/** Statuses of what may be sent again: nothing is wrong with the request. */
const passing = [408, 425, 429, 502, 503, 504];

/**
 * Of these, those after which the request may have been carried out: a gateway has lost the answer, or a time limit of the
 * app has answered in its place.
 */
const ambiguous = [408, 502, 503, 504];

/**
 * Sends a request until it is answered for good, or `timeout` is over: again where the connection failed, and where the
 * server says that it may be sent again. It is the same request each time, its Idempotency-Key included.
 *
 * @returns also a refusal that may pass, where there was no time left to wait for that
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
  for (let failures = 0; ; failures++) {
    signal?.throwIfAborted();
    const own = await orAborted(Promise.resolve(settings.headers()), signal);
    const sent = await sendOnce(settings.fetch, toFetch(settings, request, own), {
      url,
      milliseconds: Math.min(end - performance.now(), settings.timeout / 3),
      signal,
      // Without the content of an answer to a change, it is still known that there was one.
      needsContent: !changes,
    });
    const pause = sent.answer === undefined ? backOff(failures) : pauseAfter(sent.answer, failures);
    if (sent.answer !== undefined && pause === undefined) return { ...sent.answer, uncertain };
    const mayBeDone = sent.answer === undefined || ambiguous.includes(sent.answer.status);
    uncertain ||= changes && mayBeDone;
    if (performance.now() + (pause ?? 0) >= end) {
      if (sent.answer === undefined) throw new ConnectionError(method, url, uncertain, sent.cause);
      return { ...sent.answer, uncertain };
    }
    await wait(pause ?? 0, signal);
  }
}

/** Undefined where the answer stands. */
function pauseAfter({ status, field }: Omit<Answer, 'uncertain'>, failures: number): number | undefined {
  const asked = retryAfter(field('Retry-After'));
  const mayPass = passing.includes(status) || (status === 409 && asked !== undefined);
  if (!mayPass) return undefined;
  // Those who were told the same do not come back all at once.
  return asked === undefined ? backOff(failures) : asked + backOff(1);
}

function toFetch(
  { credentials }: Settings,
  { method, headers, body }: ClientRequest,
  own: RequestHeaders,
): Omit<FetchRequest, 'signal'> {
  return {
    method,
    headers: joined(own, headers),
    ...(body !== undefined && { body }),
    ...(credentials !== undefined && { credentials }),
    ...(method === 'GET' && takesCacheMode() && { cache: 'no-cache' }),
    // A change that is redirected may end at a login page, which answers 200.
    redirect: method === 'GET' || method === 'QUERY' ? 'follow' : 'manual',
  };
}

/** Ours win over the app's, in whatever case it writes them. */
function joined(theirs: RequestHeaders, ours: RequestHeaders): Record<string, string> {
  const taken = Object.keys(ours).map((name) => name.toLowerCase());
  const kept = Object.entries(theirs).filter(([name]) => !taken.includes(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...ours };
}

let takes: boolean | undefined;

/**
 * Under the cache mode `default`, fetch adds `Cache-Control: no-cache` to a request that has an If-None-Match of its own, and
 * Express then never sends 304; under `no-cache` it adds `max-age=0` (Fetch, HTTP-network-or-cache fetch, step 8.16). A field
 * set here would cost a preflight that the server may refuse. Some workers know no cache modes, and throw.
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
