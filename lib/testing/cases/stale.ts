import { strict as assert } from 'node:assert';
import type { Stored } from '../../stores/contract/resource-store';
import { mutableValue, mutate } from '../text-carrier';
import { assertSameJson, type KeyProbe } from '../key-probe';
import type { ConformanceTests } from '../conformance-test';

/** What `mayBeStale` allows a store that caches. */
export const stale: ConformanceTests = {
  'with mayBeStale: a state that existed, each value with its own version': async (here, elsewhere) => {
    const { before, first, second, found } = await rememberFirst(here, elsewhere);
    if (found?.version === before?.version) return;
    const states = new Map<string | undefined, unknown>([
      [first.version, 'first'],
      [second.version, 'second'],
    ]);
    assert.ok(states.has(found?.version), 'get returned a version that the key never had');
    assertSameJson(found?.value, states.get(found?.version));
  },

  'without mayBeStale: always the current state': async (here, elsewhere) => {
    const { second } = await rememberFirst(here, elsewhere);
    await here.isAt(second.version);
  },

  'a caller that modifies a value does not change the cached one': async (here) => {
    const given = mutableValue();
    const made = await here.start(given);
    const time = made.modified?.getTime();
    mutate(given);
    for (const hand of [made, await here.present(), await recall(here)]) {
      mutate(hand?.value);
      hand?.modified?.setTime(0);
      const found = await recall(here);
      if (found === undefined) continue;
      assertSameJson(found.value, mutableValue());
      assert.equal(found.modified?.getTime(), time);
    }
    await here.holds(mutableValue());
  },
};

/** Another instance writes the second state, when this one may have cached the first. */
async function rememberFirst(here: KeyProbe, elsewhere: () => Promise<KeyProbe>) {
  const before = await here.get();
  const first = await here.start('first');
  await recall(here);
  const there = await elsewhere();
  const second = await there.writes(first.version, 'second');
  return { before, first, second, found: await recall(here) };
}

function recall(here: KeyProbe): Promise<Stored<unknown> | undefined> {
  return here.get({ mayBeStale: true });
}
