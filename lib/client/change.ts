import { isEqualJson } from '../json/value';
import { backOffDelay } from './connection/back-off';
import { wait } from './connection/abort';
import { isSuccess } from './connection/certainty';
import type { Connection } from './connection/connection';
import { tagMismatch } from './connection/entity-tag';
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
 * Gives the new value of a resource.
 *
 * @param isFresh - false if `current` is from the cache: the function is called again with a fresh state
 *   before the result is final
 */
export type Decide = (current: Resource, isFresh: boolean) => unknown;

/** What counts as success if an answer was lost. */
interface ChangeKind {
  /**
   * True: the change describes a state, and succeeded if that is reached, whoever did it. False: it is
   * relative to a state.
   */
  readonly isState: boolean;
}

/**
 * The loop of a change: computes the new value from the cached state, or from a fresh one, and sends the
 * difference with If-Match. If the state has changed meanwhile, it starts again from the current one.
 *
 * If a cached state leads to a result without a write (nothing to change, or an error of the app), the result
 * is computed again from a fresh state, as the cached one can be outdated.
 */
export async function changeResource(
  connection: Connection,
  url: string,
  decide: Decide,
  { isState }: ChangeKind,
  signal: AbortSignal | undefined,
): Promise<Changed> {
  const { cache, settings } = connection;
  let current = cache.find(url);
  let isFresh = current === undefined;
  current ??= await connection.read(url, signal);

  for (let attempts = 0; ;) {
    signal?.throwIfAborted();
    const decided = await decisionOn(current, isFresh, decide);
    if (!isFresh && (decided.failed || decided.patch.length === 0)) {
      current = await connection.read(url, signal);
      isFresh = true;
      continue;
    }
    if (decided.failed) throw decided.error;
    const { next, patch } = decided;
    if (patch.length === 0) return { ...current, patch, attempts };

    const write = {
      method: 'PATCH',
      url,
      mediaType: 'application/json-patch+json',
      content: patch,
      precondition: { 'If-Match': current.etag },
      generation: cache.generation,
    } as const;
    const answer = await connection.write(write, signal);
    attempts++;
    if (isSuccess(answer.status)) {
      return { ...(await connection.written(write, answer, next, signal)), patch, attempts };
    }
    const refusal = new ResponseError('PATCH', url, answer);
    if (answer.status !== 412) throw refusal;

    const base = current;
    const { uncertain } = answer;
    const theirs = await stateAfterRefusal(
      connection,
      url,
      uncertain ? { base, mine: next } : undefined,
      signal,
    );
    if (uncertain) {
      const isReached = isState && isEqualJson(theirs.value, next);
      if (isReached) return { ...theirs, patch, attempts };
      throw new UncertainError({ base: base.value, mine: next, theirs: theirs.value });
    }
    if (attempts > settings.retries) throw refusal;
    const tags = { url, sent: base.etag, current: theirs.etag, refused: refusal.etag };
    await pauseBefore(attempts, tags, signal);
    current = theirs;
    isFresh = true;
  }
}

interface Tags {
  readonly url: string;
  /** The tag in If-Match. */
  readonly sent: string;
  /** The tag that GET returns now. */
  readonly current: string;
  /** The tag in the 412. */
  readonly refused: string | undefined;
}

/**
 * Waits for a random time, so that clients that keep overtaking each other retry at different times.
 *
 * @throws EntityTagError if GET still returns the tag that was refused. If the 412 has another tag, a cache
 *   between client and server has returned an old state, which will pass.
 */
async function pauseBefore(
  attempts: number,
  { url, sent, current, refused = sent }: Tags,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (current === sent) {
    if (refused === sent) throw tagMismatch(url, sent);
    await wait(backOffDelay(attempts + 2), signal);
  } else if (attempts > 1) {
    await wait(Math.random() * 10 * Math.min(attempts, 10), signal);
  }
}

type Decision =
  | { readonly failed: true; readonly error: unknown }
  | { readonly failed: false; readonly next: unknown; readonly patch: readonly JsonPatchOperation[] };

async function decisionOn(current: Resource, isFresh: boolean, decide: Decide): Promise<Decision> {
  try {
    const next = await decide(current, isFresh);
    return { failed: false, next, patch: createJsonPatch(current.value, next) };
  } catch (error) {
    return { failed: true, error };
  }
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
