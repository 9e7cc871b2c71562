import type { ResourceStore } from '../stores/contract/resource-store';
import type { Place } from './key-probe';

/** A store; what it has of the two below is proven too. */
export interface ConformingStore extends ResourceStore {
  /** As in `OutcomeStore`. */
  readonly keepsOutcomes?: true;
  delete?(key: string, expected?: string): Promise<unknown>;
}

/** One engine for one case: a table, a prefix, a file. */
export interface StoreUnderTest {
  /** Another instance over it, ready for use, as another process would open it. */
  open(): ConformingStore | Promise<ConformingStore>;
  /** Called after the case, however it ended. */
  close?(): unknown;
}

/**
 * Rejects with an AssertionError that says what the store did.
 *
 * @param here - a key that no other case, and no earlier run over the same engine, has used
 * @param elsewhere - the same key in another instance over the same engine
 */
export type Trial = (here: Place, elsewhere: () => Promise<Place>) => Promise<void>;

/** Trials by the names of the cases. */
export type Trials = Readonly<Record<string, Trial>>;

/** A case for each row of a table. */
export function cases<Row>(
  title: string,
  table: Readonly<Record<string, Row>>,
  trialOf: (row: Row) => Trial,
): Trials {
  return Object.fromEntries(Object.entries(table).map(([name, row]) => [title + name, trialOf(row)]));
}
