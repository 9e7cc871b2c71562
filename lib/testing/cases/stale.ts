import { strict as assert } from 'node:assert';
import type { Stored } from '../../stores/contract/resource-store';
import { mutableValue, mutate } from '../text-carrier';
import { assertSameJson, type KeyProbe } from '../key-probe';
import type { ConformanceTests } from '../conformance-test';

/** What `mayBeStale` allows to a store that remembers. */
export const stale: ConformanceTests = {
  'with mayBeStale: a state that was there, the value under its own version': async (here, elsewhere) => {
    const { before, first, second, found } = await rememberFirst(here, elsewhere);
    if (found?.version === before?.version) return;
    const states = new Map<string | undefined, unknown>([
      [first.version, 'first'],
      [second.version, 'second'],
    ]);
    assert.ok(states.has(found?.version), 'the version is one that the key never had');
    assertSameJson(found?.value, states.get(found?.version));
  },

  'without mayBeStale: the present state, whatever was given with it': async (here, elsewhere) => {
    const { second } = await rememberFirst(here, elsewhere);
    await here.isAt(second.version);
  },

  'what a caller does to a value is not what is remembered of it': async (here) => {
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

/** The second state is written by another instance, when this one may have remembered the first. */
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
