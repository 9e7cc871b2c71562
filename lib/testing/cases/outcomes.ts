import { strict as assert } from 'node:assert';
import { setTimeout as delay } from 'node:timers/promises';
import type { PendingOutcome, Stored, WriteContext } from '../../stores/contract/resource-store';
import { assertProblem, type KeyProbe } from '../key-probe';
import { oneOf50 } from './races';
import type { ConformanceTests } from '../conformance-test';

/** The clauses of `OutcomeStore`. */
export const outcomes: ConformanceTests = {
  'every instance finds an outcome by its key and id, only if it is asked for': async (here, elsewhere) => {
    await here.start(1, withOutcome('a'));
    const other = await here.another();
    await other.start(0);
    for (const probe of [here, await elsewhere()]) {
      await probe.outcomeIs('a', 'of a');
      for (const other of ['b', 'A']) await probe.outcomeIs(other, undefined);
      await probe.at(other.key).outcomeIs('a', undefined);
      assert.equal(
        (await probe.get())?.outcome,
        undefined,
        'get returned an outcome without context.outcome',
      );
    }
  },

  'outcomes survive later writes': async (here) => {
    await here.start(0);
    for (const id of ['a', 'b', 'c']) await keep(here, withOutcome(id));
    await keep(here);
    for (const id of ['a', 'b', 'c']) await here.outcomeIs(id, `of ${id}`);
    await here.holds(4);
  },

  'a write that is not carried out stores no outcome': async (here) => {
    await here.refuses('a version', 1, withOutcome('a'));
    await here.start(0);
    await here.refuses('a version', 1, withOutcome('a'));
    await here.refuses(null, 1, withOutcome('a'));
    await here.outcomeIs('a', undefined);
  },

  'an error of text is thrown and nothing is written': async (here) => {
    const state = await here.start(0);
    const fault = new Error('no text');
    const text = () => {
      throw fault;
    };
    assert.equal(await here.throws(state, 1, withOutcome('a', { text })), fault);
    await here.isAt(state);
  },

  'an id is carried out once, whatever the version': async (here, elsewhere) => {
    await here.start(1, withOutcome('a'));
    for (const probe of [here, await elsewhere()]) {
      const state = await probe.present();
      await probe.refuses(state, 'again', withOutcome('a', { text: () => 'again' }));
    }
    await here.holds(1);
    await here.outcomeIs('a', 'of a');
  },

  'of 50 concurrent writes with one id exactly one writes': async (here, elsewhere) => {
    await here.start(0);
    await oneOf50(here, await elsewhere(), addOnce);
    await here.holds(1);
  },

  'over keep: a 503 problem with Retry-After and nothing is written': async (here) => {
    await here.start(0);
    for (const id of ['a', 'b']) await keep(here, withOutcome(id, { keep: 2 }));
    const state = await here.present();
    const thrown = await here.throws(state, 'over', withOutcome('c', { keep: 2 }));
    assertProblem(thrown, { status: 503, code: 'outcomes-full' });
    const { headers } = thrown as { headers?: Readonly<Record<string, unknown>> };
    const seconds = Number(headers?.['Retry-After']);
    const isFirstExpiry = seconds > 3_000 && seconds <= 3_600;
    assert.ok(isFirstExpiry, `Retry-After is ${seconds}, but the oldest outcome expires in an hour`);
    await here.refuses('a version', 'over', withOutcome('c', { keep: 2 }));
    await here.refuses(state, 'again', withOutcome('a', { keep: 2 }));
    await here.isAt(state);
    await keep(here);
    await keep(here, withOutcome('c', { keep: 3 }));
    for (const id of ['a', 'b', 'c']) await here.outcomeIs(id, `of ${id}`);
  },

  'a full scope refuses its own requests, but no others': async (here, elsewhere) => {
    await here.start(0);
    for (const [index, scope] of scopes.entries()) {
      await keep(here, withOutcome(`${index}a`, { scope, keep: 2 }));
      await keep(here, withOutcome(`${index}b`, { scope, keep: 2 }));
    }
    for (const probe of [here, await elsewhere()]) {
      for (const scope of scopes) {
        const state = await probe.present();
        const thrown = await probe.throws(state, 'over', withOutcome('c', { scope, keep: 2 }));
        assertProblem(thrown, { status: 503, code: 'outcomes-full' });
      }
    }
    await here.holds(2 * scopes.length);
    await (await here.another()).start(0, withOutcome('c', { scope: 's', keep: 1 }));
  },

  'over total: every scope is refused': async (here) => {
    await here.start(0);
    for (const scope of ['s', 't', 'u']) await keep(here, withOutcome(scope, { scope, total: 3 }));
    const state = await here.present();
    for (const scope of ['s', 'v']) {
      const thrown = await here.throws(state, 'over', withOutcome('a', { scope, total: 3 }));
      assertProblem(thrown, { status: 503, code: 'outcomes-full' });
    }
    await here.isAt(state);
    await keep(here, withOutcome('a', { scope: 'v', total: 4 }));
    for (const id of ['s', 't', 'u']) await here.outcomeIs(id, `of ${id}`);
  },

  'of many concurrent writes exactly as many write as keep and total allow': async (here, elsewhere) => {
    await here.start(0);
    const there = await elsewhere();
    const attempts = ['s', 't', 'u'].flatMap((scope) =>
      Array.from({ length: 6 }, (_, attempt) =>
        addIfRoom(
          attempt % 2 === 0 ? here : there,
          withOutcome(`${scope}${attempt}`, { scope, keep: 3, total: 8 }),
        ),
      ),
    );
    const written = (await Promise.all(attempts)).filter(Boolean);
    assert.equal(written.length, 8, `${written.length} writes succeeded, but there is room for 8`);
    await here.holds(8);
  },

  'an expired outcome is gone, and its room and its id are free': async (here) => {
    const full = await here.another();
    await full.start(0);
    await here.start(0);
    await keep(here, withOutcome('older', { scope: 't' }));
    for (const id of ['a', 'b']) {
      await keep(here, withOutcome(id, { maxAge: 1 }));
      await keep(full, withOutcome(id, { scope: id, maxAge: 1 }));
    }
    await delay(1_100);
    await here.outcomeIs('a', undefined);
    await keep(here, withOutcome('c', { keep: 2 }));
    await keep(here, withOutcome('b', { keep: 2, text: () => 'of another b' }));
    await here.outcomeIs('b', 'of another b');
    await here.outcomeIs('c', 'of c');
    await here.outcomeIs('older', 'of older');
    const state = await here.present();
    const thrown = await here.throws(state, 'over', withOutcome('d', { keep: 2 }));
    assertProblem(thrown, { status: 503, code: 'outcomes-full' });
    for (const id of ['c', 'd']) await keep(full, withOutcome(id, { scope: id, total: 2 }));
  },
};

