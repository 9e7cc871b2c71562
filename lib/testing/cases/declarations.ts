import { strict as assert } from 'node:assert';
import type { ConformanceTests } from '../conformance-test';
import { type KeyProbe, shown } from '../key-probe';
import { assertDeclared, capabilities, type Capability } from '../store-under-test';

/** The store has the capabilities that the options declare. */
export const declarations = (declared: Readonly<Record<Capability, boolean>>): ConformanceTests => ({
  'the store has exactly the declared capabilities': async (here) => {
    assertDeclared(here.store, 'outcomes', declared.outcomes);
    assertDeclared(here.store, 'deletes', declared.deletes);
    assertDeclared(here.store, 'creates', declared.creates);
    if (declared.creates) await assertCreates(here);
    else await assertCreatesNothing(here, declared.deletes);
  },
});

async function assertCreates(here: KeyProbe): Promise<void> {
  const isThere = (await here.get()) !== undefined;
  const isTaken =
    `The option key returned ${shown(here.key)}, which already has a resource. ` +
    'Return unused keys, or set { creates: false }.';
  assert.ok(!isThere, isTaken);
  assert.ok(await here.replace(null, 'created'), capabilities.creates.missing);
}

async function assertCreatesNothing(here: KeyProbe, deletes: boolean): Promise<void> {
  await here.start('there');
  if (!deletes) return;
  await here.delete();
  assert.equal(await here.replace(null, 'created'), undefined, capabilities.creates.undeclared);
}
