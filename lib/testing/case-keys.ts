import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import type { ConformanceOptions } from './conformance-options';

/** Makes the function that gives each case a key of its own. */
export function caseKeys(key: ConformanceOptions['key']): () => Promise<string> {
  if (key === undefined) return () => Promise.resolve(`conformance/${randomUUID()}`);
  const keys = new Set<unknown>();
  return async () => {
    const next: unknown = await key();
    assert.ok(typeof next === 'string', `The option key returned ${inspect(next)}. Return a string.`);
    const isOther = !keys.has(next);
    assert.ok(isOther, `The option key returned ${inspect(next)} twice. Return a new key on each call.`);
    keys.add(next);
    return next;
  };
}
