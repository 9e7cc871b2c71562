import { debugLog } from '../http/debug-log';
import { returnPreference } from '../http/prefer';
import type { PatchParser } from '../parsers/patch-parser';
import type { Stored } from '../stores/contract/resource-store';
import { answerToChange, answerToRepeat, sendAnswer } from './answer';
import { commit, Replay, type Change } from './commit/commit';
import { decider, isUnchanged, type Replacement } from './commit/decide';
import { queueOf } from './commit/key-queue';
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

/** What a method that sends a document has of its own. */
export interface DocumentMethod<T> {
  /** @throws ProblemError 415, or whatever else the header section is refused for */
  readonly formatOf: (req: PatchRequest) => ChosenFormat<PatchParser<T>>;
  /** Whether an answer may have the entity tag of a state that it made. Undefined: it always may. */
  readonly mayTellTag:
    ((made: Stored<T>, document: Buffer, req: PatchRequest) => Promise<boolean>) | undefined;
}

/**
 * Changes the target resource as the request's document says, and answers.
 *
 * In the order of the checks' status codes: 415, 400 for Idempotency-Key, 413, 404 for a target without a key, then what
 * `decide` finds, then the write, then the answer.
 */
export async function changeTarget<T>(
  settings: PatchSettings<T>,
  { formatOf, mayTellTag }: DocumentMethod<T>,
  { req, res, client }: Exchange,
): Promise<void> {
  const { store, limits, retries } = settings;
  const format = formatOf(req);
  const idempotencyKey = settings.idempotencyKeyOf(req);
  const key = settings.keyOf(req);
  // Nothing is read from the store before the body is there: a client that never sends it would hold a value for as long.
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
    decide: decider(settings, { key, req, format, document, findReplay }),
    firstRead: client.context({ ...reading, mayBeStale: true }),
    read: client.context(reading),
    write: (proposal) => {
      const { before: current, next } = proposal;
      const writing = current === undefined ? { maxBytes } : { maxBytes, current };
      const context = client.context(
        once === undefined ? writing : { ...writing, outcome: outcomeToKeep(settings, once, proposal) },
      );
      return store.replace(key, current?.version ?? null, next, context);
    },
    // A repeat has to find the outcome of the first request, which only a write keeps.
    keeps: settings.keepsUnchanged && once === undefined ? isUnchanged : undefined,
  };
  const done = await queueOf(store).run(
    key,
    (waited) => {
      if (once === undefined) return commit(change);
      // Who has waited for the request that it repeats finds the outcome at once, but in no state that is only remembered.
      const repeatable = waited ? { ...change, firstRead: change.read } : change;
      return unlessInFlight(store, key, once, () => commit(repeatable));
    },
    client,
  );

  const tellsTag =
    mayTellTag && (async (made: Stored<T>) => isAsSent && (await mayTellTag(made, document, req)));
  if (done instanceof Replay) {
    debug('%s: a repeat is answered as the first was; nothing was written', req.originalUrl);
  } else if (done.written !== undefined) {
    const patch = { mediaType: format.mediaType, document };
    settings.notifyPatched({ key, before: done.proposal.before, after: done.written, patch, req });
  }
  const answer =
    done instanceof Replay
      ? await answerToRepeat(settings, done, preference, { dryRun, tellsTag })
      : await answerToChange(settings, req, done, preference, tellsTag);
  // A time limit of the app's has answered during the write: the change stands, and cannot be told any more.
  if (!res.headersSent) sendAnswer(req, res, location, answer);
}
