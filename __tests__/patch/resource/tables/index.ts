import type { PatchTable } from '../../../support/patch-table';
import { deletes } from './delete';
import { gets } from './get';
import { puts } from './put';

/** What GET, PUT and DELETE of a resource get, clause by clause: of every kind of store the same. */
export const resourceTables: Readonly<Record<string, PatchTable>> = { ...gets, ...puts, ...deletes };
