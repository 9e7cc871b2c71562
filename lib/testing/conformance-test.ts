import type { KeyProbe } from './key-probe';
import type { SampleValues } from './sample-values';

/**
 * The body of a case. It throws an AssertionError that says what the store did.
 *
 * @param here - a key that no other case, and no earlier test run over the same engine, has used
 * @param elsewhere - opens another instance over the same engine, and returns the same key in it
 * @param samples - values in the form that the store holds
 */
export type ConformanceTest = (
  here: KeyProbe,
  elsewhere: () => Promise<KeyProbe>,
  samples: SampleValues,
) => Promise<void> | void;

/** Tests by case name. */
export type ConformanceTests = Readonly<Record<string, ConformanceTest>>;

/** Makes a test for each row of a table. */
export function testEach<Row>(
  title: string,
  table: Readonly<Record<string, Row>>,
  createTest: (row: Row) => ConformanceTest,
): ConformanceTests {
  return Object.fromEntries(Object.entries(table).map(([name, row]) => [title + name, createTest(row)]));
}
