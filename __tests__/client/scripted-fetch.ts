import type { Fetch } from '../../lib/client';
import type { FetchRequest } from '../../lib/client/client-options';

/** What a scripted server does with one request. */
export type Step =
  /** The connection fails before an answer. */
  | 'lost'
  /** Nothing comes, until the client gives up. */
  | 'silent'
  | Reply;

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The connection fails within the content. */
  readonly cut?: boolean;
}

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: unknown;
  readonly init: FetchRequest;
}

/** A fetch that follows a script, and what it was asked. What is asked beyond the script fails the test. */
export function scriptedFetch(...steps: readonly Step[]) {
  const left = [...steps];
  const sent: Sent[] = [];
  const fetch: Fetch = async (url, init) => {
    const { method, headers, body, signal } = init;
    sent.push({
      ...{ method, url, init },
      headers: new Headers(headers),
      body: body === undefined ? undefined : JSON.parse(body),
    });
    const step = left.shift();
    if (step === undefined) throw new Error(`${method} ${url} is not in the script`);
    if (step === 'lost') throw new TypeError('fetch failed');
    if (step === 'silent') await rejection(signal);
    const { status, headers: fields = {}, body: content, cut = false } = step as Reply;
    const text = content === undefined ? '' : typeof content === 'string' ? content : JSON.stringify(content);
    return {
      status,
      headers: new Headers({ 'Content-Type': 'application/json; charset=utf-8', ...fields }),
      text: () => (cut ? Promise.reject(new TypeError('terminated')) : Promise.resolve(text)),
    };
  };
  return {
    fetch,
    sent,
    left,
    /** Of each request: the method, and what it is on condition of. */
    get lines(): string[] {
      return sent.map(({ method, headers }) => {
        const condition = headers.get('If-Match') ?? headers.get('If-None-Match');
        return condition === null ? method : `${method} ${condition}`;
      });
    },
  };
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
}

export const state = (n: number, body: unknown): Reply => ({
  status: 200,
  headers: { ETag: `"${n}"` },
  body,
});
export const notModified: Reply = { status: 304 };
/** A 412 with the state of then, as the option `conflict` of the server sends it. */
export const refusedWith = (n: number, current: unknown, more: object = {}): Reply => ({
  ...refused(n),
  body: { status: 412, code: 'precondition-failed', detail: 'If-Match does not hold.', current, ...more },
});
export const refused = (n?: number): Reply => ({
  status: 412,
  headers: { 'Content-Type': 'application/problem+json', ...(n !== undefined && { ETag: `"${n}"` }) },
  body: { status: 412, code: 'precondition-failed', detail: 'If-Match does not hold.' },
});
