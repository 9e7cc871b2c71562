import { strict as assert } from 'node:assert';
import type { Stored } from '../../stores/contract/resource-store';
import type { ConformanceTests } from '../conformance-test';
import { type KeyProbe, printShort } from '../key-probe';
import { assertDeclared, capabilities, type Capability } from '../store-under-test';

/** The store has the capabilities that the options declare. */
export const declarations = (declared: Readonly<Record<Capability, boolean>>): ConformanceTests => ({
  'the store has exactly the declared capabilities': async (here) => {
    assertDeclared(here.store, 'outcomes', declared.outcomes);
    assertDeclared(here.store, 'deletes', declared.deletes);
    assertDeclared(here.store, 'creates', declared.creates);
    assertDeclared(here.store, 'versions', declared.versions);
    const { version } = declared.creates
      ? await assertCreates(here)
      : await assertCreatesNothing(here, declared.deletes);
    const { missing, undeclared } = capabilities.versions;
    assert.equal(version !== undefined, declared.versions, declared.versions ? missing : undeclared);
  },
});

async function assertCreates(here: KeyProbe): Promise<Stored<unknown>> {
  const isThere = (await withKey(here, () => here.get())) !== undefined;
  const isTaken =
    `The option key returned ${printShort(here.key)}, which already has a resource. ` +
    'Return unused keys, or set { creates: false }.';
  assert.ok(!isThere, isTaken);
  const created = await withKey(here, () => here.replace(null, 'created'));
  assert.ok(created, capabilities.creates.missing);
  return created;
}

/** A store that uses keys as file names fails in every case; this case says why. */
async function withKey<R>({ key }: KeyProbe, call: () => Promise<R>): Promise<R> {
  try {
    return await call();
  } catch (cause) {
    const message =
      `The store threw for the key ${printShort(key)}: ${String(cause)}. Keys are any text, ` +
      'with "/" and "..": encode them, or return those that the store can hold from the option key.';
    throw new Error(message, { cause });
  }
}

async function assertCreatesNothing(here: KeyProbe, deletes: boolean): Promise<Stored<unknown>> {
  const state = await here.start('there');
  if (!deletes) return state;
  await here.delete();
  assert.equal(await here.replace(null, 'created'), undefined, capabilities.creates.undeclared);
  return state;
}
