import { strict as assert } from 'node:assert';
import { setTimeout as delay } from 'node:timers/promises';
import type { OutcomeToKeep, Stored, WriteContext } from '../../stores/contract/resource-store';
import { assertProblem, type KeyProbe } from '../key-probe';
import { oneOf50 } from './races';
import type { ConformanceTests } from '../conformance-test';

/** The clauses of `OutcomeStore`. */
export const outcomes: ConformanceTests = {
  'an outcome is found under its id and key, by every instance, where it is asked for': async (
    here,
    elsewhere,
  ) => {
    await keep(here, under('a'));
    await here.beside('/other').writes(null, 0);
    for (const probe of [here, await elsewhere()]) {
      await probe.outcomeIs('a', 'of a');
      await probe.outcomeIs('b', undefined);
      await probe.beside('/other').outcomeIs('a', undefined);
      assert.equal((await probe.get())?.outcome, undefined, 'one was given that nobody asked for');
    }
  },

  'outcomes stay when the resource moves on': async (here) => {
    for (const id of ['a', 'b', 'c']) await keep(here, under(id));
    await keep(here);
    for (const id of ['a', 'b', 'c']) await here.outcomeIs(id, `of ${id}`);
    await here.holds(4);
  },

  'the text is made of the version that is written, and comes back as it is': async (here) => {
    const around = ` "'\\ é\u{10ffff} $1 %s \n {} `;
    const longest = 'x'.repeat(64);
    const written = await keep(here, under(longest, { text: (version) => around + version + around }));
    await here.outcomeIs(longest, around + written.version + around);
  },

  'a write that is not carried out keeps no outcome': async (here) => {
    await here.refuses('a version', 1, under('a'));
    await here.writes(null, 0);
    await here.refuses('a version', 1, under('a'));
    await here.refuses(null, 1, under('a'));
    await here.outcomeIs('a', undefined);
  },

  'what text throws is thrown, and nothing is written': async (here) => {
    const { version } = await here.writes(null, 0);
    const fault = new Error('no text');
    const text = () => {
      throw fault;
    };
    assert.equal(await here.throws(version, 1, under('a', { text })), fault);
    await here.isAt(version);
  },

  'an id is written once, whatever the version': async (here, elsewhere) => {
    await keep(here, under('a'));
    for (const probe of [here, await elsewhere()]) {
      const { version } = await probe.present();
      await probe.refuses(version, 'again', under('a', { text: () => 'again' }));
    }
    await here.holds(1);
    await here.outcomeIs('a', 'of a');
  },

  'of 50 at once that add under one id exactly one adds': async (here, elsewhere) => {
    await here.writes(null, 0);
    await oneOf50(here, await elsewhere(), addOnce);
    await here.holds(1);
  },

  'where keep is reached: a 503 problem with Retry-After, and nothing is written': async (here) => {
    for (const id of ['a', 'b']) await keep(here, under(id, { keep: 2 }));
    const { version } = await here.present();
    const thrown = await here.throws(version, 'over', under('c', { keep: 2 }));
    assertProblem(thrown, { status: 503, code: 'outcomes-full' });
    const { headers } = thrown as { headers?: Readonly<Record<string, unknown>> };
    const seconds = Number(headers?.['Retry-After']);
    const isOfOldest = seconds > 3_000 && seconds <= 3_600;
    assert.ok(isOfOldest, `Retry-After is ${seconds}, where the oldest has an hour`);
    await here.isAt(version);
    await keep(here);
    await keep(here, under('c', { keep: 3 }));
    for (const id of ['a', 'b', 'c']) await here.outcomeIs(id, `of ${id}`);
  },

  'over its age an outcome is gone, and its place and its id are free': async (here) => {
    for (const id of ['a', 'b']) await keep(here, under(id, { maxAge: 1 }));
    await delay(1_100);
    await here.outcomeIs('a', undefined);
    await keep(here, under('c', { keep: 2 }));
    await keep(here, under('b', { keep: 2, text: () => 'of another b' }));
    await here.outcomeIs('b', 'of another b');
    await here.outcomeIs('c', 'of c');
  },
};

/** The clause that has to do with `delete`. */
export const outcomesOfDeleted: ConformanceTests = {
  'deletion forgets outcomes': async (here) => {
    await keep(here, under('a'));
    await here.delete();
    assert.equal(await here.get({ outcome: { id: 'a' } }), undefined);
    await here.writes(null, 0);
    await here.outcomeIs('a', undefined);
    await keep(here, under('a', { keep: 1 }));
  },
};

function under(id: string, but: Partial<OutcomeToKeep> = {}): WriteContext {
  return { outcome: { id, text: () => `of ${id}`, keep: 10, maxAge: 3_600, ...but } };
}

/** Adds one to the number there, or makes it 1. */
async function keep(here: KeyProbe, context?: WriteContext): Promise<Stored<unknown>> {
  const before = await here.get();
  return here.writes(before?.version ?? null, Number(before?.value ?? 0) + 1, context);
}

/** Of those who call it at once with one id, true is for the one that has added. */
async function addOnce(here: KeyProbe): Promise<true | undefined> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const { value, version, outcome } = await here.present({ outcome: { id: 'one' } });
    if (outcome !== undefined) return undefined;
    if (await here.replace(version, Number(value) + 1, under('one'))) return true;
  }
  assert.fail('replace wrote nothing again and again, and get gave no outcome that would say why');
}
