import { setImmediate as nextTurn } from 'node:timers/promises';
import { type StoreContext, throwIfAborted } from '../contract/resource-store';
import { createBatch, type Pending } from '../sql/batch';
import {
  assertNoTransaction,
  isBusy,
  isConstraint,
  type SqliteHandle,
  transaction,
  within,
} from '../sql/sqlite-handle';
import type { ColumnTexts } from '../sql/table';

/** One write of the store. */
export interface SqliteWrite {
  /** Runs the statement of the write. Returns undefined if there was nothing to write. */
  readonly run: () => ColumnTexts | undefined;
  readonly context: StoreContext;
}

type PendingWrite = Pending<SqliteWrite, ColumnTexts | undefined>;

/** The result of a write, sent once it is committed. */
type Settlement = readonly [write: PendingWrite, result: ColumnTexts | undefined];

/** Calls `act`, and again while the database is locked. */
export type WhenFree = <R>(act: () => R) => Promise<R>;

/**
 * Group commit: the writes that arrive in one turn of the event loop are committed in one transaction, and
 * acknowledged after it. A commit flushes to the disk, which can take longer than the rest of a PATCH, so
 * concurrent writes share its cost.
 *
 * Each write is still independent. A write whose client has disconnected is left out. If one fails, all are
 * undone and run one by one, so that only the faulty one gets the error. If the commit fails, all get the
 * error: it may have been carried out, and a write that ran again would take its own result for another
 * write's.
 */
export function createGroupCommit(
  db: SqliteHandle,
  whenFree: WhenFree,
): (write: SqliteWrite) => Promise<ColumnTexts | undefined> {
  const settle = async (group: readonly PendingWrite[]): Promise<void> => {
    try {
      const settlements = await whenFree(() => commit(db, group.filter(isAwaited)));
      if (settlements === undefined) {
        for (const write of group) {
          await settle([write]);
          await nextTurn();
        }
        return;
      }
      for (const [write, result] of settlements) write.resolve(result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  return createBatch((group) => void settle(group));
}

/** @returns undefined if nothing was committed because of one write, which fails again when it runs alone */
function commit(db: SqliteHandle, group: readonly PendingWrite[]): Settlement[] | undefined {
  const [only, second] = group;
  if (only === undefined) return [];
  assertNoTransaction(db);
  if (second !== undefined) return commitTogether(db, group);
  return [[only, only.run()]];
}

function commitTogether(db: SqliteHandle, group: readonly PendingWrite[]): Settlement[] | undefined {
  const all = { written: false };
  try {
    return within(db, transaction, () => {
      const settlements = group.map((write): Settlement => [write, write.run()]);
      all.written = true;
      return settlements;
    });
  } catch (error) {
    // If a deferred constraint refused the commit, nothing was carried out either.
    if (isBusy(error) || (all.written && !isConstraint(error))) throw error;
    return undefined;
  }
}

/** @returns false if the client has disconnected; the write is then rejected */
function isAwaited({ context, reject }: PendingWrite): boolean {
  try {
    throwIfAborted(context);
    return true;
  } catch (reason) {
    reject(reason);
    return false;
  }
}
