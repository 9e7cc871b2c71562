import { strict as assert } from 'node:assert';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConformanceTests } from '../conformance-test';

/** A version names one state, for good: an entity tag that was matched once never matches another state. */
export const versions: ConformanceTests = {
  'no version comes twice, also for equal values': async (here) => {
    const seen = new Set<string>();
    let last: string | null = null;
    for (let write = 0; write < 51; write++) {
      const { version } = await here.writes(last, 'same');
      seen.add(version);
      last = version;
    }
    assert.equal(seen.size, 51, `51 writes made ${seen.size} versions`);
  },

  'modified, where there is one, is the present time': async (here) => {
    let last = await here.writes(null, 0);
    const { modified } = last;
    if (modified === undefined) {
      assert.equal((await here.present()).modified, undefined, 'replace tells no time, and get does');
      return;
    }
    // Engines have clocks of their own; an hour and more apart is no clock but a time zone.
    const apart = Math.abs(modified.getTime() - Date.now());
    assert.ok(apart < 30 * 60_000, `modified is ${modified.toISOString()}, ${apart} ms from here`);
    // Some tell no less than seconds.
    for (const pause of [20, 1_100]) {
      await delay(pause);
      last = await here.writes(last.version, pause);
      if (Number(last.modified) > Number(modified)) return;
    }
    assert.fail(`modified is ${modified.toISOString()}, whatever is written`);
  },
};

/** The same where resources are deleted, and made anew. */
export const deletion: ConformanceTests = {
  'no version comes twice, also after deletion': async (here) => {
    const seen = new Set<string>();
    for (let i = 0; i < 5; i++) {
      const made = await here.writes(null, 'same');
      const { version } = await here.writes(made.version, 'same');
      seen.add(made.version).add(version);
      await here.delete();
      await here.isAbsent();
      await here.refuses(version, 'after delete');
    }
    assert.equal(seen.size, 10, `10 writes made ${seen.size} versions`);
  },

  'delete with a version deletes only that version': async (here) => {
    const first = await here.writes(null, 1);
    const second = await here.writes(first.version, 2);
    await here.delete(first.version);
    await here.isAt(second.version);
    await here.delete(second.version);
    await here.isAbsent();
  },
};
