import type { ResourceStore } from '../../../lib/stores/contract/resource-store';
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
 */
export function describePatchesOver(openStore: () => Promise<EmptiedStore>): void {
  const opened = async () => {
    const store = await openStore();
    await store.delete(resource.id);
    return store;
  };
  for (const [title, table] of Object.entries({ ...tablesOfStores, ...resourceTables })) {
    describePatches(title, table, opened, frameworks.slice(0, 1));
  }
}

interface EmptiedStore extends ResourceStore {
  delete(key: string): Promise<boolean>;
}
