import type { ResourceStore } from '../../../lib/stores/contract/resource-store';
import { frameworks } from '../../support/frameworks';
import { describePatches, resource, type PatchTable } from '../../support/patch-table';
import { resourceTables } from '../../resource/tables';
import { answers } from './answers';
import { requests } from './requests';
import { limits } from './limits';
import { preconditions } from './preconditions';
import { refusals } from './refusals';
import { targets } from './targets';

/** What a PATCH gets, clause by clause: of every kind of store the same. */
export const patchTables: Readonly<Record<string, PatchTable>> = {
  ...answers,
  ...requests,
  ...limits,
  ...targets,
  ...preconditions,
  ...refusals,
};

/** The tables, and those of the other methods of a resource, over one kind of store, on the newest Express alone: what Express does is proved with MemoryStore. */
export function describePatchesOver(openStore: () => Promise<EmptiedStore>): void {
  const opened = async () => {
    const store = await openStore();
    await store.delete(resource.id);
    return store;
  };
  for (const [title, table] of Object.entries({ ...patchTables, ...resourceTables })) {
    describePatches(title, table, opened, frameworks.slice(0, 1));
  }
}

export interface EmptiedStore extends ResourceStore {
  delete(key: string): Promise<boolean>;
}
