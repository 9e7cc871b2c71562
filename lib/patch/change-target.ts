import { debugLog } from '../http/debug-log';
import { returnPreference } from '../http/prefer';
import type { PatchParser } from '../formats/patch-parser';
import { checkedState } from '../stores/contract/check-result';
import type { Stored } from '../stores/contract/resource-store';
import { answerToChange, answerToRepeat, sendAnswer } from './answer';
import { commit, Replay, type Change } from './commit';
import { decider, isUnchanged, type Replacement } from './decide';
import { queueOf } from './key-queue';
import type { Exchange } from '../request/exchange';
import { fingerprint } from './idempotency/idempotency-key';
import type { Outcome } from './idempotency/outcome';
import { outcomeToKeep, replayOf, unlessInFlight } from './idempotency/replay';
import type { PatchRequest } from '../request/routed-request';
import type { PatchSettings } from './options/settings';
import { targetNotFound } from './problems';
import { readContent } from '../request/content';
import type { ChosenFormat } from '../request/format';

const debug = debugLog('patch');

/** What differs between PATCH and PUT. */
export interface DocumentMethod<T> {
  /** @throws ProblemError 415, or another refusal of the header section */
  readonly formatOf: (req: PatchRequest) => ChosenFormat<PatchParser<T>>;
  /** Returns whether an answer can have the entity tag of the state that the request made. Undefined: it always can. */
  readonly maySendTag:
    ((made: Stored<T>, document: Buffer, req: PatchRequest) => Promise<boolean>) | undefined;
  /** Whether the document is the whole representation. */
  readonly isWhole: boolean;
}

/**
 * Changes the target resource as the request's document says, and answers.
 *
 * The checks run in this order: 415, 400 for Idempotency-Key, 413, 404 for a target without a key, the checks of
 * `decide`, the write.
 */
export async function changeTarget<T>(
  settings: PatchSettings<T>,
  { formatOf, maySendTag, isWhole }: DocumentMethod<T>,
  { req, res, client }: Exchange,
): Promise<void> {
  const { store, limits, retries } = settings;
  const format = formatOf(req);
  const idempotencyKey = settings.idempotencyKeyOf(req);
  const key = settings.keyOf(req);
  // The store is read after the body, so that a client that never sends its body does not keep a value in memory.
  const { bytes: document, isAsSent } = await readContent(req, limits);
  if (key === undefined) throw targetNotFound();

  const location = settings.locationOf(req, key);
  const preference = returnPreference(req.headers.prefer?.toString());
  const dryRun = settings.dryRun !== undefined && (await settings.dryRun(req));
  const once = idempotencyKey && { ...idempotencyKey, fingerprint: fingerprint(req, format, document) };
  const findReplay = (current: Stored<T> | undefined) => once && replayOf(current, once);

  const maxBytes = limits.result;
  const reading = once === undefined ? { maxBytes } : { maxBytes, outcome: { id: once.id } };
  const change: Change<T, Replacement<T>, Outcome, Stored<T>> = {
    ...{ store, key, client, retries, dryRun },
    decide: decider(settings, { key, req, format, document, isWhole, findReplay }),
    read: client.context(reading),
    write: async (proposal) => {
      const { before: current, next } = proposal;
      const writing = current === undefined ? { maxBytes } : { maxBytes, current };
      const context = client.context(
        once === undefined ? writing : { ...writing, outcome: outcomeToKeep(settings, once, proposal) },
      );
      return checkedState('replace', await store.replace(key, current?.version ?? null, next, context));
    },
    // A repeat must find the outcome of the first request, which only a write stores.
    keeps: settings.keepsUnchanged && once === undefined ? isUnchanged : undefined,
  };
  const run = () => commit(change);
  const done = await queueOf(store).run(
    key,
    () => (once === undefined ? run() : unlessInFlight(store, key, once, run)),
    client,
  );

  const mayAnswerWithTag =
    maySendTag && (async (made: Stored<T>) => isAsSent && (await maySendTag(made, document, req)));
  if (done instanceof Replay) {
    debug('%s: a repeat of an earlier request; nothing was written', req.originalUrl);
  } else if (done.written !== undefined) {
    const patch = { mediaType: format.mediaType, document };
    settings.notifyPatched({ key, before: done.proposal.before, after: done.written, patch, req });
  }
  const answer =
    done instanceof Replay
      ? await answerToRepeat(settings, req, done, preference, { dryRun, maySendTag: mayAnswerWithTag })
      : await answerToChange(settings, req, done, preference, mayAnswerWithTag);
  // If a time limit of the app has answered during the write, the change stands, but cannot be reported any more.
  if (!res.headersSent) sendAnswer(req, res, location, answer);
}
