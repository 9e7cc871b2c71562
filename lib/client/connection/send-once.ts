import { orAborted } from './abort';
import type { Answer } from './answer';
import type { Fetch, FetchRequest, FetchResponse } from '../client-options';

/** The result of one attempt: an answer, or the failure. */
export type Sent =
  { readonly answer: Omit<Answer, 'uncertain'> } | { readonly answer?: undefined; readonly cause: unknown };

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
    const text = await orAborted(response.text(), controller.signal);
    return { answer: { ...headOf(response), text } };
  } catch (cause) {
    signal?.throwIfAborted();
    if (response === undefined || needsContent) return { cause };
    return { answer: { ...headOf(response), text: undefined } };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
  }
}

function headOf({ status, headers }: FetchResponse): Pick<Answer, 'status' | 'field'> {
  return { status, field: (name) => headers.get(name) };
}
