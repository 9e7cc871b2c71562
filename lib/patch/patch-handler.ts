import type { IncomingMessage, ServerResponse } from 'node:http';
import { debugLog } from '../http/debug-log';
import { handOn } from '../http/hand-on';
import type { Middleware, Next } from '../http/middleware';
import { returnPreference } from '../http/prefer';
import { ProblemError } from '../http/problem';
import { sendProblem } from '../http/send-problem';
import type { PatchParser } from '../parsers/patch-parser';
import { declareAcceptPatch } from '../express/handler-metadata';
import type { ResourceStore, Stored } from '../stores/contract/resource-store';
import { Client, NotAwaited } from './request/client';
import { commit, Replay, type Change } from './commit/commit';
import { decider } from './commit/decide';
import { queueOf } from './commit/key-queue';
import { fingerprint } from './idempotency/idempotency-key';
import type { Outcome } from './idempotency/outcome';
import { outcomeToKeep, replayOf, unlessInFlight } from './idempotency/replay';
import { readPatchDocument } from './request/body';
import { chosenFormat } from './request/format';
import type { PatchHandlerOptions, PatchRequest } from './options/handler-options';
import { targetNotFound } from './problems';
import { patchSettings, type PatchSettings } from './options/settings';
import { answerToChange, answerToRepeat, sendAnswer } from './answer';

const debug = debugLog('patch');

/**
 * Answers PATCH (RFC 5789) on the route it is mounted on: applies the patch to the stored value if the request's
 * preconditions hold, and writes if nobody else has meanwhile. A refusal is a problem document (RFC 9457).
 *
 * @param parsers - the patch formats, in the order of Accept-Patch
 * @throws ConfigurationError with every mistake in the options
 *
 * @example
 * ```ts
 * app.patch('/notes/:id', patchHandler(notes, [jsonPatch(), mergePatch()], { key: (req) => req.params.id }));
 * ```
 */
export function patchHandler<T>(
  store: ResourceStore<T>,
  parsers: readonly PatchParser<NoInfer<T>>[],
  options: PatchHandlerOptions<NoInfer<T>> = {},
): Middleware {
  const settings = patchSettings(store, parsers, options);

  const handler: Middleware = (req, res, next) => {
    if (req.method !== 'PATCH') {
      next();
    } else if (isRouted(req)) {
      const exchange = { req, res, next, client: new Client(res) };
      patchTarget(settings, exchange)
        .catch((error: unknown) => {
          fail(settings, exchange, error);
        })
        // A refusal that cannot be sent, and what throws when it is looked at.
        .catch((error: unknown) => {
          handOn(error, res, next);
        });
    } else {
      next(
        new TypeError('patchHandler was called outside a route. Mount it: app.patch(path, patchHandler(…)).'),
      );
    }
  };
  return declareAcceptPatch(handler, settings.formats.acceptPatch);
}

interface Exchange {
  readonly req: PatchRequest;
  readonly res: ServerResponse;
  readonly next: Next;
  readonly client: Client;
}

/**
 * In the order of the checks' status codes: 415, 400 for Idempotency-Key, 413, 404 for a target without a key, then what
 * `decide` finds, then the write, then the answer.
 */
async function patchTarget<T>(settings: PatchSettings<T>, { req, res, client }: Exchange): Promise<void> {
  const { store, limits, retries } = settings;
  const format = chosenFormat(settings.formats, req);
  const idempotencyKey = settings.idempotencyKeyOf(req);
  const key = settings.keyOf(req);
  // Nothing is read from the store before the body is there: a client that never sends it would hold a value for as long.
  const document = await readPatchDocument(req, limits);
  if (key === undefined) throw targetNotFound();

  const location = settings.locationOf(req, key);
  const preference = returnPreference(req.headers.prefer?.toString());
  const dryRun = settings.dryRun !== undefined && (await settings.dryRun(req));
  const once = idempotencyKey && { ...idempotencyKey, fingerprint: fingerprint(req, format, document) };
  const findReplay = (current: Stored<T> | undefined) => once && replayOf(current, once);

  const maxBytes = limits.result;
  const reading = once === undefined ? { maxBytes } : { maxBytes, outcome: { id: once.id } };
  const change: Change<T, Outcome> = {
    ...{ store, key, client, retries, dryRun },
    decide: decider(settings, { key, req, format, document, findReplay }),
    firstRead: client.context({ ...reading, mayBeStale: true }),
    read: client.context(reading),
    write: (proposal) => {
      const writing = proposal.before === undefined ? { maxBytes } : { maxBytes, current: proposal.before };
      return client.context(
        once === undefined ? writing : { ...writing, outcome: outcomeToKeep(settings, once, proposal) },
      );
    },
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

  if (done instanceof Replay) {
    debug('%s: a repeat is answered as the first was; nothing was written', req.originalUrl);
  } else if (done.after !== undefined) {
    const patch = { mediaType: format.mediaType, document };
    settings.notifyPatched({ key, before: done.proposal.before, after: done.after, patch, req });
  }
  const answer =
    done instanceof Replay
      ? answerToRepeat(done.outcome, preference, dryRun)
      : await answerToChange(settings, req, done, preference);
  // A time limit of the app's has answered during the write: the change stands, and cannot be told any more.
  if (!res.headersSent) sendAnswer(req, res, location, answer);
}

/** A refusal is answered, or handed on as the app wishes; a fault always goes to the app's error handler. */
function fail<T>(settings: PatchSettings<T>, { req, res, next, client }: Exchange, error: unknown): void {
  const refused = error instanceof ProblemError;
  if (error instanceof NotAwaited || (client.hasGone && (refused || isAbort(error)))) {
    debug('%s: nobody awaits the answer any more; nothing was written', req.originalUrl);
    return;
  }
  if (!refused) {
    handOn(error, res, next);
    return;
  }
  const { code, status, message: detail, problem } = error;
  debug('%s: %d %s: %s', req.originalUrl, status, code, detail);
  settings.notifyRefused({ code, status, detail, problem, req });
  if (!settings.answersErrors) handOn(error, res, next);
  else if (!res.headersSent) sendProblem(res, error);
}

/** What Node's own functions throw when their signal is aborted. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** Express and `router` give every request that a route gets its params. */
function isRouted(req: IncomingMessage): req is PatchRequest {
  return 'params' in req;
}
