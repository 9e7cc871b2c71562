import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { OutcomeToKeep, Stored } from '../resource-store';
import { assertSameJson, type ConformingStore, create, stored, type Trial, type Trials } from './trial';

/** The clauses of `OutcomeStore`; of any other store nothing is asked. */
export const outcomes: Trials = ofOutcomeStores({
  'an outcome is found under its id and key, by every instance, where it is asked for': async (trial) => {
    const { store, key, another } = trial;
    await keep(store, key, outcome('a'));
    await create(store, `${key}/other`, 0);
    for (const instance of [store, await another()]) {
      assert.equal(await textOf(instance, key, 'a'), 'of a');
      assert.equal(await textOf(instance, key, 'b'), undefined, 'an outcome was found under another id');
      assert.equal(await textOf(instance, `${key}/other`, 'a'), undefined, 'one was found at another key');
      assert.equal((await instance.get(key))?.outcome, undefined, 'one was given that nobody asked for');
    }
  },

  'outcomes stay when the resource moves on': async ({ store, key }) => {
    for (const id of ['a', 'b', 'c']) await keep(store, key, outcome(id));
    await keep(store, key);
    for (const id of ['a', 'b', 'c']) assert.equal(await textOf(store, key, id), `of ${id}`);
    assertSameJson((await stored(store, key)).value, 4);
  },

  'the text is made of the version that is written, and comes back as it is': async ({ store, key }) => {
    const around = ` "'\\ é\u{10ffff} $1 %s \n {} `;
    const longest = 'x'.repeat(64);
    const written = await keep(
      store,
      key,
      outcome(longest, { text: (version) => around + version + around }),
    );
    assert.equal(await textOf(store, key, longest), around + written.version + around);
  },

  'a write that is not carried out keeps no outcome': async ({ store, key }) => {
    const context = { outcome: outcome('a') };
    assert.equal(await store.replace(key, 'a version', 1, context), undefined);
    await create(store, key, 0);
    assert.equal(await store.replace(key, 'a version', 1, context), undefined);
    assert.equal(await store.replace(key, null, 1, context), undefined);
    assert.equal(await textOf(store, key, 'a'), undefined);
  },

  'what text throws is thrown, and nothing is written': async ({ store, key }) => {
    const { version } = await create(store, key, 0);
    const fault = new Error('no text');
    const text = () => {
      throw fault;
    };
    const writing = store.replace(key, version, 1, { outcome: outcome('a', { text }) });
    await assert.rejects(writing, (error) => error === fault);
    assert.equal((await stored(store, key)).version, version);
  },

  'an id is written once, whatever the version': async ({ store, key, another }) => {
    await keep(store, key, outcome('a'));
    for (const instance of [store, await another()]) {
      const { version } = await stored(instance, key);
      const again = outcome('a', { text: () => 'again' });
      assert.equal(await instance.replace(key, version, 'again', { outcome: again }), undefined);
    }
    assertSameJson((await stored(store, key)).value, 1);
    assert.equal(await textOf(store, key, 'a'), 'of a');
  },

  'of 50 at once that add under one id exactly one adds': async ({ store, key, another }) => {
    await create(store, key, 0);
    const instances = [store, await another()];
    const attempts = Array.from({ length: 25 }, () =>
      instances.map((instance) => addOnce(instance, key, 50)),
    );
    const added = (await Promise.all(attempts.flat())).filter(Boolean);
    assert.equal(added.length, 1, `${added.length} of 50 added`);
    assertSameJson((await stored(store, key)).value, 1);
  },

  'where keep is reached: a 503 problem with Retry-After, and nothing is written': async ({ store, key }) => {
    for (const id of ['a', 'b']) await keep(store, key, outcome(id, { keep: 2, maxAge: 3_600 }));
    const { version } = await stored(store, key);
    const full = store.replace(key, version, 'over', { outcome: outcome('c', { keep: 2 }) });
    await assert.rejects(full, (error: Error) => {
      const { status, code, headers } = error as Partial<Record<'status' | 'code' | 'headers', unknown>>;
      const seconds = Number(Reflect.get(Object(headers) as object, 'Retry-After'));
      assert.deepEqual({ status, code }, { status: 503, code: 'outcomes-full' }, String(error));
      assert.ok(
        seconds > 3_000 && seconds <= 3_600,
        `Retry-After is ${seconds}, where the oldest has an hour`,
      );
      return true;
    });
    assert.equal((await stored(store, key)).version, version);
    await keep(store, key);
    await keep(store, key, outcome('c', { keep: 3 }));
    for (const id of ['a', 'b', 'c']) assert.equal(await textOf(store, key, id), `of ${id}`);
  },

  'over its age an outcome is gone, and its place and its id are free': async ({ store, key }) => {
    await keep(store, key, outcome('a', { maxAge: 1 }));
    await keep(store, key, outcome('b', { maxAge: 1 }));
    await delay(1_100);
    assert.equal(await textOf(store, key, 'a'), undefined, 'an outcome outlived its age');
    await keep(store, key, outcome('c', { keep: 2 }));
    await keep(store, key, outcome('b', { keep: 2, text: () => 'of another b' }));
    assert.equal(await textOf(store, key, 'b'), 'of another b');
    assert.equal(await textOf(store, key, 'c'), 'of c');
  },

  'deletion forgets outcomes': async ({ store, key }) => {
    await keep(store, key, outcome('a'));
    if (store.delete === undefined) return;
    await store.delete(key);
    assert.equal(await store.get(key, { outcome: { id: 'a' } }), undefined);
    await create(store, key, 0);
    assert.equal(await textOf(store, key, 'a'), undefined, 'an outcome outlived deletion');
    await keep(store, key, outcome('a', { keep: 1 }));
  },
});

function ofOutcomeStores(trials: Trials): Trials {
  const entries = Object.entries(trials).map(([name, act]) => [
    name,
    async (trial: Trial) => {
      if (trial.store.keepsOutcomes === true) await act(trial);
    },
  ]);
  return Object.fromEntries(entries) as Trials;
}

function outcome(id: string, but: Partial<OutcomeToKeep> = {}): OutcomeToKeep {
  return { id, text: () => `of ${id}`, keep: 10, maxAge: 3_600, ...but };
}

/** Adds one to the number at the key, or makes it 1, under an outcome if there is one. */
async function keep(store: ConformingStore, key: string, outcome?: OutcomeToKeep): Promise<Stored<unknown>> {
  const before = await store.get(key);
  const next = Number(before?.value ?? 0) + 1;
  const context = outcome === undefined ? {} : { outcome };
  const made = await store.replace(key, before?.version ?? null, next, context);
  assert.ok(made, 'replace wrote nothing, though the version was the present one and the id a new one');
  return made;
}

async function textOf(store: ConformingStore, key: string, id: string): Promise<string | undefined> {
  return (await store.get(key, { outcome: { id } }))?.outcome;
}

/** @returns whether this one has added: another may have done it under the same id */
async function addOnce(store: ConformingStore, key: string, attempts: number): Promise<boolean> {
  for (let left = attempts; left > 0; left--) {
    const found = await store.get(key, { outcome: { id: 'one' } });
    assert.ok(found, 'the key was gone');
    if (found.outcome !== undefined) return false;
    const context = { outcome: outcome('one') };
    if (await store.replace(key, found.version, Number(found.value) + 1, context)) return true;
  }
  assert.fail('replace wrote nothing again and again, and get gave no outcome that would say why');
}
