/** A project without Express proves its store: `node conformance.mjs`. */
import { MemoryStore } from 'patch-options';
import { storeConformance } from 'patch-options/testing';

const store = new MemoryStore();
const cases = storeConformance(() => ({ open: () => store }));
for (const { run } of cases) await run();
console.log(`${cases.length} cases: right`);
