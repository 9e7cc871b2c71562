import { isEqualJson } from '../parsers/json/value';
import { backOff } from './connection/back-off';
import { wait } from './connection/abort';
import type { Connection } from './connection/connection';
import { tagMismatch } from './connection/entity-tag';
import { UncertainError } from './errors';
import { createJsonPatch, type JsonPatchOperation } from './json/create-json-patch';
import type { Resource } from './connection/memory';
import { ResponseError } from './connection/response-error';

/** What a change has come to. */
export interface Changed<T = unknown> {
  /** What the resource is now, frozen. */
  readonly value: T;
  /** Undefined only where the server named none, and could not be asked again. */
  readonly etag: string | undefined;
  /** What was sent at last; empty where nothing was to be changed. */
  readonly patch: readonly JsonPatchOperation[];
  /** How many requests for a change were made, repeats of one not counted; 0 where nothing was to be changed. */
  readonly attempts: number;
}

/**
 * Gives what the resource is to be, from what it is.
 *
 * @param isFresh - false where the state is remembered: what comes of it is looked at, but nothing final may be done
 */
export type Decide = (current: Resource, isFresh: boolean) => unknown;

/** What a change means where nobody can tell whether it was made. */
interface Meaning {
  /** It names a state, and is made where that is reached, by whoever it was. One that goes on from a state is not. */
  readonly isState: boolean;
}

/**
 * The loop around a change: decides on the state that is remembered, or else read, sends the difference on condition that
 * this is the state still, and where it is not, decides again on what is there now.
 *
 * What is concluded from a remembered state without writing (nothing is to be changed, or a refusal of the app's) is
 * concluded again from a fresh one, as the former may be long gone.
 */
export async function changeTarget(
  connection: Connection,
  url: string,
  decide: Decide,
  { isState }: Meaning,
  signal: AbortSignal | undefined,
): Promise<Changed> {
  const { memory, settings } = connection;
  let current = memory.find(url);
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
      era: memory.era,
    } as const;
    const answer = await connection.write(write, signal);
    attempts++;
    if (isSuccess(answer.status)) {
      return { ...(await connection.written(write, answer, next, signal)), patch, attempts };
    }
    const refusal = new ResponseError('PATCH', url, answer);
    if (answer.status !== 412) throw refusal;

    const base = current;
    const isUncertain = answer.uncertain && !settings.idempotency;
    const theirs = await stateAfterRefusal(
      connection,
      url,
      isUncertain ? { base, mine: next } : undefined,
      signal,
    );
    if (isUncertain) {
      const isReached = isState && isEqualJson(theirs.value, next);
      if (isReached) return { ...theirs, patch, attempts };
      throw new UncertainError({ base: base.value, mine: next, theirs: theirs.value });
    }
    if (attempts > settings.retries) throw refusal;
    await pauseBefore(attempts, { url, tag: base.etag, present: theirs.etag, told: refusal.etag }, signal);
    current = theirs;
    isFresh = true;
  }
}

interface Tags {
  readonly url: string;
  /** What If-Match had. */
  readonly tag: string;
  /** What GET now says. */
  readonly present: string;
  /** What the refusal said. */
  readonly told: string | undefined;
}

/**
 * Those who keep overtaking one another come back at different moments.
 *
 * @throws EntityTagError where the state that If-Match named is there still: the server does not give two tags to one state,
 * but a cache in between may keep the old one for a while, which the tag of the refusal shows
 */
async function pauseBefore(
  attempts: number,
  { url, tag, present, told = tag }: Tags,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (present === tag) {
    if (told === tag) throw tagMismatch(url, tag);
    await wait(backOff(attempts + 2), signal);
  } else if (attempts > 1) {
    await wait(Math.random() * 10 * Math.min(attempts, 10), signal);
  }
}

export function isSuccess(status: number): boolean {
  return status === 200 || status === 201 || status === 204;
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

/** Where nobody knows who has changed it, that is what is to be told, whatever becomes of the question what it is now. */
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
