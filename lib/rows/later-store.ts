import { OptionsCheck } from '../config/options-check';
import type { OutcomeStore } from '../stores/contract/outcome-store';
import type { Stored } from '../stores/contract/resource-store';
import type { JsonObject } from '../json/value';
import { compileRowStore } from './compile-row-store';
import type { RowStoreOptions } from './row-store-options';

/** A store of rows, with all methods that one can have. */
export type AnyRowStore = OutcomeStore<JsonObject> &
  Required<Pick<OutcomeStore<JsonObject>, 'complete' | 'fit' | 'delete'>> & {
    show(row: object): Stored<JsonObject>;
  };

/**
 * Creates a store whose connection comes later, or is replaced. Handlers ask a store about itself when they
 * are made, so what does not depend on the connection is checked now; the rest is checked with the first
 * request, whose error it becomes.
 *
 * @param open - returns the store over the present connection
 * @throws ConfigurationError
 */
export function createLaterStore(options: object, open: () => AnyRowStore): AnyRowStore {
  const check = new OptionsCheck('rowStore()');
  const { readOnly, writeOnly, doubles, outcomes } = compileRowStore({ ...unconnected, ...options }, check);
  check.done();
  const store = {
    get: async (...args: Parameters<AnyRowStore['get']>) => open().get(...args),
    replace: async (...args: Parameters<AnyRowStore['replace']>) => open().replace(...args),
    delete: async (...args: Parameters<AnyRowStore['delete']>) => open().delete(...args),
    complete: (...args: Parameters<AnyRowStore['complete']>) => open().complete(...args),
    fit: (...args: Parameters<AnyRowStore['fit']>) => open().fit(...args),
    show: (row: object) => open().show(row),
    readOnly,
    writeOnly,
    doubles,
  };
  return (outcomes === undefined ? store : { ...store, keepsOutcomes: true }) as AnyRowStore;
}

const never = () => undefined;

/** Stands for a connection about which nothing is known that could be a mistake. */
const unconnected: Partial<RowStoreOptions> = {
  transaction: never,
  find: never,
  update: never,
  insert: never,
  delete: never,
  returning: true,
};
