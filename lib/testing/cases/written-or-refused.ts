import { strict as assert } from 'node:assert';
import type { Stored } from '../../stores/contract/resource-store';
import { assertSameJson, type KeyProbe, statusOf } from '../key-probe';

/**
 * A value that a store need not have a place for: `replace` writes it, or throws a problem 422 and writes nothing. To write nothing
 * and not to say why is no third way: the client's request would be tried again and again, as one that came too late.
 *
 * @returns what is there after it was written
 */
export async function writtenOrRefused(
  here: KeyProbe,
  version: string,
  next: unknown,
): Promise<Stored<unknown> | 'refused'> {
  let written: Stored<unknown> | undefined;
  try {
    written = await here.replace(version, next);
  } catch (thrown) {
    assertStatus(thrown, 422);
    await here.isAt(version);
    return 'refused';
  }
  assert.ok(written, 'replace wrote nothing at the present version, and threw no problem 422 that says why');
  const read = await here.present();
  assertSameJson(written.value, read.value);
  return read;
}

export function assertStatus(thrown: unknown, status: number): void {
  if (statusOf(thrown) === status) return;
  assert.fail(
    `replace threw ${String(thrown)}: to be answered by ${status} it has to be a ProblemError of that status`,
  );
}
