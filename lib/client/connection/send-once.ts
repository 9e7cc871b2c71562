import { isContainer } from '../../json/value';
import { orAborted } from './abort';
import type { AnswerOnce } from './answer';
import { isSuccess } from './certainty';
import type { Fetch, FetchRequest, FetchResponse } from '../client-options';

/** The result of one attempt: an answer, or the failure. */
export interface Sent {
  /** Undefined if it failed. */
  readonly answer?: AnswerOnce;
  readonly cause?: unknown;
}

interface Sending {
  readonly url: string;
  /** The time limit of the attempt. */
  readonly milliseconds: number;
  readonly signal: AbortSignal | undefined;
  /** Whether a response whose content is cut short counts as a failure. */
  readonly needsContent: boolean;
}

/** @throws the signal's reason, if it is aborted */
export async function sendOnce(
  fetch: Fetch,
  request: Omit<FetchRequest, 'signal'>,
  { url, milliseconds, signal, needsContent }: Sending,
): Promise<Sent> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const leave = (): void => {
    controller.abort(signal?.reason);
  };
  signal?.addEventListener('abort', leave);
  const timer = setTimeout(() => {
    controller.abort(new Error(`No response within ${Math.round(milliseconds)} ms.`));
  }, milliseconds);

  let response: FetchResponse | undefined;
  try {
    response = await orAborted(fetch(url, { ...request, signal: controller.signal }), controller.signal);
    const content = isSuccess(response.status) ? response.text() : boundedText(response);
    const text = await orAborted(content, controller.signal);
    if (text === undefined) controller.abort();
    return { answer: { ...readHead(response), text } };
  } catch (cause) {
    signal?.throwIfAborted();
    if (response === undefined || needsContent) return { cause };
    return { answer: { ...readHead(response), text: undefined } };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
  }
}

function readHead({ status, headers }: FetchResponse): Omit<AnswerOnce, 'text'> {
  return { status, field: (name) => headers.get(name) };
}

/** The maximum length of the content of a refusal, in characters: anything on the way may have sent it. */
const maxCharacters = 10_000_000;

/** The content; undefined if it is longer than that. Where the response has no stream, nothing limits it. */
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
