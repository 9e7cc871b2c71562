import { isEqualJson } from '../json/value';
import { isSuccess } from './answer';
import { copyAsJson } from './as-json';
import type { PutCall, RemoveCall } from './client-options';
import type { Connection } from './connection';
import { toCondition } from './entity-tag';
import { ArgumentError, ResponseError, UncertainError } from './errors';

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
   * Whether the resource was created; if a response was lost and there is no `idempotency`, another equal
   * request may have created it.
   */
  readonly created: boolean;
}

/** The value is copied before the request waits for its turn, because the caller can modify it meanwhile. */
export async function putTarget(
  connection: Connection,
  url: string,
  value: unknown,
  { etag, create = false, signal }: PutCall,
): Promise<Put> {
  const content = copyAsJson(value);
  return connection.turns.take('PUT', url, signal, async () => {
    const precondition: Readonly<Record<string, string>> = create
      ? { 'If-None-Match': '*' }
      : { 'If-Match': toCondition(findTag(connection, url, etag, 'put')) };
    const base = connection.find(url)?.value;
    const answer = await connection.write('PUT', url, content, precondition, signal);
    if (isSuccess(answer.status)) {
      const created = answer.status === 201;
      return { ...(await connection.written('PUT', url, answer, content, signal)), created };
    }
    if (answer.status === 412 && answer.uncertain) {
      const theirs = connection.stateIn(url, answer) ?? (await currentState(connection, url, signal));
      if (theirs !== undefined && isEqualJson(theirs.value, content)) return { ...theirs, created: create };
      throw new UncertainError({ base, mine: content, theirs: theirs?.value });
    }
    throw new ResponseError('PUT', url, answer);
  });
}

/**
 * DELETE is sent without Idempotency-Key. After a lost response, a 404 is a success. A 412 is uncertain: the
 * resource may have been deleted by the first request and created again since.
 */
export function removeTarget(
  connection: Connection,
  url: string,
  { etag, signal }: RemoveCall,
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
