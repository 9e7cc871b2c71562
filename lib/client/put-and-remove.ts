import { isEqualJson } from '../json/value';
import { isSuccess } from './connection/certainty';
import type { Connection, WriteRequest } from './connection/connection';
import { toCondition } from './connection/entity-tag';
import { ArgumentError, UncertainError } from './errors';
import { copyAsJson } from './as-json';
import { ResponseError } from './connection/response-error';

/** The result of `put`. */
export interface Put<T = unknown> {
  /** The new value of the resource, frozen. */
  readonly value: T;
  /**
   * The entity tag of `value`; undefined only if the answer had none and the resource could not be read
   * again.
   */
  readonly etag: string | undefined;
  /**
   * Whether the resource was created: if a response was lost, and there is no `idempotency`, perhaps by an
   * equal request.
   */
  readonly created: boolean;
}

interface Condition {
  readonly etag?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The value is copied before the wait for a turn, in which the caller can modify it. */
export async function putTarget(
  connection: Connection,
  url: string,
  value: unknown,
  { etag, create = false, signal }: Condition & { readonly create?: boolean | undefined },
): Promise<Put> {
  const content = copyAsJson(value);
  return connection.turns.take('PUT', url, signal, async () => {
    const precondition: WriteRequest['precondition'] = create
      ? { 'If-None-Match': '*' }
      : { 'If-Match': toCondition(findTag(connection, url, etag, 'put')) };
    const base = connection.find(url)?.value;
    const generation = connection.cache.generation(url);
    const write: WriteRequest = {
      method: 'PUT',
      url,
      mediaType: 'application/json',
      content,
      precondition,
      generation,
    };
    const answer = await connection.write(write, signal);
    if (isSuccess(answer.status)) {
      const created = answer.status === 201;
      return { ...(await connection.written(write, answer, content, signal)), created };
    }
    const refusal = new ResponseError('PUT', url, answer);
    if (answer.status === 412 && answer.uncertain) {
      const theirs = connection.stateIn(write, refusal) ?? (await currentState(connection, url, signal));
      if (theirs !== undefined && isEqualJson(theirs.value, content)) return { ...theirs, created: create };
      throw new UncertainError({ base, mine: content, theirs: theirs?.value });
    }
    throw refusal;
  });
}

/**
 * DELETE is sent without Idempotency-Key. After a lost response, a 404 is a success. A 412 is uncertain: the
 * resource may have been deleted by the first request and created again since.
 */
export function removeTarget(
  connection: Connection,
  url: string,
  { etag, signal }: Condition,
): Promise<void> {
  return connection.turns.take('DELETE', url, signal, async () => {
    const tag = findTag(connection, url, etag, 'remove');
    const base = connection.find(url)?.value;
    const answer = await connection.remove(url, tag, signal);
    const { status, uncertain } = answer;
    if (isSuccess(status) || (uncertain && [404, 410].includes(status))) return;
    if (status === 412 && uncertain) {
      const theirs = await currentState(connection, url, signal);
      throw new UncertainError({ base, mine: undefined, theirs: theirs?.value });
    }
    throw new ResponseError('DELETE', url, answer);
  });
}

/** The current state; undefined if the resource is gone, or cannot be read. */
async function currentState(connection: Connection, url: string, signal: AbortSignal | undefined) {
  try {
    return await connection.read(url, signal);
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}

function findTag(connection: Connection, url: string, etag: string | undefined, method: string): string {
  const tag = etag ?? connection.find(url)?.etag;
  if (tag !== undefined) return tag;
  const create = method === 'put' ? ' create: true for a new resource,' : '';
  throw new ArgumentError(
    'precondition-unknown',
    `${method}() needs to know which state of ${url} it applies to. ` +
      `Call get() first, or pass its etag,${create} or etag: '*' for any state.`,
  );
}
