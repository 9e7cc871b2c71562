import { isDeeperThan, ownMember } from '../json/value';
import { isSuccess, problemIn, textIn, type Answer } from './answer';
import type { Settings } from './client-options';
import { deepFreeze } from './deep-freeze';
import { isStrong, requireEntityTag, tagMismatch, toCondition } from './entity-tag';
import { ContentError, ResponseError } from './errors';
import { exchange, safe, type ClientRequest } from './exchange';
import { ResourceCache, type Resource } from './resource-cache';
import { Turns } from './turns';

/** An answer, and the generation of the cache when its request was sent. */
interface ReceivedAnswer extends Answer {
  readonly generation: number;
}

/** Sends requests, and caches the resources. */
export class Connection {
  /** `Turns.ends` when the call began; undefined if the connection belongs to no call. */
  readonly #ends: number | undefined;

  constructor(
    readonly settings: Settings,
    readonly cache = new ResourceCache(),
    readonly turns = new Turns(settings.timeout),
    ends?: number,
  ) {
    this.#ends = ends;
  }

  /**
   * The connection of one call that writes. After `forget()`, when another user may have signed in, it finds
   * nothing in the cache and sends nothing: neither a write, whose headers would belong to that user, nor a
   * GET, whose result would be theirs.
   */
  begin(): Connection {
    return new Connection(this.settings, this.cache, this.turns, this.turns.ends);
  }

  find(url: string): Resource | undefined {
    return this.#ends === undefined || this.#ends === this.turns.ends ? this.cache.find(url) : undefined;
  }

  /** Reads a resource; if it is cached, with If-None-Match. */
  async read(url: string, signal: AbortSignal | undefined): Promise<Resource> {
    const known = this.find(url);
    const headers = {
      Accept: 'application/json',
      ...(known !== undefined && { 'If-None-Match': toCondition(known.etag) }),
    };
    const answer = await this.#exchange('GET', url, signal, { headers });
    let resource = answer.status === 304 ? known : undefined;
    if (resource === undefined) {
      if (answer.status !== 200) {
        this.cache.forget(url);
        throw new ResponseError('GET', url, answer);
      }
      const value = jsonIn('GET', url, answer);
      resource = this.#cached(url, value, requireEntityTag(url, answer.field('ETag')), answer.generation);
    }
    this.cache.noteRead(url, toCondition(resource.etag));
    return resource;
  }

