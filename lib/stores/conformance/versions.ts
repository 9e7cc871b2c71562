import assert from 'node:assert/strict';
import { create, stored, type Trials, update } from './trial';

/** A version names one state, for good: an entity tag that was matched once never matches another state. */
export const versions: Trials = {
  'no version comes twice, also for equal values': async ({ store, key }) => {
    const seen = new Set<string>();
    let last = await create(store, key, 'same');
    for (let i = 0; i < 50; i++) {
      seen.add(last.version);
      last = await update(store, key, last, 'same');
    }
    seen.add(last.version);
    assert.equal(seen.size, 51, `51 writes made ${seen.size} versions`);
  },

  'no version comes twice, also after deletion': async ({ store, key }) => {
    const seen = new Set<string>();
    for (let i = 0; i < 5; i++) {
      const made = await create(store, key, 'same');
      const { version } = await update(store, key, made, 'same');
      seen.add(made.version).add(version);
      if (store.delete === undefined) return;
      await store.delete(key);
      assert.equal(await store.get(key), undefined, 'the key was there after delete');
      assert.equal(await store.replace(key, version, 'late'), undefined, 'a version outlived delete');
    }
    assert.equal(seen.size, 10, `10 writes made ${seen.size} versions`);
  },

  'delete with a version deletes only that version': async ({ store, key }) => {
    if (store.delete === undefined) return;
    const first = await create(store, key, 1);
    const second = await update(store, key, first, 2);
    await store.delete(key, first.version);
    assert.equal((await stored(store, key)).version, second.version);
    await store.delete(key, second.version);
    assert.equal(await store.get(key), undefined);
  },

  'modified, where there is one, is the present time': async ({ store, key }) => {
    const { modified } = await create(store, key, 1);
    if (modified === undefined) return;
    // Engines have clocks of their own; an hour and more apart is no clock but a time zone.
    const apart = Math.abs(modified.getTime() - Date.now());
    assert.ok(apart < 30 * 60_000, `modified is ${modified.toISOString()}, ${apart} ms from here`);
  },
};
