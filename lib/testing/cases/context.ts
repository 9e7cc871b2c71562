import { strict as assert } from 'node:assert';
import { assertProblem } from '../key-probe';
import type { ConformanceTests } from '../conformance-test';

/** What a store does with the context beside the key. */
export const context: ConformanceTests = {
  'aborted before the write: the reason is thrown, and nothing is written': async (here) => {
    const reason = new Error('the client has gone');
    const signal = AbortSignal.abort(reason);
    const { version } = await here.start(1);
    assert.equal(await here.throws(version, 2, { signal }), reason);
    await here.holds(1);
  },

  'a signal that is not aborted changes nothing': async (here) => {
    const { signal } = new AbortController();
    await here.start(1, { signal });
    await here.holds(1, { signal });
  },

  'over maxBytes: a 413 problem, and nothing is written; or all of it': async (here) => {
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

  'at maxBytes, counted as UTF-8: written': async (here) => {
    await here.start('é', { maxBytes: 4 });
  },
};

/** The same where the resource is created. */
export const contextOfCreation: ConformanceTests = {
  'aborted before the creation: the reason is thrown, and nothing is written': async (here) => {
    const reason = new Error('the client has gone');
    assert.equal(await here.throws(null, 1, { signal: AbortSignal.abort(reason) }), reason);
    await here.isAbsent();
  },
};
