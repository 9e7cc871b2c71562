import { describeFailure, warnOnce } from '../../config/process-warning';
import { fireAndForget } from '../../config/unawaited';
import { preconditionRefusal } from '../../http/preconditions';
import type { Middleware } from '../../http/middleware';
import { storeQueue } from '../key-queue';
import { afterLostRace } from '../lost-race';
import { readBeforeTurn, readPermitted, withCurrent } from '../target';
import { createHandler } from '../create-handler';
import type { PatchSettings } from '../settings';
import { decisionBy } from '../rules/decision';
import { forbidden, targetNotFound, tooManyRaces } from '../refusals';
import { checkDeletion } from '../../stores/contract/check-result';
import {
  expectedVersion,
  type FoundState,
  type ResourceStore,
  type Stored,
} from '../../stores/contract/resource-store';
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
  const { subject, options } = settings;
  const authorize = decide && decisionBy('authorize', decide, subject);
  const warnOfListener = warnOnce(
    'PATCH_OPTIONS_ON_DELETED',
    describeFailure(`A resource was deleted, but onDeleted of ${subject}`),
  );

  return createHandler(settings, ['DELETE'], async ({ req, res, client, trace }) => {
    const key = (trace.key = settings.readKey(req));
    if (key === undefined) throw targetNotFound();

    const reading = client.context({});
    const read = (found?: FoundState<T>) => readPermitted(settings, key, req, reading, found);
    const first = await readBeforeTurn(settings, key, read);

    /** Returns what was deleted. */
    const remove = async (): Promise<Stored<T>> => {
      let state = first ?? (await read());
      for (let lost = 0; ; lost++) {
        const { current: before } = state;
        if (before === undefined) throw targetNotFound();
        const refusal = preconditionRefusal(req, () => settings.createValidators(before, req), options);
        if (refusal !== undefined) throw await withCurrent(settings, req, refusal, before);
        if (authorize !== undefined) {
          const deletion = { current: before.value, next: undefined, changed: [''] };
          if (!(await authorize(req, deletion))) throw forbidden();
        }

        client.assertAnswerNeeded();
        trace.attempts++;
        const context = client.context({ current: before });
        const deleted = checkDeletion(store, await store.delete(key, expectedVersion(before), context));
        if (deleted === true) return before;
        state = await afterLostRace(lost, before, deleted || undefined, read, (current) =>
          withCurrent(settings, req, tooManyRaces(), current),
        );
      }
    };
    const before = await storeQueue(store).run(key, remove, client);
    trace.outcome = 'deleted';

    fireAndForget(() => onDeleted?.({ key, before, req }), warnOfListener);
    if (res.headersSent) return;
    res.statusCode = trace.status = 204;
    res.end();
  });
}
