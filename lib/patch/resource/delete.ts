import { warnOnce } from '../../config/process-warning';
import { callAside } from '../../config/unawaited';
import { falsePrecondition } from '../../http/check-preconditions';
import type { Middleware } from '../../http/middleware';
import { afterLostRace } from '../commit-loop';
import { withConflict } from '../conflict';
import { storeQueue } from '../key-queue';
import { readBeforeTurn, readPermitted } from '../permission';
import { createHandler } from '../exchange';
import type { PatchSettings } from '../options/settings';
import { decisionBy } from '../rules/decision';
import { forbidden, targetNotFound } from '../refusals';
import { checkDeletion } from '../../stores/contract/check-result';
import type { FoundState, ResourceStore, Stored } from '../../stores/contract/resource-store';
import type { ResourceOptions } from './resource-options';

/** A store with the optional method `delete`. */
export type DeletingStore<T> = ResourceStore<T> & Required<Pick<ResourceStore<T>, 'delete'>>;

/**
 * The handler of DELETE (RFC 9110 9.3.5). It ignores Idempotency-Key: the method is idempotent, and If-Match
 * makes it conditional.
 */
export function createDelete<T>(
  settings: PatchSettings<T>,
  store: DeletingStore<T>,
  { authorize: decide, onDeleted }: Pick<ResourceOptions<T>, 'authorize' | 'onDeleted'>,
): Middleware {
  const { subject } = settings;
  const authorize = decide && decisionBy('authorize', decide, subject);
  const warnOfListener = warnOnce(
    'PATCH_OPTIONS_ON_DELETED',
    `A resource was deleted, but onDeleted of ${subject}`,
  );

  return createHandler(settings, ['DELETE'], async (exchange) => {
    const { req, res, client, trace } = exchange;
    const key = (trace.key = settings.readKey(req));
    if (key === undefined) throw targetNotFound();

    const reading = client.context({});
    const first = await readBeforeTurn(settings, key, exchange, reading);

    /** Returns what was deleted. */
    const remove = async (): Promise<Stored<T>> => {
      let found: FoundState<T> | undefined;
      for (let lost = 0, state = first; ; lost++, state = undefined) {
        state ??= await readPermitted(settings, key, exchange, reading, found);
        const { stored: before } = state;
        if (before === undefined) throw targetNotFound();
        const refusal = falsePrecondition(req, () => settings.createValidators(before, req), settings);
        if (refusal !== undefined) throw await withConflict(settings, req, refusal, before);
        if (authorize !== undefined) {
          const deletion = { current: before.value, next: undefined, changed: [''] };
          if (!(await authorize(req, deletion))) throw forbidden();
        }

        client.assertAnswerNeeded();
        trace.attempts++;
        const context = client.context({ current: before });
        const deleted = checkDeletion(store, await store.delete(key, before.version ?? '', context));
        if (deleted === true) return before;
        found = await afterLostRace(settings, key, exchange, lost, before, deleted || undefined);
      }
    };
    const before = await storeQueue(store).run(key, remove, client);
    trace.outcome = 'deleted';

    callAside(() => onDeleted?.({ key, before, req }), warnOfListener);
    if (res.headersSent) return;
    res.statusCode = trace.status = 204;
    res.end();
  });
}
