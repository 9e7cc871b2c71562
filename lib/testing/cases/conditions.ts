import { strict as assert } from 'node:assert';
import type { Stored } from '../../stores/contract/resource-store';
import { assertSameJson, type KeyProbe, readModified } from '../key-probe';
import type { ConformanceTests } from '../conformance-test';

/** The conditions of `replace`. */
export const conditions: ConformanceTests = {
  'replace with null writes only if the key is absent': async (here) => {
    await here.start('first');
    await here.refuses(null, 'second');
    await here.holds('first');
  },

  'replace with any version but the current one writes nothing': async (here) => {
    const first = await here.start(1);
    const { version } = await here.writes(first.version, 2);
    for (const other of [first.version, ...createOtherVersions(version)]) await here.refuses(other, 3);
    await here.holds(2);
  },

  'replace returns what get then returns': async (here) => {
    await assertReturned(here, await here.start({ a: [1] }));
    const { version } = await here.present();
    await assertReturned(here, await here.writes(version, { a: [2] }));
    // Includes the members next to the text of a carrier.
    const { bare } = here;
    const before = await bare.present();
    await assertReturned(bare, await bare.writes(before.version, before.value));
  },

  'a write does not change other keys': async (here) => {
    const other = await here.another();
    const { version } = await other.start('other');
    const stored = await here.start(1);
    await here.writes(stored.version, 2);
    await other.isAt(version);
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

/** Versions that a careless comparison would confuse with this one, or with any. */
export function createOtherVersions(version: string): readonly string[] {
  const others = [version.toUpperCase(), `${version} `, version.slice(0, -1), '', '*', '%', "' OR 1=1 --"];
  return others.filter((other) => other !== version);
}

async function assertReturned(here: KeyProbe, written: Stored<unknown>): Promise<void> {
  const read = await here.present();
  assertSameJson(written.value, read.value);
  assert.equal(written.version, read.version);
  assert.equal(readModified(written)?.getTime(), readModified(read)?.getTime());
}
