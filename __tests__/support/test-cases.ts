import type { ConformanceCase } from '../../lib/testing';
import { sampled } from './deep-scale';

/** A test for each case, skipped where the case does not apply. */
export function testCases(cases: readonly ConformanceCase[]): void {
  for (const { name, run, skip } of cases) (skip === undefined ? test : test.skip)(name, run);
}

/**
 * The same, but after each change only every third case, from one of the first three: for a store that differs little from one whose
 * cases are all run. Files begin at different ones.
 */
export function testSomeCases(cases: readonly ConformanceCase[], from: number): void {
  testCases(sampled(cases, 3, from));
}
