import type { ConformanceCase } from '../../lib/testing';

/** A test for each case, skipped where the case does not apply. */
export function testCases(cases: readonly ConformanceCase[]): void {
  for (const { name, run, skip } of cases) (skip === undefined ? test : test.skip)(name, run);
}
