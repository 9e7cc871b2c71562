import type { IncomingMessage, ServerResponse } from 'node:http';
import { debugLog } from '../http/debug-log';
import type { Middleware, Next } from '../http/middleware';
import { returnPreference } from '../http/prefer';
import { ProblemError } from '../http/problem';
import { sendProblem } from '../http/send-problem';
import type { PatchParser } from '../parsers/patch-parser';
import { declareAcceptPatch } from '../express/handler-metadata';
import type { ResourceStore } from '../stores/contract/resource-store';
import { Client, NotAwaited } from './request/client';
import { commit, Replay, type Change, type Committed } from './commit/commit';
import { queueOf } from './commit/key-queue';
import { fingerprint, type IdempotentRequest } from './idempotency/idempotency-key';
import type { Outcome } from './idempotency/outcome';
import { commitOnce, replayOf } from './idempotency/replay';
import { readPatchDocument } from './request/body';
import { chosenFormat } from './request/format';
import type { PatchHandlerOptions, PatchRequest } from './options/handler-options';
import { targetNotFound } from './problems';
import { patchSettings, type PatchSettings } from './options/settings';
import { proposer } from './commit/proposal';
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
      patchTarget(settings, exchange).catch((error: unknown) => {
        fail(settings, exchange, error);
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
 * In the order of the checks' status codes: 415, 400 for Idempotency-Key, 413, 404, then what `decide` finds, then the
 * write, then the answer.
 */
async function patchTarget<T>(settings: PatchSettings<T>, { req, res, client }: Exchange): Promise<void> {
  const { store, limits, retries } = settings;
  const maxBytes = limits.result;
  const format = chosenFormat(settings.formats, req);
  const idempotencyKey = settings.idempotencyKeyOf(req);
  const key = settings.keyOf(req);
  const earlyContext = client.context({
    maxBytes,
    mayBeStale: true,
    ...(idempotencyKey && { outcome: idempotencyKey }),
  });
  const reading = key === undefined ? undefined : store.get(key, earlyContext);
  // Where the body is refused first, nobody awaits the read, and its failure must not end the process.
  reading?.catch(() => undefined);

  const document = await readPatchDocument(req, limits);
  if (key === undefined) throw targetNotFound();
  const early = await reading;

  const location = settings.locationOf(req, key);
  const preference = returnPreference(req.headers.prefer?.toString());
  const wanted = preference ?? settings.respond;
  const decide = proposer(settings, { req, format, document, wanted });
  const dryRun = settings.dryRun !== undefined && (await settings.dryRun(req));
  const context = client.context({ maxBytes });
  const change: Change<T> = { store, key, early, decide, client, context, earlyContext, retries, dryRun };
  const once = idempotencyKey && { ...idempotencyKey, fingerprint: fingerprint(req, format, document) };
  const done = await carryOut(settings, change, once);

  if (done instanceof Replay) {
    debug('%s: a repeat is answered as the first was; nothing was written', req.originalUrl);
  } else if (done.after !== undefined) {
    const patch = { mediaType: format.mediaType, document };
    settings.notifyPatched({ key, before: done.proposal.before, after: done.after, patch, req });
  }
  // A time limit of the app's has answered during the write: the change stands, and cannot be told any more.
  if (res.headersSent) return;
  const answer =
    done instanceof Replay
      ? answerToRepeat(done.outcome, preference, dryRun)
      : answerToChange(settings, done, preference);
  sendAnswer(req, res, location, answer);
}

/** Commits the change in its turn. A repeat whose outcome is there already need not wait for one. */
async function carryOut<T>(
  settings: PatchSettings<T>,
  change: Change<T>,
  once: IdempotentRequest | undefined,
): Promise<Committed<T> | Replay<Outcome>> {
  const { store, key, client, early } = change;
  const inTurn = <R>(write: (waited: boolean) => Promise<R>) => queueOf(store).run(key, write, client);
  if (once === undefined) return inTurn((waited) => commit(change, waited));
  return replayOf(early, once.fingerprint) ?? inTurn((waited) => commitOnce(change, waited, settings, once));
}

/** A refusal is answered, or handed on as the app wishes; a fault always goes to the app's error handler. */
function fail<T>(settings: PatchSettings<T>, { req, res, next, client }: Exchange, error: unknown): void {
  const refused = error instanceof ProblemError;
  if (error instanceof NotAwaited || (client.hasGone && (refused || isAbort(error)))) {
    debug('%s: nobody awaits the answer any more; nothing was written', req.originalUrl);
    return;
  }
  if (!refused) {
    next(error);
    return;
  }
  const { code, status, message: detail, problem } = error;
  debug('%s: %d %s: %s', req.originalUrl, status, code, detail);
  settings.notifyRefused({ code, status, detail, problem, req });
  if (!settings.answersErrors) next(error);
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
