import { strict as assert } from 'node:assert';
import type { Stored } from '../../stores/contract/resource-store';
import { change, changeable } from '../change';
import { assertSameJson, type Place } from '../key-probe';
import type { Trials } from '../test-run';

/** What `mayBeStale` allows to a store that remembers. */
export const stale: Trials = {
  'with mayBeStale: a state that was there, the value under its own version': async (here, elsewhere) => {
    const { first, second, found } = await rememberFirst(here, elsewhere);
    // It was absent once, too.
    if (found === undefined) return;
    const values = new Map([
      [first.version, 'first'],
      [second.version, 'second'],
    ]);
    assert.ok(values.has(found.version), 'the version is one that the key never had');
    assertSameJson(found.value, values.get(found.version));
  },

  'without mayBeStale: the present state, whatever was given with it': async (here, elsewhere) => {
    const { second } = await rememberFirst(here, elsewhere);
    await here.isAt(second.version);
  },

  'what a caller does to a value is not what is remembered of it': async (here) => {
    const given = changeable();
    const made = await here.writes(null, given);
    const time = made.modified?.getTime();
    change(given);
    for (const hand of [made, await here.present(), await recall(here)]) {
      change(hand?.value);
      hand?.modified?.setTime(0);
      const found = await recall(here);
      if (found === undefined) continue;
      assertSameJson(found.value, changeable());
      assert.equal(found.modified?.getTime(), time);
    }
  },
};

/** The second state is written by another instance, when this one may have remembered the first. */
async function rememberFirst(here: Place, elsewhere: () => Promise<Place>) {
  const first = await here.writes(null, 'first');
  await recall(here);
  const there = await elsewhere();
  const second = await there.writes(first.version, 'second');
  return { first, second, found: await recall(here) };
}

function recall(here: Place): Promise<Stored<unknown> | undefined> {
  return here.get({ mayBeStale: true });
}
