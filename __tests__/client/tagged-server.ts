import type { Fetch } from '../../lib/client';
import { applyJsonPatch } from '../../lib/json/patch/apply-json-patch';

interface State {
  readonly version: number;
  readonly value: unknown;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Resources in memory, with strong entity tags, preconditions and Idempotency-Key: what the client needs of a server. */
export class TaggedServer {
  /** Of each request that arrived, the URL; and in a line the method, its condition, and the status of the answer. */
  readonly arrived: { readonly url: string; readonly line: string }[] = [];
  readonly #states = new Map<string, State>();
  readonly #outcomes = new Map<string, Reply>();
  readonly #versions = new Map<string, number>();

  get lines(): readonly string[] {
    return this.arrived.map(({ line }) => line);
  }

  /** How many requests have arrived. */
  get requests(): number {
    return this.arrived.length;
  }

  valueAt(url: string): unknown {
    return this.#states.get(url)?.value;
  }

  /** Sets the state of a resource, as another client would. Versions are counted by URL, from 1 on. */
  store(url: string, value: unknown): void {
    const version = (this.#versions.get(url) ?? 0) + 1;
    this.#versions.set(url, version);
    this.#states.set(url, { version, value });
  }

  answer(request: Request): Reply {
    const { method, url, headers } = request;
    const key = headers.get('Idempotency-Key');
    const id = key === null ? undefined : `${method} ${url} ${key}`;
    const reply = (id === undefined ? undefined : this.#outcomes.get(id)) ?? this.#answer(request);
    if (id !== undefined && reply.status < 300) this.#outcomes.set(id, reply);
    const condition = headers.get('If-Match') ?? headers.get('If-None-Match');
    const shown = condition === null ? method : `${method} ${condition}`;
    this.arrived.push({ url, line: `${shown} → ${reply.status}` });
    return reply;
  }

  #answer({ method, url, headers, body }: Request): Reply {
    const state = this.#states.get(url);
    const tag = state === undefined ? undefined : `"${state.version}"`;
    const [match, noneMatch] = [headers.get('If-Match'), headers.get('If-None-Match')];
    const current = tag === undefined ? {} : { ETag: tag };
    if (match !== null && (tag === undefined || (match !== '*' && !listed(match, tag)))) {
      return { status: 412, headers: current, body: { status: 412, code: 'precondition-failed' } };
    }
    if (method === 'PUT' && noneMatch === '*' && state !== undefined) {
      return { status: 412, headers: current, body: { status: 412, code: 'precondition-failed' } };
    }
    if (method === 'PUT') return this.#stored(url, body, state === undefined ? 201 : 200);
    if (state === undefined) return { status: 404, headers: {}, body: { status: 404 } };
    if (method === 'PATCH') return this.#stored(url, applyJsonPatch(state.value, body), 200);
    if (method === 'DELETE') {
      this.#states.delete(url);
      return { status: 204, headers: {}, body: undefined };
    }
    if (tag !== undefined && listed(noneMatch, tag))
      return { status: 304, headers: current, body: undefined };
    return { status: 200, headers: current, body: state.value };
  }

  #stored(url: string, value: unknown, status: number): Reply {
    this.store(url, value);
    return { status, headers: { ETag: `"${this.#versions.get(url) ?? 0}"` }, body: value };
  }
}

function listed(condition: string | null, tag: string): boolean {
  return condition?.split(', ').includes(tag) === true;
}

/** What happens to a request on its way. */
export type Carrier = (request: Request, server: TaggedServer) => Promise<Reply>;

/** A fetch whose requests go to the server by a carrier. */
export function fetchBy(server: TaggedServer, carry: Carrier): Fetch {
  return async (url, { method, headers, body, signal }) => {
    signal.throwIfAborted();
    const request = {
      method,
      url,
      headers: new Headers(headers),
      body: body && (JSON.parse(body) as unknown),
    };
    const reply = await carry(request, server);
    const text = reply.body === undefined ? '' : JSON.stringify(reply.body);
    return {
      status: reply.status,
      headers: new Headers({ 'Content-Type': 'application/json', ...reply.headers }),
      text: () => Promise.resolve(text),
    };
  };
}

/** Each answer takes so many milliseconds, half of them before the request arrives. */
export const slowly =
  (milliseconds: number): Carrier =>
  async (request, server) => {
    await pause(milliseconds / 2);
    const reply = server.answer(request);
    await pause(milliseconds / 2);
    return reply;
  };

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
