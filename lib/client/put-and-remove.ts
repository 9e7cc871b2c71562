import { isEqualJson } from '../parsers/json/value';
import { isSuccess } from './change';
import type { Connection } from './connection/connection';
import { ArgumentError, UncertainError } from './errors';
import { asJson } from './json/as-json';
import { ResponseError } from './connection/response-error';

/** What a resource is after it was put. */
export interface Put<T = unknown> {
  /** What the resource is now, frozen. */
  readonly value: T;
  /** Undefined only where the server named none, and could not be asked again. */
  readonly etag: string | undefined;
  /** Whether it was not there before. */
  readonly created: boolean;
}

interface Condition {
  readonly etag?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function putTarget(
  connection: Connection,
  url: string,
  value: unknown,
  { etag, create = false, signal }: Condition & { readonly create?: boolean | undefined },
): Promise<Put> {
  const precondition = create
    ? { 'If-None-Match': '*' }
    : { 'If-Match': tagOf(connection, url, etag, 'put') };
  const base = connection.memory.find(url)?.value;
  const { era } = connection.memory;
  const content = asJson(value).value;
  const write = { method: 'PUT', url, mediaType: 'application/json', content, precondition, era } as const;
  const answer = await connection.write(write, signal);
  if (isSuccess(answer.status)) {
    const created = answer.status === 201;
    return { ...(await connection.written(write, answer, content, signal)), created };
  }
  if (answer.status === 412 && answer.uncertain && !connection.settings.idempotency) {
    const theirs = await presentState(connection, url, signal);
    if (theirs !== undefined && isEqualJson(theirs.value, content)) return { ...theirs, created: create };
    throw new UncertainError({ base, mine: content, theirs: theirs?.value });
  }
  throw new ResponseError('PUT', url, answer);
}

/**
 * DELETE takes no Idempotency-Key: after a lost answer a 404 is what it was meant to bring about, and of a 412 nobody can
 * tell whether it was carried out, and the resource then made anew.
 */
export async function removeTarget(
  connection: Connection,
  url: string,
  { etag, signal }: Condition,
): Promise<void> {
  const tag = tagOf(connection, url, etag, 'remove');
  const base = connection.memory.find(url)?.value;
  const answer = await connection.remove(url, tag, signal);
  const { status, uncertain } = answer;
  if (isSuccess(status) || (uncertain && (status === 404 || status === 410))) {
    connection.memory.forget(url);
    return;
  }
  if (status === 412 && uncertain) {
    const theirs = await presentState(connection, url, signal);
    throw new UncertainError({ base, mine: undefined, theirs: theirs?.value });
  }
  throw new ResponseError('DELETE', url, answer);
}

/** Undefined where it is gone, or cannot be read. */
async function presentState(connection: Connection, url: string, signal: AbortSignal | undefined) {
  try {
    return await connection.read(url, signal);
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}

function tagOf(connection: Connection, url: string, given: string | undefined, method: string): string {
  const tag = given ?? connection.memory.find(url)?.etag;
  if (tag !== undefined) return tag;
  const create = method === 'put' ? ', create: true for what is not there yet,' : '';
  throw new ArgumentError(
    'precondition-unknown',
    `${method}() does not know which state of ${url} is meant. get() it before, or give its etag${create} or etag: '*' for any.`,
  );
}
