import type { Exchange } from '../request/exchange';
import { checkedState } from '../stores/contract/check-result';
import type { Stored } from '../stores/contract/resource-store';
import type { PatchSettings } from './options/settings';
import { notPermitted } from './problems';

/**
 * Asks the option `may` before a request waits for others, or learns of them: a client without access must
 * neither delay those who have it, nor learn that somebody is writing. Once its turn has come it is asked
 * again, on the state of that time.
 *
 * @throws ProblemError 403
 */
export async function assertPermitted<T>(
  settings: PatchSettings<T>,
  key: string,
  exchange: Pick<Exchange, 'req' | 'client'>,
): Promise<void> {
  if (settings.may !== undefined) await readPermitted(settings, key, exchange);
}

/**
 * Reads the state of a resource, if this client can learn it.
 *
 * @throws ProblemError 403
 */
export async function readPermitted<T>(
  { store, may, states }: PatchSettings<T>,
  key: string,
  { req, client }: Pick<Exchange, 'req' | 'client'>,
): Promise<Stored<T> | undefined> {
  const state = checkedState('get', await store.get(key, client.context({})));
  if (may !== undefined && !(await may(req, state && states.guard(state).value))) {
    throw notPermitted(req.method);
  }
  return state;
}
