import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import type { ConformanceOptions } from './conformance-options';

/** Gives the keys of all cases, no two of them the same. */
export function caseKeys(key: ConformanceOptions['key']): () => Promise<string> {
  if (key === undefined) return () => Promise.resolve(`conformance/${randomUUID()}`);
  const given = new Set<unknown>();
  return async () => {
    const next: unknown = await key();
    assert.ok(typeof next === 'string', `The option key gave ${inspect(next)}: give a string.`);
    const isOther = !given.has(next);
    assert.ok(isOther, `The option key gave ${inspect(next)} before: give another key each time.`);
    given.add(next);
    return next;
  };
}
