import { isEqualJson } from '../json/value';
import { backOffDelay } from './connection/back-off';
import { wait } from './connection/abort';
import { isSuccess } from './connection/certainty';
import type { Connection, WriteRequest } from './connection/connection';
import { toCondition } from './connection/entity-tag';
import { UncertainError } from './errors';
import { createJsonPatch, type JsonPatchOperation } from '../json/diff/create-json-patch';
import type { Resource } from './connection/resource-cache';
import { ResponseError } from './connection/response-error';

/** The result of `change` and `save`. */
export interface Changed<T = unknown> {
  /** The new value of the resource, frozen. */
  readonly value: T;
  /**
   * The entity tag of `value`; undefined only if the answer had none and the resource could not be read
   * again.
   */
  readonly etag: string | undefined;
  /** The JSON Patch of the last request; empty if there was nothing to change. */
  readonly patch: readonly JsonPatchOperation[];
  /**
   * How many different patches were sent, not counting retries of the same one; 0 if there was nothing to
   * change.
   */
  readonly attempts: number;
}

/**
 * How many times a change that was refused with 412 is made again. With the pauses between them, forty clients
 * that write to one resource at once all succeed, in about the time that they would take one after another.
 */
const maxRetries = 15;

/** A change, which takes several turns if someone is asked in between. */
export interface Change {
  /** Gives the new value of a resource. */
  readonly decide: (current: Resource) => unknown;
  /**
   * What counts as success if an answer was lost. True: the change describes a state, and succeeded if that
   * is reached, whoever did it. False: it is relative to a state.
   */
  readonly isState: boolean;
  /** How many different patches were sent. */
  attempts: number;
  /** The fresh state on which `decide` threw, which ended the last turn. */
  undecided?: Resource;
}

/**
 * The loop of a change: computes the new value from the cached state, or from a fresh one, and sends the
 * difference with If-Match. If the state has changed meanwhile, it starts again from the current one.
 *
 * If a cached state leads to a result without a write (nothing to change, or an error of the app), the result
 * is computed again from a fresh state, as the cached one can be outdated.
 */
export function changeResource(
  connection: Connection,
  url: string,
  change: Change,
  signal: AbortSignal | undefined,
): Promise<Changed> {
  return connection.turns.take('PATCH', url, signal, () => changeInTurn(connection, url, change, signal));
}

async function changeInTurn(
  connection: Connection,
  url: string,
  change: Change,
  signal: AbortSignal | undefined,
): Promise<Changed> {
  const { cache } = connection;
  let current = connection.find(url);
  let isFresh = current === undefined || current === change.undecided;
  current ??= await connection.read(url, signal);

  for (;;) {
    signal?.throwIfAborted();
    let next: unknown;
    let patch: readonly JsonPatchOperation[] = [];
    try {
      next = change.decide(current);
      patch = createJsonPatch(current.value, next);
    } catch (error) {
      if (isFresh) {
        change.undecided = current;
        throw error;
      }
    }
    if (patch.length === 0) {
      if (isFresh) return { ...current, patch, attempts: change.attempts };
      current = await connection.read(url, signal);
      isFresh = true;
      continue;
    }

    const write: WriteRequest = {
      method: 'PATCH',
      url,
      mediaType: 'application/json-patch+json',
      content: patch,
      precondition: { 'If-Match': toCondition(current.etag) },
      generation: cache.generation(url),
    };
    const sent = performance.now();
    const answer = await connection.write(write, signal);
    const took = performance.now() - sent;
    const attempts = ++change.attempts;
    if (isSuccess(answer.status)) {
      return { ...(await connection.written(write, answer, next, signal)), patch, attempts };
    }
    const refusal = new ResponseError('PATCH', url, answer);
    if (answer.status !== 412) throw refusal;

    const base = current;
    const { uncertain } = answer;
    const attempt = uncertain ? { base, mine: next } : undefined;
    const isAgain = attempts > 1;
    // Clients that keep overtaking each other disperse: a read and a write take about 2 * took. The state is read
    // after the pause, as that in the refusal would be overtaken meanwhile.
    const pause = Math.random() * Math.min(5_000, 2 * took * attempts);
    if (isAgain && attempts <= maxRetries) await wait(pause, signal);
    const theirs: Resource =
      (isAgain ? undefined : connection.stateIn(write, refusal)) ??
      (await stateAfterRefusal(connection, url, attempt, signal));
    if (uncertain) {
      const isReached = change.isState && isEqualJson(theirs.value, next);
      if (isReached) return { ...theirs, patch, attempts };
      throw new UncertainError({ base: base.value, mine: next, theirs: theirs.value });
    }
    if (attempts > maxRetries) throw new ResponseError('PATCH', url, answer, overtaken(url, attempts));
    current = theirs;
    if (theirs.etag === base.etag) {
      // A cache between client and server has returned an old state, and needs time; or the state is back.
      await wait(400 + backOffDelay(2), signal);
      current = await connection.read(url, signal);
    }
    isFresh = true;
  }
}

/** The server's own message would advise what the client has just done: to read it again and change that. */
function overtaken(url: string, attempts: number): string {
  return `Others changed ${url} at every attempt (${attempts}). Try again later.`;
}

/**
 * Reads the state after a 412. If it is uncertain who changed it, an error in reading it is reported as
 * UncertainError.
 */
async function stateAfterRefusal(
  connection: Connection,
  url: string,
  uncertain: { readonly base: Resource; readonly mine: unknown } | undefined,
  signal: AbortSignal | undefined,
): Promise<Resource> {
  try {
    return await connection.read(url, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (uncertain === undefined) throw error;
    throw new UncertainError({ base: uncertain.base.value, mine: uncertain.mine, theirs: undefined }, error);
  }
}
