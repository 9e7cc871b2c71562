import { strict as assert } from 'node:assert';
import type { Stored } from '../../stores/contract/resource-store';
import { assertSameJson, type KeyProbe, readStatus } from '../key-probe';

/**
 * Writes a value that a store need not hold: `replace` must write it, or throw a 422 problem and write
 * nothing. It must not write nothing without an error, because the request would be retried as after a lost
 * race.
 *
 * @returns the state after the write
 */
export async function writeOrBeRefused(
  here: KeyProbe,
  state: Stored<unknown>,
  next: unknown,
): Promise<Stored<unknown> | 'refused'> {
  let written: Stored<unknown> | undefined;
  try {
    written = await here.replace(state, next);
  } catch (thrown) {
    assertProblemStatus(thrown, 422);
    await here.isAt(state);
    return 'refused';
  }
  assert.ok(
    written,
    'replace wrote nothing although the resource was still in that state. ' +
      'Write the value, or throw a 422 problem that says why',
  );
  const read = await here.present();
  assertSameJson(written.value, read.value);
  return read;
}

export function assertProblemStatus(thrown: unknown, status: number): void {
  if (readStatus(thrown) === status) return;
  assert.fail(`replace threw ${String(thrown)}. Throw a ProblemError with status ${status} instead`);
}
