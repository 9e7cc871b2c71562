import type { KeyProbe } from './key-probe';
import type { SampleValues } from './sample-values';

/**
 * The body of a case: throws an AssertionError that says what the store did.
 *
 * @param here - a key that no other case, and no earlier run over the same engine, has used
 * @param elsewhere - opens another instance over the same engine, and gives the same key in it
 * @param samples - values of the shape that the store holds
 */
export type ConformanceTest = (
  here: KeyProbe,
  elsewhere: () => Promise<KeyProbe>,
  samples: SampleValues,
) => Promise<void> | void;

/** Tests by the names of their cases. */
export type ConformanceTests = Readonly<Record<string, ConformanceTest>>;

/** A test for each row of a table. */
export function testEach<Row>(
  title: string,
  table: Readonly<Record<string, Row>>,
  testOf: (row: Row) => ConformanceTest,
): ConformanceTests {
  return Object.fromEntries(Object.entries(table).map(([name, row]) => [title + name, testOf(row)]));
}
