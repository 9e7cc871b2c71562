import { MemoryStore } from '../../../lib/stores/memory/memory-store';
import { describePatches } from '../../support/patch-table';
import { resourceTables } from './tables';

for (const [title, table] of Object.entries(resourceTables)) {
  describePatches(title, table, () => new MemoryStore());
}
