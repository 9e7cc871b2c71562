import { callAside, warnOnce } from '../config/app-callbacks';
import { falsePrecondition } from '../http/check-preconditions';
import type { Middleware } from '../http/middleware';
import { commit, type Change } from '../patch/commit';
import { queueOf } from '../patch/key-queue';
import { handlerOf } from '../request/exchange';
import type { PatchSettings } from '../patch/options/settings';
import { decisionBy } from '../patch/rules/decision';
import { forbidden, notPermitted, targetNotFound } from '../patch/problems';
import { checkedDeletion } from '../stores/contract/check-result';
import type { ResourceStore, Stored } from '../stores/contract/resource-store';
import type { ResourceOptions } from './resource-options';

interface Deletion<T> {
  readonly before: Stored<T>;
}

/** A store with the optional method `delete`. */
export type DeletingStore<T> = ResourceStore<T> & Required<Pick<ResourceStore<T>, 'delete'>>;

/**
 * The handler of DELETE (RFC 9110 9.3.5). It ignores Idempotency-Key: the method is idempotent, and If-Match makes it
 * conditional.
 */
export function deleteOf<T>(
  settings: PatchSettings<T>,
  store: DeletingStore<T>,
  { authorize: given, onDeleted }: Pick<ResourceOptions<T>, 'authorize' | 'onDeleted'>,
): Middleware {
  const { may, states, retries, subject } = settings;
  const authorize = given && decisionBy('authorize', given);
  const warnOfListener = warnOnce(
    'PATCH_OPTIONS_ON_DELETED',
    `A resource was deleted, but onDeleted of ${subject}`,
  );

  return handlerOf(settings, ['DELETE'], async ({ req, res, client }) => {
    const key = settings.keyOf(req);
    if (key === undefined) throw targetNotFound();
    const dryRun = settings.dryRun !== undefined && (await settings.dryRun(req));

    const change: Change<T, Deletion<T>, never, true> = {
      ...{ store, key, client, retries, dryRun },
      async decide(current) {
        const guardedState = current && states.guard(current);
        if (may !== undefined && !(await may(req, guardedState?.value))) throw notPermitted(req.method);
        if (current === undefined || guardedState === undefined) throw targetNotFound();
        const refusal = falsePrecondition(req, () => settings.validatorsOf(current), settings);
        if (refusal !== undefined) throw refusal;
        const deletion = { current: guardedState.value, next: undefined, changed: [''] };
        if (authorize !== undefined && !(await authorize(req, deletion))) throw forbidden();
        return { before: current };
      },
      read: client.context({}),
      keeps: undefined,
      write: async ({ before }) => checkedDeletion(await store.delete(key, before.version)) || undefined,
    };
    const done = await queueOf(store).run(key, () => commit(change), client);

    if ('written' in done && done.written === true) {
      const { before } = done.proposal;
      callAside(() => onDeleted?.({ key, before, req }), warnOfListener);
    }
    if (res.headersSent) return;
    res.statusCode = 204;
    res.end();
  });
}
