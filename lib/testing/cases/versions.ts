import { strict as assert } from 'node:assert';
import { setTimeout as delay } from 'node:timers/promises';
import { createOtherVersions } from './conditions';
import type { Stored } from '../../stores/contract/resource-store';
import { assertSameJson, isSameJson, readModified } from '../key-probe';
import { mutableValue, mutate } from '../text-carrier';
import type { ConformanceTests } from '../conformance-test';

/** A version identifies one state for ever: an entity tag that matched once never matches another state. */
export const versions: ConformanceTests = {
  'versions never repeat, even for equal values': async (here) => {
    const seen = new Set<unknown>();
    let state = await here.start('same');
    for (let write = 1; write < 51; write++) {
      seen.add(state.version);
      state = await here.writes(state, 'same');
    }
    seen.add(state.version);
    assert.equal(seen.size, 51, `51 writes made ${seen.size} versions`);
  },
};

/** The time of the last write. */
export const times: ConformanceTests = {
  'modified, if present, is the current time': async (here) => {
    let last = await here.start(0);
    const modified = readModified(last);
    if (modified === undefined) {
      assert.equal((await here.present()).modified, undefined, 'replace returned no modified, but get did');
      return;
    }
    // Engines have their own clocks. A difference of an hour or more is a time zone, not a clock.
    const apart = Math.abs(modified.getTime() - Date.now());
    assert.ok(
      apart < 30 * 60_000,
      `modified is ${modified.toISOString()}, ${apart} ms from the clock of this process`,
    );
    // Some engines store whole seconds only.
    for (const pause of [20, 1_100]) {
      await delay(pause);
      last = await here.writes(last, pause);
      if (Number(last.modified) > Number(modified)) return;
    }
    assert.fail(`modified stays ${modified.toISOString()} after later writes`);
  },
};

/** States that are their content: two states are the same if all members are. */
export const contentStates: ConformanceTests = {
  'two reads of one state have the same members': async (here, elsewhere) => {
    await here.start({ a: [1], b: 'text' });
    const first = await here.bare.present();
    for (const probe of [here, await elsewhere()]) {
      const again = await probe.bare.present();
      const names = Object.keys(Object(again.value) as object);
      const differing = names.filter((name) => !isSameJson(readMember(again, name), readMember(first, name)));
      assert.deepEqual(differing, [], 'Two reads differ, so every write would count as a lost race');
      assertSameJson(again.value, first.value);
    }
  },

  'a write that changes nothing leaves the resource in its state': async (here) => {
    const before = await here.start('same');
    await here.writes(before, 'same');
    await here.isAt(before);
    await here.writes(before, 'other');
  },

  'modifying the value of a state does not change the condition of a write on it': async (here) => {
    const state = await here.start(mutableValue());
    mutate(state.value);
    await here.writes(state, 'after');
  },
};

function readMember({ value }: Stored<unknown>, name: string): unknown {
  return Reflect.get(Object(value) as object, name);
}

/** Deletion. */
export const deletion: ConformanceTests = {
  'delete on a state deletes only that state': async (here) => {
    const first = await here.start(1);
    const second = await here.writes(first, 2);
    for (const other of [first, ...createOtherVersions(second)]) {
      await here.delete(other);
      await here.isAt(second);
    }
    await here.delete(second);
    await here.isAbsent();
  },

  'delete returns whether it deleted': async (here) => {
    const first = await here.start(1);
    const second = await here.writes(first, 2);
    for (const [expected, state, is] of [
      [false, first, 'on an outdated state'],
      [true, second, 'on the current state'],
      [false, second, 'of an absent resource'],
      [false, undefined, 'of an absent resource, without a state,'],
    ] as const) {
      const returned: unknown = await here.delete(state);
      assert.equal(
        returned,
        expected,
        `delete ${is} returned ${String(returned)}, but should return ${String(expected)}`,
      );
    }
  },

  'of several concurrent deletes of one state exactly one deletes': async (here, elsewhere) => {
    const state = await here.start('there');
    const probes = [here, await elsewhere(), here, await elsewhere()];
    const returned = await Promise.all(probes.map((probe) => probe.delete(state)));
    assert.deepEqual(
      [...returned].sort(),
      [false, false, false, true],
      `delete returned ${returned.join(', ')}`,
    );
    await here.isAbsent();
  },

  'a deleted resource is absent: get returns undefined, and replace on its state writes nothing': async (
    here,
    elsewhere,
  ) => {
    const state = await here.start('there');
    await here.delete();
    for (const probe of [here, await elsewhere()]) {
      await probe.isAbsent();
      await probe.refuses(state, 'after delete');
      await probe.isAbsent();
    }
  },
};

/** Deletion followed by another creation. */
export const recreation: ConformanceTests = {
  'versions never repeat, even after deletion': async (here) => {
    const seen = new Set<unknown>();
    for (let i = 0; i < 5; i++) {
      const first = await here.writes(null, 'same');
      const second = await here.writes(first, 'same');
      seen.add(first.version).add(second.version);
      await here.delete();
    }
    assert.equal(seen.size, 10, `10 writes made ${seen.size} versions`);
  },
};
