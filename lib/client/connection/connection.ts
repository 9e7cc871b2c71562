import type { Answer } from './answer';
import type { Settings } from '../client-options';
import { entityTagOf, isStrong } from './entity-tag';
import { ContentError } from '../errors';
import { exchange, type ClientRequest } from './exchange';
import { frozen } from '../json/frozen';
import { Memory, type Resource } from './memory';
import { ResponseError } from './response-error';

/** What a write asks for beside its content. */
export interface Write {
  readonly method: 'PATCH' | 'PUT';
  readonly url: string;
  readonly mediaType: string;
  /** A JSON value. */
  readonly content: unknown;
  readonly precondition: Readonly<Record<string, string>>;
  /** That of the memory when it began. */
  readonly era: number;
}

/** One server, and what was last seen of its resources. */
export class Connection {
  readonly memory = new Memory();

  constructor(readonly settings: Settings) {}

  /** Reads a resource, on condition that it has changed since it was remembered. */
  async read(url: string, signal: AbortSignal | undefined): Promise<Resource> {
    const known = this.memory.find(url);
    const { era } = this.memory;
    const headers = {
      Accept: 'application/json',
      ...(known !== undefined && { 'If-None-Match': known.etag }),
    };
    const answer = await this.#exchange('GET', url, signal, { headers });
    if (answer.status === 304 && known !== undefined) return known;
    if (answer.status !== 200) {
      this.memory.forget(url);
      throw new ResponseError('GET', url, answer);
    }
    return this.#remembered(url, jsonIn('GET', url, answer), entityTagOf(url, answer.field('ETag')), era);
  }

  /** Sends a new value, or the change that makes it. A refusal is an answer, too. */
  write(
    { method, url, mediaType, content, precondition }: Write,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    return this.#exchange(method, url, signal, {
      headers: {
        Accept: 'application/json',
        'Content-Type': mediaType,
        Prefer: 'return=representation',
        ...precondition,
        ...(this.settings.idempotency && { 'Idempotency-Key': `"${newKey()}"` }),
      },
      body: JSON.stringify(content),
    });
  }

  remove(url: string, etag: string, signal: AbortSignal | undefined): Promise<Answer> {
    return this.#exchange('DELETE', url, signal, {
      headers: { Accept: 'application/json', 'If-Match': etag },
    });
  }

  /** Asks a query, and gives its result. */
  async query(url: string, query: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
    const answer = await this.#exchange('QUERY', url, signal, { headers, body: JSON.stringify(query) });
    if (answer.status !== 200) throw new ResponseError('QUERY', url, answer);
    return frozen(jsonIn('QUERY', url, answer));
  }

  async options(url: string, signal: AbortSignal | undefined): Promise<Answer> {
    const answer = await this.#exchange('OPTIONS', url, signal, { headers: { Accept: 'application/json' } });
    if (answer.status === 200 || answer.status === 204) return answer;
    throw new ResponseError('OPTIONS', url, answer);
  }

  /**
   * What the resource is after a write: the representation that the answer has, or else what GET gives. The write is done by
   * then, so that where neither can be had it is what was sent that is given.
   *
   * @throws the signal's reason, and ContentError for a success that is none
   */
  async written(
    { method, url, era }: Write,
    answer: Answer,
    sent: unknown,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly value: unknown; readonly etag: string | undefined }> {
    const tag = answer.field('ETag');
    const etag = tag !== null && isStrong(tag) ? tag : undefined;
    if (answer.status === 200 || (answer.text !== undefined && answer.text !== '')) {
      const value = answer.text === undefined ? undefined : jsonIn(method, url, answer);
      if (value !== undefined && etag !== undefined) return this.#remembered(url, value, etag, era);
    }
    try {
      return await this.read(url, signal);
    } catch {
      signal?.throwIfAborted();
      this.memory.forget(url);
      return { value: frozen(sent), etag };
    }
  }

  #exchange(
    method: ClientRequest['method'],
    url: string,
    signal: AbortSignal | undefined,
    rest: Pick<ClientRequest, 'headers' | 'body'>,
  ): Promise<Answer> {
    return exchange(this.settings, { method, url, ...rest }, signal);
  }

  #remembered(url: string, value: unknown, etag: string, era: number): Resource {
    const resource = Object.freeze({ value: frozen(value), etag });
    this.memory.keep(url, resource, JSON.stringify(value).length, era);
    return resource;
  }
}

/** @throws ContentError */
function jsonIn(method: string, url: string, answer: Answer): unknown {
  const type = answer.field('Content-Type');
  try {
    if (/^application\/(?:[\w.-]+\+)?json\b/i.test(type ?? '')) {
      const value: unknown = JSON.parse(answer.text ?? '');
      return value;
    }
  } catch {
    // As one that does not even say so.
  }
  throw new ContentError(method, url, type, method !== 'GET' && method !== 'QUERY');
}

/** Pages that did not come by https have no `crypto.randomUUID`. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
