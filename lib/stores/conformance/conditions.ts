import assert from 'node:assert/strict';
import { assertSameJson, create, stored, type Trials, update } from './trial';

/** What `replace` compares, and what it leaves alone. */
export const conditions: Trials = {
  'an absent key: get is undefined, and a replace with a version writes nothing': async ({ store, key }) => {
    assert.equal(await store.get(key), undefined);
    assert.equal(await store.replace(key, 'a version', 1), undefined);
    assert.equal(await store.replace(key, '', 1), undefined);
    assert.equal(await store.get(key), undefined);
  },

  'null writes only while the key is absent': async ({ store, key }) => {
    await create(store, key, 'first');
    assert.equal(await store.replace(key, null, 'second'), undefined);
    assertSameJson((await stored(store, key)).value, 'first');
  },

  'a version that is not the present one writes nothing': async ({ store, key }) => {
    const first = await create(store, key, 1);
    const second = await update(store, key, first, 2);
    const others = [
      first.version,
      `${second.version} `,
      second.version.slice(0, -1),
      '',
      '*',
      '%',
      "' OR 1=1 --",
    ];
    for (const version of others) assert.equal(await store.replace(key, version, 3), undefined, version);
    assertSameJson((await stored(store, key)).value, 2);
  },

  'replace returns what get then returns': async ({ store, key }) => {
    for (const write of [
      () => create(store, key, { a: [1] }),
      async () => update(store, key, await stored(store, key), { a: [2] }),
    ]) {
      const written = await write();
      const read = await stored(store, key);
      assertSameJson(written.value, read.value);
      assert.equal(written.version, read.version);
      assert.equal(written.modified?.getTime(), read.modified?.getTime());
    }
  },

  'a write leaves every other key alone': async ({ store, key }) => {
    const other = await create(store, `${key}/other`, 'other');
    await update(store, key, await create(store, key, 1), 2);
    assert.equal((await stored(store, `${key}/other`)).version, other.version);
  },
};
