import assert from 'node:assert/strict';
import { assertSameJson, change, create, stored, type Trials, update } from './trial';

/** What `mayBeStale` allows to a store that remembers. */
export const stale: Trials = {
  'with mayBeStale: a state that was there, the value under its own version': async (trial) => {
    const { store, key, another } = trial;
    const first = await create(store, key, 'first');
    await store.get(key, { mayBeStale: true });
    const second = await update(await another(), key, first, 'second');
    const found = await store.get(key, { mayBeStale: true });
    // It was absent once, too.
    if (found === undefined) return;
    const values = new Map([
      [first.version, 'first'],
      [second.version, 'second'],
    ]);
    assert.ok(values.has(found.version), 'the version is one that the key never had');
    assertSameJson(found.value, values.get(found.version));
  },

  'without mayBeStale: the present state, whatever was given with it': async ({ store, key, another }) => {
    const first = await create(store, key, 'first');
    await store.get(key, { mayBeStale: true });
    const second = await update(await another(), key, first, 'second');
    await store.get(key, { mayBeStale: true });
    assert.equal((await stored(store, key)).version, second.version);
  },

  'what a caller does to a value is not what is remembered of it': async ({ store, key }) => {
    const given = { list: [1], member: { a: 1 } };
    const made = await create(store, key, given);
    const time = made.modified?.getTime();
    change(given);
    for (const hand of [made, await stored(store, key), await store.get(key, { mayBeStale: true })]) {
      change(hand?.value);
      hand?.modified?.setTime(0);
      const found = await store.get(key, { mayBeStale: true });
      if (found === undefined) continue;
      assertSameJson(found.value, { list: [1], member: { a: 1 } });
      assert.equal(found.modified?.getTime(), time);
    }
  },
};
