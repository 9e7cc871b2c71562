import { debugLog } from '../http/debug-log';
import { returnPreference } from '../http/prefer';
import type { PatchRequest } from '../http/routed-request';
import type { Stored } from '../stores/contract/resource-store';
import { answerToChange, answerToRepeat, sendAnswer } from './answer';
import { commit, readingContext } from './commit-loop';
import type { Exchange } from './exchange';
import type { PatchParser } from './formats/patch-parser';
import { fingerprint, Replay, unlessInFlight } from './idempotency';
import { storeQueue } from './key-queue';
import type { PatchSettings } from './options/settings';
import { readBeforeTurn } from './permission';
import { targetNotFound } from './refusals';
import type { ChosenFormat } from './request';

const debug = debugLog('patch');

/** What differs between PATCH and PUT. */
export interface DocumentMethod<T> {
  /** @throws ProblemError 415, or another refusal of the header section */
  readonly chooseFormat: (req: PatchRequest) => ChosenFormat<PatchParser<T>>;
  /**
   * Returns whether an answer can have the entity tag of the state that the request made. Undefined: it
   * always can.
   */
  readonly maySendTag:
    | ((state: Stored<T>, document: Buffer, req: PatchRequest) => Promise<boolean>)
    | undefined;
  /** Whether the document is the whole representation. */
  readonly isWhole: boolean;
}

/**
 * Changes the target resource as the request's document says, and answers.
 *
 * The checks run in this order: 415, 400 for Idempotency-Key, 413, 404 for a target without a key, the checks
 * of `commit`, the write.
 */
export async function changeTarget<T>(
  settings: PatchSettings<T>,
  { chooseFormat, maySendTag, isWhole }: DocumentMethod<T>,
  exchange: Exchange,
): Promise<void> {
  const { req, res, client, trace } = exchange;
  const { store } = settings;
  const format = chooseFormat(req);
  const idempotencyKey = settings.readIdempotencyKey(req);
  const key = (trace.key = settings.readKey(req));
  // The store is read after the body, so that a client that never sends its body does not keep a value in
  // memory.
  const { bytes: document, isAsSent, roundable } = await settings.readContent(req);
  if (key === undefined) throw targetNotFound();

  const preference = returnPreference(req.headers.prefer?.toString());
  const once = idempotencyKey && { ...idempotencyKey, fingerprint: fingerprint(req, format, document) };
  const change = { key, req, client, trace, format, document, roundable, isWhole, once };
  const read = () => readBeforeTurn(settings, key, exchange, readingContext(settings, change));
  const first = await read();
  const carryOut = () => commit(settings, change, first);
  const done = await storeQueue(store).run(
    key,
    () => (once === undefined ? carryOut() : unlessInFlight(store, key, once, carryOut, read)),
    client,
  );

  const mayAnswerWithTag =
    maySendTag && (async (state: Stored<T>) => isAsSent && (await maySendTag(state, document, req)));
  if (done instanceof Replay) {
    trace.outcome = 'repeated';
    debug('%s: a repeat of an earlier request; nothing was written', req.originalUrl);
  } else {
    trace.outcome = done.before === undefined ? 'created' : 'changed';
    const patch = { mediaType: format.mediaType, document };
    settings.notifyPatched({ key, before: done.before, after: done.after, patch, req });
  }
  const answer =
    done instanceof Replay
      ? await answerToRepeat(settings, req, done, preference, mayAnswerWithTag)
      : await answerToChange(settings, req, done, preference, mayAnswerWithTag);
  // If a time limit of the app has answered during the write, the change stands, but cannot be reported any
  // more.
  if (res.headersSent) return;
  trace.status = answer.status;
  sendAnswer(req, res, answer);
}
