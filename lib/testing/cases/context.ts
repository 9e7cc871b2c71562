import { strict as assert } from 'node:assert';
import { assertProblem } from '../key-probe';
import type { ConformanceTests } from '../conformance-test';

/** How a store uses the context of a call. */
export const context: ConformanceTests = {
  'a signal aborted before a write: its reason is thrown and nothing is written': async (here) => {
    const reason = new Error('the client disconnected');
    const signal = AbortSignal.abort(reason);
    const { version } = await here.start(1);
    assert.equal(await here.throws(version, 2, { signal }), reason);
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
    const { version } = await here.start('before');
    let present = 'é';
    try {
      await here.writes(version, 'é', { maxBytes: 3 });
    } catch (thrown) {
      assertProblem(thrown, { status: 413, code: 'limit-result' });
      present = 'before';
    }
    await here.holds(present);
  },

  'a value of exactly maxBytes in UTF-8 is written': async (here) => {
    await here.start('é', { maxBytes: 4 });
  },
};

/** The same for a creation. */
export const contextOfCreation: ConformanceTests = {
  'a signal aborted before a creation: its reason is thrown and nothing is written': async (here) => {
    const reason = new Error('the client disconnected');
    assert.equal(await here.throws(null, 1, { signal: AbortSignal.abort(reason) }), reason);
    await here.isAbsent();
  },
};
