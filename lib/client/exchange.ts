import { isContainer } from '../json/value';
import { orAborted, wait, withTimeLimit } from './abort';
import { isSuccess, problemIn, textIn, type Answer, type AnswerOnce } from './answer';
import type { FetchRequest, FetchResponse, RequestHeaders, Settings } from './client-options';
import { ConnectionError } from './errors';

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
 * How many times a write with an Idempotency-Key is sent again after other answers that leave open whether it
 * was made. An error that outlasts these retries will not pass while a person waits.
 */
const maxInquiries = 3;

/**
 * Sends a request until it gets a final answer, or until `timeout` is over. It is retried if the connection
 * fails, or after a retryable status; with an Idempotency-Key, also up to three times after other answers
 * that leave open whether it was carried out. Each attempt sends the same request, including the key.
 *
 * @param assertGoesOn - called before each attempt, when its headers are known; an error that it throws ends
 *   the exchange
 * @param onUncertain - called when the exchange ends in any way, if the request may have been carried out
 * @returns the final answer; or the last one, if there is no time left for another attempt
 * @throws ConnectionError, the signal's reason, and errors of the option `headers` and of `assertGoesOn`
 *   before anything may have been carried out
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
  const failure = (cause: unknown) => new ConnectionError(method, url, uncertain, cause);

  try {
    for (let failures = 0; ; failures++) {
      signal?.throwIfAborted();
      const pendingHeaders = Promise.resolve(settings.headers());
      const appHeaders = await withTimeLimit(
        Math.max(1, end - performance.now()),
        () => failure(new Error('The function headers did not settle within timeout.')),
        signal,
        (limit) => orAborted(pendingHeaders, limit.signal),
      ).finally(assertGoesOn);
      const toSend = toFetch(settings, request, appHeaders);
      const wasUncertain: boolean = uncertain;
      uncertain = changes;
      // The time that `headers` took counts. A timer waits for at least one millisecond.
      const timeLeft = Math.max(1, Math.min(end - performance.now(), settings.timeout / 3));
      const { answer, cause } = await sendOnce(settings, url, toSend, timeLeft, signal);
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
    // An error before a retry says nothing about the earlier attempts.
    throw uncertain && !(error instanceof ConnectionError) ? failure(error) : error;
  } finally {
    if (uncertain) onUncertain();
  }
}

function toFetch(
  { credentials }: Settings,
  { method, headers, body }: ClientRequest,
  appHeaders: RequestHeaders,
): Omit<FetchRequest, 'signal'> {
  // Invalid headers of the app throw here, because fetch would reject them as it rejects a lost connection.
  const merged = new Headers(appHeaders);
  for (const [name, value] of Object.entries(headers)) merged.set(name, value);
  return {
    method,
    headers: Object.fromEntries(merged),
    ...(body !== undefined && { body }),
    ...(credentials !== undefined && { credentials }),
    ...(method === 'GET' && takesCacheMode() && { cache: 'no-cache' }),
    // A redirected write can end at a login page, which answers 200.
    redirect: method === 'GET' ? 'follow' : 'manual',
  };
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

/**
 * @returns the answer; if there is none, the cause. A safe request whose content is cut short has no answer,
 *   but for a write, the head of the answer is enough to know the result.
 * @throws the signal's reason, if it is aborted
 */
async function sendOnce(
  { fetch }: Settings,
  url: string,
  request: Omit<FetchRequest, 'signal'>,
  milliseconds: number,
  signal: AbortSignal | undefined,
): Promise<{ readonly answer?: AnswerOnce; readonly cause?: unknown }> {
  signal?.throwIfAborted();
  const late = () => new Error(`No response within ${Math.round(milliseconds)} ms.`);
  return withTimeLimit(milliseconds, late, signal, async (limit) => {
    let response: FetchResponse | undefined;
    try {
      response = await orAborted(fetch(url, { ...request, signal: limit.signal }), limit.signal);
      const content = isSuccess(response.status) ? response.text() : boundedText(response);
      const text = await orAborted(content, limit.signal);
      if (text === undefined) limit.abort();
      return { answer: { ...readHead(response), text } };
    } catch (cause) {
      signal?.throwIfAborted();
      if (response === undefined || safe.includes(request.method)) return { cause };
      return { answer: { ...readHead(response), text: undefined } };
    }
  });
}

function readHead({ status, headers }: FetchResponse): Omit<AnswerOnce, 'text'> {
  return { status, field: (name) => headers.get(name) };
}

/** The maximum length of the content of a refusal, in characters: any intermediary may have sent it. */
const maxCharacters = 10_000_000;

/**
 * The content; undefined if it is longer than `maxCharacters`. A response without a stream is read without a
 * limit.
 */
async function boundedText(response: FetchResponse): Promise<string | undefined> {
  if (!isStream(response.body)) return response.text();
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (text.length <= maxCharacters) {
    const { done, value } = await reader.read();
    text += decoder.decode(value, { stream: !done });
    if (done) return text;
  }
  return undefined;
}

interface Stream {
  getReader(): { read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array }> };
}

function isStream(body: unknown): body is Stream {
  return isContainer(body) && 'getReader' in body;
}

/**
 * The pause in milliseconds before the next attempt of a request that failed this often: exponential, with
 * full jitter.
 */
export function backOffDelay(failures: number): number {
  return Math.random() * Math.min(5_000, 100 * 2 ** failures);
}

/**
 * Whether an attempt with this answer may have made the write, although the answer is not a success. Only a
 * 4xx says that it did not: any other status can come from a gateway, or from a server that failed after the
 * commit. But a 408 comes from a timeout middleware while the handler goes on, and a 409 answers the repeat
 * of a request while the first request with its idempotency key goes on.
 */
function isOpen(answer: AnswerOnce): boolean {
  const { status } = answer;
  const isRefusal = status >= 400 && status < 500 && status !== 408;
  const goesOn = status === 409 && textIn(problemIn(answer), 'code') === 'idempotency-key-in-flight';
  return !isSuccess(status) && (!isRefusal || goesOn);
}

/**
 * Whether an answer also decides about the earlier attempts. A success does; so does a 412 with an
 * Idempotency-Key, because the server looks for the outcome of the key before it checks the preconditions.
 */
function isConclusive({ status }: AnswerOnce, hasKey: boolean): boolean {
  return isSuccess(status) || (hasKey && status === 412);
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

/**
 * The pause in milliseconds that Retry-After asks for, in seconds or as a date (RFC 9110 10.2.3); undefined
 * if it is missing or malformed.
 */
function retryAfter(field: string | null): number | undefined {
  if (field === null) return undefined;
  if (/^\s*\d+\s*$/.test(field)) return Number(field) * 1_000;
  // Date.parse takes many texts for a date in the past, such as -1 and 1.5.
  const date = / GMT$/.test(field) ? Date.parse(field) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/**
 * Waits, unless `end` comes first. The clock is read again afterwards, because timers are late on a busy
 * machine.
 */
async function isOverAfter(pause: number, end: number, signal: AbortSignal | undefined): Promise<boolean> {
  if (performance.now() + pause >= end) return true;
  await wait(pause, signal);
  return performance.now() >= end;
}