/** The clause about versions. */
export const versionOutcomes: ConformanceTests = {
  'text receives the written version, and its result is stored unchanged': async (here) => {
    const around = ` "'\\ é\u{10ffff} $1 %s \n {} `.repeat(20);
    const maxLengthId = 'x'.repeat(64);
    const written = await here.start(
      1,
      withOutcome(maxLengthId, { text: (version) => around + String(version) + around }),
    );
    await here.outcomeIs(maxLengthId, around + String(written.version) + around);
  },
};

/** The clause about `delete`. */
export const deletionOutcomes: ConformanceTests = {
  'deletion removes outcomes': async (here) => {
    await here.start(1, withOutcome('a'));
    await here.delete();
    assert.equal(await here.get({ outcome: { id: 'a' } }), undefined);
    await here.writes(null, 0);
    await here.outcomeIs('a', undefined);
    await keep(here, withOutcome('a', { keep: 1 }));
  },
};

function withOutcome(id: string, but: Partial<PendingOutcome> = {}): WriteContext {
  const outcome = { id, scope: 's', text: () => `of ${id}`, keep: 10, total: 100, maxAge: 3_600 };
  return { outcome: { ...outcome, ...but } };
}

/** Scopes that a store could confuse with each other, or with its own names. */
const scopes = [
  's',
  'S',
  'ss',
  '1',
  '01',
  '-1',
  '_',
  '__proto__',
  'constructor',
  'x'.repeat(63),
  'x'.repeat(64),
];

/** Adds one to the stored number. */
async function keep(here: KeyProbe, context?: WriteContext): Promise<Stored<unknown>> {
  const state = await here.present();
  return here.writes(state, Number(state.value) + 1, context);
}

/** Adds one to the stored number. Resolves with false if there is no room for the outcome. */
async function addIfRoom(here: KeyProbe, context: WriteContext): Promise<boolean> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const state = await here.present();
    try {
      if (await here.replace(state, Number(state.value) + 1, context)) return true;
    } catch (thrown) {
      assertProblem(thrown, { status: 503, code: 'outcomes-full' });
      return false;
    }
  }
  assert.fail('replace wrote nothing 50 times, but at most 17 others had written');
}

/**
 * Adds one to the stored number under an id. Of all concurrent callers with the same id, only one gets true.
 */
async function addOnce(here: KeyProbe): Promise<true | undefined> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const state = await here.present({ outcome: { id: 'one' } });
    if (state.outcome !== undefined) return undefined;
    if (await here.replace(state, Number(state.value) + 1, withOutcome('one'))) return true;
  }
  assert.fail('replace wrote nothing 50 times, and get returned no outcome that explains it');
}
