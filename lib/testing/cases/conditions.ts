import { strict as assert } from 'node:assert';
import type { Stored } from '../../stores/contract/resource-store';
import { assertSameJson, isFound, type KeyProbe, readModified } from '../key-probe';
import type { ConformanceTests } from '../conformance-test';

/** The conditions of `replace`. */
export const conditions: ConformanceTests = {
  'replace with null writes only if the key is absent': async (here) => {
    await here.start('first');
    await here.refuses(null, 'second');
    await here.holds('first');
  },

  'replace on any state but the current one writes nothing': async (here) => {
    const first = await here.start(1);
    const second = await here.writes(first, 2);
    for (const other of [first, ...createOtherVersions(second)]) await here.refuses(other, 3);
    await here.holds(2);
  },

  'replace returns what get then returns': async (here) => {
    await assertReturned(here, await here.start({ a: [1] }));
    await assertReturned(here, await here.writes(await here.present(), { a: [2] }));
    // The value includes the members beside the text of a carrier.
    const { bare } = here;
    const before = await bare.present();
    await assertReturned(bare, await bare.writes(before, before.value));
  },

  'a state that is handed back in place of a write is the one that get returns': async (here) => {
    const first = await here.start(1);
    await here.writes(first, 2);
    const context = { current: first };
    const result = await here.store.replace(here.key, first.version ?? '', 3, context);
    assert.ok(result === undefined || isFound(result), 'replace wrote on a state that is gone');
    if (result === undefined) return;
    const { current } = result;
    assert.ok(current, 'replace returned { current: undefined }, but the resource exists');
    await here.isAt(current);
    await here.writes(current, 4);
    await here.holds(4);
  },

  'a write does not change other keys': async (here) => {
    const other = await here.another();
    const state = await other.start('other');
    await here.writes(await here.start(1), 2);
    await other.isAt(state);
  },
};

/** The conditions for a key that has no resource yet. */
export const absentConditions: ConformanceTests = {
  'an absent key: get returns undefined, and replace with a version writes nothing': async (here) => {
    await here.isAbsent();
    for (const version of ['a version', '', 'null', 'undefined']) await here.refuses(version, 1);
    await here.isAbsent();
  },
};

/**
 * Versions that a careless comparison would confuse with the version of this state, or with any version; none
 * if the state has none.
 */
export function createOtherVersions({ version }: Stored<unknown>): readonly string[] {
  if (version === undefined) return [];
  const others = [version.toUpperCase(), `${version} `, version.slice(0, -1), '', '*', '%', "' OR 1=1 --"];
  return others.filter((other) => other !== version);
}

async function assertReturned(here: KeyProbe, written: Stored<unknown>): Promise<void> {
  const read = await here.present();
  assertSameJson(written.value, read.value);
  assert.equal(written.version, read.version);
  assert.equal(readModified(written)?.getTime(), readModified(read)?.getTime());
}
