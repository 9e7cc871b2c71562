import type { Exchange } from './exchange';
import { checkState } from '../stores/contract/check-result';
import type { FoundState, ReadContext } from '../stores/contract/resource-store';
import { storeQueue } from './key-queue';
import type { PatchSettings } from './options/settings';
import type { PermittedState } from './rules/permitted-state';
import { notPermitted } from './refusals';

/**
 * Reads the state of a resource, and asks the option `may`: a client without access must learn nothing else.
 *
 * @param found - the state that a write of the store has returned, if any
 * @throws ProblemError 403
 */
export async function readPermitted<T>(
  { store, may }: PatchSettings<T>,
  key: string,
  { req, client }: Pick<Exchange, 'req' | 'client'>,
  reading: ReadContext = client.context({}),
  found?: FoundState<T>,
): Promise<PermittedState<T>> {
  const stored = found === undefined ? checkState(store, await store.get(key, reading)) : found.current;
  if (may !== undefined && !(await may(req, stored?.value))) throw notPermitted(req.method);
  return { stored };
}

/**
 * The state that a request begins with, if the app decides who can learn it. It is read before the request
 * takes its turn: a client without access must neither delay those who have it, nor learn that somebody is
 * writing. A request that has to wait reads and asks again, and keeps no value in memory meanwhile.
 *
 * @returns undefined without the option `may`, and if the request has to wait
 * @throws ProblemError 403
 */
export async function readBeforeTurn<T>(
  settings: PatchSettings<T>,
  key: string,
  exchange: Pick<Exchange, 'req' | 'client'>,
  reading?: ReadContext,
): Promise<PermittedState<T> | undefined> {
  const permitted = settings.may && (await readPermitted(settings, key, exchange, reading));
  return storeQueue(settings.store).isBusy(key) ? undefined : permitted;
}
