import type { ResourceStore } from '../../../lib/stores/contract/resource-store';
import { sampled } from '../../support/deep-scale';
import { frameworks } from '../../support/frameworks';
import { describePatches, resource, type PatchTable } from '../../support/patch-table';
import { resourceTables } from '../resource/tables';
import { answers } from './answers';
import { requests } from './requests';
import { limits } from './limits';
import { preconditions } from './preconditions';
import { refusals } from './refusals';
import { targets } from './targets';

/** In these the store has a part. */
const tablesOfStores: Readonly<Record<string, PatchTable>> = {
  ...answers,
  ...limits,
  ...targets,
  ...preconditions,
};

/** What a PATCH gets, clause by clause: of every kind of store the same. */
export const patchTables: Readonly<Record<string, PatchTable>> = {
  ...tablesOfStores,
  ...requests,
  ...refusals,
};

/**
 * The tables in which the store has a part, and those of the other methods of a resource, over one kind of store. What is refused
 * before the store is asked, or whatever it holds, is proved with MemoryStore, and what Express does too.
 *
 * @param from - the first row, 0, 1 or 2: after each change every third is run, so that three stores run all of them
 */
export function describePatchesOver(openStore: () => Promise<EmptiedStore>, from: number): void {
  const opened = async () => {
    const store = await openStore();
    await store.delete(resource.id);
    return store;
  };
  for (const [title, table] of Object.entries({ ...tablesOfStores, ...resourceTables })) {
    const rows = sampled(Object.entries(table), 3, from);
    if (rows.length > 0) describePatches(title, Object.fromEntries(rows), opened, frameworks.slice(0, 1));
  }
}

interface EmptiedStore extends ResourceStore {
  delete(key: string): Promise<boolean>;
}
