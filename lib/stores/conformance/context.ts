import assert from 'node:assert/strict';
import type { ResourceStore, Stored } from '../resource-store';
import { assertSameJson, create, stored, type Trials } from './trial';

/** What a store does with the context beside the key. */
export const context: Trials = {
  'aborted before the write: the reason is thrown, and nothing is written': async ({ store, key }) => {
    const reason = new Error('the client has gone');
    const signal = AbortSignal.abort(reason);
    const isReason = (error: unknown) => error === reason;
    await assert.rejects(store.replace(key, null, 1, { signal }), isReason);
    assert.equal(await store.get(key), undefined);
    const { version } = await create(store, key, 1);
    await assert.rejects(store.replace(key, version, 2, { signal }), isReason);
    assertSameJson((await stored(store, key)).value, 1);
  },

  'a signal that is not aborted changes nothing': async ({ store, key }) => {
    const { signal } = new AbortController();
    const made = await store.replace(key, null, 1, { signal });
    assert.ok(made, 'wrote nothing, though the key was absent');
    assertSameJson((await store.get(key, { signal }))?.value, 1);
  },

  'over maxBytes: a 413 problem, and nothing is written; or all of it': async ({ store, key }) => {
    const { version } = await create(store, key, 'before');
    const written = await replaceLimited(store, key, version);
    assertSameJson((await stored(store, key)).value, written === undefined ? 'before' : 'é');
  },

  'at maxBytes, counted as UTF-8: written': async ({ store, key }) => {
    const made = await store.replace(key, null, 'é', { maxBytes: 4 });
    assert.ok(made, 'wrote nothing, though the key was absent');
  },
};

/** @returns undefined where the store refused the value for its size, as the contract says it may */
async function replaceLimited(
  store: ResourceStore,
  key: string,
  version: string,
): Promise<Stored<unknown> | undefined> {
  try {
    const made = await store.replace(key, version, 'é', { maxBytes: 3 });
    assert.ok(made, 'wrote nothing, though the version was the present one');
    return made;
  } catch (error) {
    const { status, code } = Object(error) as { status?: unknown; code?: unknown };
    assert.deepEqual({ status, code }, { status: 413, code: 'limit-result' }, String(error));
    return undefined;
  }
}