  /** Sends a new value, or a patch. Refusals are returned, not thrown. */
  write(
    method: 'PATCH' | 'PUT',
    url: string,
    content: unknown,
    precondition: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<ReceivedAnswer> {
    return this.#exchange(method, url, signal, {
      headers: {
        Accept: 'application/json',
        'Content-Type': method === 'PUT' ? 'application/json' : 'application/json-patch+json',
        Prefer: 'return=representation',
        ...precondition,
        ...(this.settings.idempotency && { 'Idempotency-Key': `"${newKey()}"` }),
      },
      body: JSON.stringify(content),
    });
  }

  /** @throws ContentError if a success has content that is not JSON */
  async remove(url: string, etag: string, signal: AbortSignal | undefined): Promise<Answer> {
    const headers = { Accept: 'application/json', 'If-Match': toCondition(etag) };
    const answer = await this.#exchange('DELETE', url, signal, { headers });
    if (isSuccess(answer.status)) {
      this.cache.forget(url);
      if (answer.text !== '') jsonIn('DELETE', url, answer);
    }
    return answer;
  }

  async options(url: string, signal: AbortSignal | undefined): Promise<Answer> {
    const answer = await this.#exchange('OPTIONS', url, signal, { headers: { Accept: 'application/json' } });
    if (!isSuccess(answer.status)) throw new ResponseError('OPTIONS', url, answer);
    // Express's own answer is text, but has Allow.
    if (answer.field('Allow') === null && answer.text !== '') jsonIn('OPTIONS', url, answer);
    return answer;
  }

  /**
   * The state of the resource after a write: the representation in the answer, or the result of a GET. As the
   * write has succeeded by then, the value that was sent is returned if that GET fails.
   *
   * @throws the signal's reason; ContentError if the answer is not JSON, or is a 200 without content and the
   *   GET fails
   */
  async written(
    method: 'PATCH' | 'PUT',
    url: string,
    answer: ReceivedAnswer,
    sent: unknown,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly value: unknown; readonly etag: string | undefined }> {
    this.cache.drop(url);
    const tag = answer.field('ETag');
    const etag = tag !== null && isStrong(tag) ? tag : undefined;
    if (answer.text) {
      const value = jsonIn(method, url, answer);
      if (etag !== undefined) return this.#cached(url, value, etag, answer.generation);
    }
    try {
      return await this.read(url, signal);
    } catch {
      signal?.throwIfAborted();
      // Many servers answer a write like this, but so does many an intermediary, as with any other 200: only
      // the GET decides.
      if (answer.status === 200 && answer.text === '') throw notJson(method, url, answer);
      return { value: deepFreeze(sent), etag };
    }
  }

  /** The state in a 412, if the resource has the option `conflict`. */
  stateIn(url: string, answer: ReceivedAnswer): Resource | undefined {
    const problem = problemIn(answer);
    const isRefusal = textIn(problem, 'code') === 'precondition-failed';
    const value = isRefusal ? ownMember(problem, 'current') : undefined;
    const etag = answer.field('ETag');
    if (value === undefined || etag === null || !isStrong(etag)) return undefined;
    return isDeeperThan(maxLevels, value) ? undefined : this.#cached(url, value, etag, answer.generation);
  }

  /**
   * @throws EntityTagError if If-Match fails again although GET has returned its tag, because every attempt
   *   would fail
   */
  async #exchange(
    method: ClientRequest['method'],
    url: string,
    signal: AbortSignal | undefined,
    rest: Pick<ClientRequest, 'headers' | 'body'>,
  ): Promise<ReceivedAnswer> {
    const generation = this.cache.generation(url);
    const answer = await exchange(
      this.settings,
      { method, url, ...rest },
      signal,
      () => {
        this.turns.assertGoesOn(this.#ends);
      },
      // The state of the resource is then unknown.
      () => {
        this.cache.forget(url);
      },
    );
    const condition = rest.headers['If-Match'];
    const isRefusal = answer.status === 412 && !answer.uncertain;
    if (condition !== undefined && (isRefusal || isSuccess(answer.status))) {
      const tag = isRefusal ? answer.field('ETag') : undefined;
      if (this.cache.noteMatch(url, condition, tag)) throw tagMismatch(url, condition, tag);
    }
    return { ...answer, generation };
  }

  #cached(url: string, value: unknown, etag: string, generation: number): Resource {
    const resource = Object.freeze({ value: deepFreeze(value), etag });
    this.cache.keep(url, resource, JSON.stringify(value).length, generation);
    return resource;
  }
}

/**
 * The maximum depth of a value: the largest `limits.depth` of a resource. Freezing and comparing values runs
 * out of stack at a few thousand levels.
 */
const maxLevels = 1_000;

/** @throws ContentError */
function jsonIn(method: string, url: string, answer: Answer): unknown {
  let value: unknown;
  try {
    const type = answer.field('Content-Type') ?? '';
    value = /^application\/(?:[\w.-]+\+)?json\b/i.test(type) ? JSON.parse(answer.text ?? '') : undefined;
  } catch {
    // Malformed JSON is the same error as a wrong Content-Type.
  }
  if (value === undefined) throw notJson(method, url, answer);
  if (!isDeeperThan(maxLevels, value)) return value;
  const message =
    `The response to ${method} ${url} is nested deeper than ${maxLevels} levels. ` +
    'Store it as several resources.';
  throw new ContentError('content-too-deep', message, !safe.includes(method));
}

function notJson(method: string, url: string, answer: Answer): ContentError {
  const type = answer.field('Content-Type') ?? '';
  const shown = type === '' ? 'no Content-Type' : type;
  const message =
    `The response to ${method} ${url} is not valid JSON (${shown}). ` +
    'Check which server or proxy sent it.';
  return new ContentError('content-not-json', message, !safe.includes(method));
}

/** Not `crypto.randomUUID`, which pages without HTTPS do not have. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
