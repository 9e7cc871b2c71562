import { strict as assert } from 'node:assert';
import { assertProblem, type KeyProbe, printShort } from '../key-probe';
import { replaceMembers } from '../members';
import type { ConformanceTests } from '../conformance-test';

/** How a store uses the context of a call. */
export const context: ConformanceTests = {
  'a signal aborted before a write: its reason is thrown and nothing is written': async (here) => {
    const reason = new Error('the client disconnected');
    const signal = AbortSignal.abort(reason);
    const state = await here.start(1);
    assert.equal(await here.throws(state, 2, { signal }), reason);
    await here.holds(1);
  },

  'a signal that is not aborted has no effect': async (here) => {
    const { signal } = new AbortController();
    await here.start(1, { signal });
    await here.holds(1, { signal });
  },

  'a value over maxBytes: a 413 problem and nothing is written, or the whole value is written': async (
    here,
  ) => {
    await here.start('before');
    // As JSON, both values have four bytes of UTF-8, but the second has only three code units.
    const isLimited = await isTooLarge(here, 'aa', 3);
    assert.equal(
      await isTooLarge(here, 'é', 3),
      isLimited,
      `replace ${isLimited ? 'refused "aa", but wrote "é"' : 'wrote "aa", but refused "é"'}. ` +
        'Count bytes of UTF-8',
    );
  },

  'a value of exactly maxBytes in UTF-8 is written': async (here) => {
    await here.start('é', { maxBytes: 4 });
  },

  'replace with context.current writes only if it is still the stored state': async (
    here,
    _,
    { wrap, unwrap },
  ) => {
    const { bare } = here;
    await here.start('before');
    const outdated = await bare.present();
    await bare.writes(outdated, replaceMembers(outdated.value, wrap('"changed"')));
    const current = await bare.present();
    await bare.refuses(outdated, replaceMembers(outdated.value, wrap('"lost"')));
    await bare.isAt(current);
    assert.equal(unwrap(current.value), '"changed"');
    await bare.writes(current, replaceMembers(current.value, wrap('"after"')));
    assert.equal(unwrap((await bare.present()).value), '"after"');
  },
};

/** The same for a creation. */
export const creationContext: ConformanceTests = {
  'a signal aborted before a creation: its reason is thrown and nothing is written': async (here) => {
    const reason = new Error('the client disconnected');
    assert.equal(await here.throws(null, 1, { signal: AbortSignal.abort(reason) }), reason);
    await here.isAbsent();
  },
};

/** The same for a deletion. */
export const deletionContext: ConformanceTests = {
  'a signal aborted before a deletion: its reason is thrown and nothing is deleted': async (here) => {
    const reason = new Error('the client disconnected');
    const state = await here.start(1);
    const deletion = here.delete(state, { signal: AbortSignal.abort(reason) });
    const thrown: unknown = await deletion.then(
      (deleted) => assert.fail(`delete returned ${printShort(deleted)}, but should have thrown`),
      (error: unknown) => error,
    );
    assert.equal(thrown, reason);
    await here.isAt(state);
  },
};

/** Writes a value, and resolves with whether it was refused as larger than `maxBytes`. */
async function isTooLarge(here: KeyProbe, next: unknown, maxBytes: number): Promise<boolean> {
  const state = await here.present();
  try {
    await here.writes(state, next, { maxBytes });
  } catch (thrown) {
    assertProblem(thrown, { status: 413, code: 'limit-result' });
    await here.holds(state.value);
    return true;
  }
  await here.holds(next);
  return false;
}
