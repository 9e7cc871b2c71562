import { falsePrecondition } from '../http/check-preconditions';
import { parsePatch, type Patch, type PatchParser } from '../formats/patch-parser';
import { checkedState } from '../stores/contract/check-result';
import type { ReadContext, Stored } from '../stores/contract/resource-store';
import { backOff } from '../stores/contract/retry';
import type { Client } from '../request/client';
import type { Exchange } from '../request/exchange';
import type { ChosenFormat } from '../request/format';
import type { PatchRequest } from '../http/routed-request';
import type { IdempotentRequest } from './idempotency/idempotency-key';
import { outcomeToKeep, findReplay, type Replay } from './idempotency/replay';
import type { PatchSettings } from './options/settings';
import { lostRace, withConflict } from './conflict';
import { type PermittedState, readPermitted } from './permission';
import { targetNotFound } from './problems';

/** How often a request is retried after it lost a race to another process. */
const maxRetries = 15;

/** A request whose document has arrived: a patch, or a whole representation. */
export interface ReceivedChange<T> {
  readonly key: string;
  readonly req: PatchRequest;
  readonly client: Client;
  readonly format: ChosenFormat<PatchParser<T>>;
  readonly document: Buffer;
  /** Whether the document is the whole representation. */
  readonly isWhole: boolean;
  /** Undefined if the request has no idempotency key. */
  readonly once: IdempotentRequest | undefined;
}

export interface Committed<T> {
  /** Undefined if the request creates the resource. */
  readonly before: Stored<T> | undefined;
  readonly written: Stored<T>;
}

/**
 * Makes the change: reads, decides on that state, writes only if it is still the current one, and otherwise
 * begins again.
 *
 * Within one process the changes of a key are queued (`storeQueue`), so they cause no races. Between
 * processes the store's conditional write decides, and the loser begins again with the fresh state,
 * preconditions included (RFC 5789 2.2): `If-Match: "x"` then fails, while a patch without preconditions is
 * applied to the winner's state.
 *
 * @param first - the state to begin with, if it has been read
 * @throws ProblemError to refuse; 409 `lost-race` when the retries are used up
 */
export async function commit<T>(
  settings: PatchSettings<T>,
  { key, req, client, format, document, isWhole, once }: ReceivedChange<T>,
  first?: PermittedState<T>,
): Promise<Committed<T> | Replay<T>> {
  const { store, limits, initial, hidden, states, protect, rules, createValidators } = settings;
  const maxBytes = limits.result;
  const reading = readingContext(settings, { client, once });
  let patch: Patch<T> | undefined;

  for (let lost = 0; ; lost++) {
    const permitted = lost === 0 ? first : undefined;
    const { state: before } = permitted ?? (await readPermitted(settings, key, { req, client }, reading));
    const guardedValue = before && states.guard(before).value;

    const replay = once && findReplay(before, once);
    if (replay !== undefined) return replay;

    // RFC 9110 13.2.1: preconditions count only if the request would otherwise succeed, but before its
    // content is processed. So 404 comes before them, and a malformed document after.
    const base = before === undefined ? await initial?.(req) : before.value;
    if (base === undefined) throw targetNotFound();
    const refusal = falsePrecondition(req, () => before && createValidators(before), settings);
    if (refusal !== undefined) throw await withConflict(settings, req, refusal, before);
    const parsing = { limits, parameters: format.parameters, request: req, hidden: hidden.paths };
    patch ??= parsePatch(format.format, format.mediaType, document, parsing);
    const protection = await protect(req, guardedValue);
    if (before !== undefined) {
      if (isWhole) states.assertReplaceable(before, protection);
      else states.assertPatchable(before);
    }
    const visible = hidden.visible(base);
    const originals = new Map<object, object>();
    const sent = patch(visible, originals);
    const result = isWhole ? protection.complete(visible, sent) : sent;
    const current = before?.value;
    const next = await rules({
      ...{ key, visible, result, base, current, guardedValue },
      ...{ protection, originals, isWhole, req },
    });

    client.assertAnswerNeeded();
    const writing = before === undefined ? { maxBytes } : { maxBytes, current: before };
    const outcome = once && outcomeToKeep(settings, once, before, next);
    const context = client.context(outcome === undefined ? writing : { ...writing, outcome });
    const written = checkedState('replace', await store.replace(key, before?.version ?? null, next, context));
    if (written !== undefined) return { before, written };

    await afterLostRace(settings, key, { req, client }, lost, before);
  }
}

/** What the store is told when a change reads: the outcome of the same request is wanted with the state. */
export function readingContext<T>(
  { limits }: PatchSettings<T>,
  { client, once }: Pick<ReceivedChange<T>, 'client' | 'once'>,
): ReadContext {
  const maxBytes = limits.result;
  return client.context(once === undefined ? { maxBytes } : { maxBytes, outcome: { id: once.id } });
}

/**
 * Waits before the next attempt.
 *
 * @param lost - how many attempts lost their race before this one
 * @throws ProblemError when the retries are used up: 409 `lost-race`; 404 if there was no state to begin
 *   with, because then the store cannot hold this key
 */
export async function afterLostRace<T>(
  settings: PatchSettings<T>,
  key: string,
  exchange: Pick<Exchange, 'req' | 'client'>,
  lost: number,
  before: Stored<T> | undefined,
): Promise<void> {
  if (lost < maxRetries) return backOff(lost);
  throw before === undefined ? targetNotFound() : await lostRace(settings, key, exchange);
}
