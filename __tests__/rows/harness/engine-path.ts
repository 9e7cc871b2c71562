import type { Rows } from '../../../lib/rows';
import type { DatabaseName } from '../../orms/support/tables';

/** A way from the handlers to a row: a driver or an ORM, over an engine. */
export interface EnginePath {
  readonly path: string;
  readonly database: DatabaseName;
  /** Whether its statements return at once, so that `onWrite` must not wait. */
  readonly isSync?: boolean;
  /** Whether it has one connection, for which the app's own statements wait while a transaction is open. */
  readonly isSingle?: boolean;
  /** Where the engine lives in the process, so that only one process can have it. */
  readonly isEmbedded?: boolean;
  /** Whether it has more connections than a trial can use up. */
  readonly hasLargePool?: boolean;
  /** Whether its store increments `revision`, by which the app writes whole rows back without a lock. */
  readonly hasCounter?: boolean;
  /** Loads what it needs: called in the processes that serve, and never by the tests. */
  readonly open: (url: string) => OpenPath | Promise<OpenPath>;
}

/** What the app has of it in one process. */
export interface OpenPath {
  readonly rows: Rows & Required<Pick<Rows, 'insert' | 'delete'>>;
  /** Adds a row to `audits` in the transaction that `onWrite` receives. */
  readonly audit: (tx: unknown, row: AuditRow) => unknown;
  /** The app's own read, through the same pool, database or ORM. */
  readonly ownRead: (slug: string) => Promise<{ readonly id: number }>;
  /** The app's own write, through the same. */
  readonly ownWrite: (id: number, set: { readonly age: number }) => Promise<unknown>;
  /** Sends SQL past the library, where only this process can. */
  readonly plain?: (sql: string) => Promise<object>;
  /** The process is killed by itself in this phase of the transaction that is open: where no proxy sees statements. */
  readonly dieAt?: (phase: 'before COMMIT' | 'COMMIT answered') => void;
  /** Sends SQL in the transaction that `onWrite` receives: for stores that are broken on purpose. */
  readonly send?: (tx: unknown, sql: string) => unknown;
}

export interface AuditRow {
  readonly slug: string;
  readonly before: string | null;
  readonly after: string;
}

/** What `after` of an audit has, as JSON. `before` has the state, or is null. */
export interface AuditText {
  readonly mark: string;
  readonly state: ShownNote | null;
}

/** A note as clients see it. */
export interface ShownNote {
  readonly title: string;
  readonly body: string | null;
  readonly facts: { readonly marks: readonly string[] };
  readonly count: number | null;
}
