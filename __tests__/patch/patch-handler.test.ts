import { MemoryStore } from '../../lib/stores/memory/memory-store';
import { describePatches } from '../support/patch-table';
import { patchTables } from './tables/index';

for (const [title, table] of Object.entries(patchTables)) {
  describePatches(title, table, () => new MemoryStore());
}
