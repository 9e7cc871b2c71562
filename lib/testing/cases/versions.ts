import { strict as assert } from 'node:assert';
import { setTimeout as delay } from 'node:timers/promises';
import { createOtherVersions } from './conditions';
import { readModified } from '../key-probe';
import type { ConformanceTests } from '../conformance-test';

/** A version identifies one state for ever: an entity tag that matched once never matches another state. */
export const versions: ConformanceTests = {
  'versions never repeat, even for equal values': async (here) => {
    const seen = new Set<string>();
    let { version } = await here.start('same');
    for (let write = 1; write < 51; write++) {
      seen.add(version);
      ({ version } = await here.writes(version, 'same'));
    }
    seen.add(version);
    assert.equal(seen.size, 51, `51 writes made ${seen.size} versions`);
  },

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
      last = await here.writes(last.version, pause);
      if (Number(last.modified) > Number(modified)) return;
    }
    assert.fail(`modified stays ${modified.toISOString()} after later writes`);
  },
};

/** Deletion. */
export const deletion: ConformanceTests = {
  'delete with a version deletes only that version': async (here) => {
    const first = await here.start(1);
    const second = await here.writes(first.version, 2);
    for (const other of [first.version, ...createOtherVersions(second.version)]) {
      await here.delete(other);
      await here.isAt(second.version);
    }
    await here.delete(second.version);
    await here.isAbsent();
  },

  'delete returns whether it deleted': async (here) => {
    const first = await here.start(1);
    const second = await here.writes(first.version, 2);
    for (const [expected, version, is] of [
      [false, first.version, 'with an outdated version'],
      [true, second.version, 'with the current version'],
      [false, second.version, 'of an absent resource'],
      [false, undefined, 'of an absent resource, without a version,'],
    ] as const) {
      const returned: unknown = await here.delete(version);
      assert.equal(
        returned,
        expected,
        `delete ${is} returned ${String(returned)}, but should return ${String(expected)}`,
      );
    }
  },

  'of several concurrent deletes of one version exactly one deletes': async (here, elsewhere) => {
    const { version } = await here.start('there');
    const probes = [here, await elsewhere(), here, await elsewhere()];
    const returned = await Promise.all(probes.map((probe) => probe.delete(version)));
    assert.deepEqual(
      [...returned].sort(),
      [false, false, false, true],
      `delete returned ${returned.join(', ')}`,
    );
    await here.isAbsent();
  },

  'a deleted resource is absent: get returns undefined, and replace with its version writes nothing': async (
    here,
    elsewhere,
  ) => {
    const { version } = await here.start('there');
    await here.delete();
    for (const probe of [here, await elsewhere()]) {
      await probe.isAbsent();
      await probe.refuses(version, 'after delete');
      await probe.isAbsent();
    }
  },
};

/** Deletion followed by another creation. */
export const recreation: ConformanceTests = {
  'versions never repeat, even after deletion': async (here) => {
    const seen = new Set<string>();
    for (let i = 0; i < 5; i++) {
      const first = await here.writes(null, 'same');
      const { version } = await here.writes(first.version, 'same');
      seen.add(first.version).add(version);
      await here.delete();
    }
    assert.equal(seen.size, 10, `10 writes made ${seen.size} versions`);
  },
};
