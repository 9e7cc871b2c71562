import assert from 'node:assert/strict';
import type { Stored } from '../resource-store';
import { assertSameJson, type ConformingStore, create, stored, type Trials } from './trial';

/** What happens when several do it at once. */
export const races: Trials = {
  'of 50 replaces at once with one expected version exactly one writes': async ({ store, key, another }) => {
    const { version } = await create(store, key, 'before');
    await assertOneWins([store, await another()], key, version);
  },

  'of 50 creations at once exactly one writes': async ({ store, key, another }) => {
    await assertOneWins([store, await another()], key, null);
  },

  'instances over one engine see each other': async ({ store, key, another }) => {
    const other = await another();
    const made = await create(store, key, 'here');
    assert.equal((await stored(other, key)).version, made.version);
    const changed = await other.replace(key, made.version, 'there');
    assert.ok(changed, 'the other instance could not write over the version of the first');
    assert.equal((await stored(store, key)).version, changed.version);
    assert.equal(await store.replace(key, made.version, 'here again'), undefined);
  },

  'no update is lost among four that count at once': async ({ store, key, another }) => {
    await create(store, key, 0);
    const instances = [store, await another(), store, await another()];
    await Promise.all(instances.map((instance) => count(instance, key, 10, 40)));
    assertSameJson((await stored(store, key)).value, 40);
  },
};

async function assertOneWins(stores: ConformingStore[], key: string, expected: string | null): Promise<void> {
  const attempts = Array.from({ length: 25 }, (_, attempt) =>
    stores.map((store, instance) => store.replace(key, expected, { attempt, instance })),
  );
  const written = (await Promise.all(attempts.flat())).filter(
    (made): made is Stored<unknown> => made !== undefined,
  );
  assert.equal(written.length, 1, `${written.length} of 50 wrote`);
  const [winner] = written;
  for (const store of stores) {
    const found = await stored(store, key);
    assert.equal(found.version, winner?.version);
    assertSameJson(found.value, winner?.value);
  }
}

/** Each attempt that fails means that another has counted since: so there are never more than all count together. */
async function count(store: ConformingStore, key: string, times: number, together: number): Promise<void> {
  let done = 0;
  for (let attempt = 0; done < times; attempt++) {
    assert.ok(attempt < together, 'replace wrote nothing again and again, though nobody else had written');
    const { value, version } = await stored(store, key);
    if (await store.replace(key, version, Number(value) + 1)) done += 1;
  }
}
