import { setImmediate as nextTurn } from 'node:timers/promises';
import { ProblemError } from '../../http/problem';
import { type StoreContext, throwIfAborted } from '../contract/resource-store';
import {
  assertNoTransaction,
  isBusy,
  isConstraint,
  savepoint,
  type SqliteHandle,
  transaction,
  within,
} from '../sql/sqlite-handle';
import type { Row } from './outcomes';
import { type Asked, inTurns } from '../sql/turn';

/** One write of the store. */
export interface SqliteWrite {
  /** Runs its statements; undefined: there was nothing to write. */
  readonly run: () => Row;
  /** They are several, of which none may stand without the others. */
  readonly isCompound: boolean;
  readonly context: StoreContext;
}

type Waiting = Asked<SqliteWrite, Row>;

/** What a write is told, once that is committed: its row, or why it alone was refused. */
type Settlement = readonly [write: Waiting, result: Row | ProblemError];

/** Calls `act` until the database is free for it. */
export type WhenFree = <R>(act: () => R) => Promise<R>;

/**
 * Group commit: the writes that arrive in one turn of the event loop are committed in one transaction, and acknowledged
 * after it. A commit is a flush to the disk, which can take longer than all else in a PATCH; so where many clients write at
 * once, they pay for it together.
 *
 * Each stands for itself all the same. One whose client has gone is left out, one that is refused is undone alone. Where one
 * fails, all are undone and run one by one, so that the fault is told to whom it belongs. A commit that fails is told to all:
 * it may have been carried out, and whoever then ran again would take his own write for another's.
 */
export function groupCommit(db: SqliteHandle, whenFree: WhenFree): (write: SqliteWrite) => Promise<Row> {
  const settle = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const settlements = await whenFree(() => committed(db, group.filter(isAwaited)));
      if (settlements === undefined) {
        for (const write of group) {
          await settle([write]);
          await nextTurn();
        }
        return;
      }
      for (const [write, result] of settlements) {
        if (result instanceof ProblemError) write.reject(result);
        else write.resolve(result);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  return inTurns((group) => void settle(group));
}

/** @returns undefined where nothing was committed for the sake of one, which finds its fault again when it runs alone */
function committed(db: SqliteHandle, group: readonly Waiting[]): Settlement[] | undefined {
  const [only, second] = group;
  if (only === undefined) return [];
  assertNoTransaction(db);
  if (second !== undefined) return committedTogether(db, group);
  return [[only, only.isCompound ? within(db, transaction, only.run) : only.run()]];
}

function committedTogether(db: SqliteHandle, group: readonly Waiting[]): Settlement[] | undefined {
  const all = { written: false };
  try {
    return within(db, transaction, () => {
      const settlements = group.map((write) => written(db, write));
      all.written = true;
      return settlements;
    });
  } catch (error) {
    // A constraint that was deferred to the commit has refused it: then too, nothing was carried out.
    if (isBusy(error) || (all.written && !isConstraint(error))) throw error;
    return undefined;
  }
}

function written(db: SqliteHandle, write: Waiting): Settlement {
  const { run, isCompound } = write;
  try {
    return [write, isCompound ? within(db, savepoint, run) : run()];
  } catch (error) {
    if (error instanceof ProblemError) return [write, error];
    throw error;
  }
}

/** @returns false where the client has gone, which the write is then told */
function isAwaited({ context, reject }: Waiting): boolean {
  try {
    throwIfAborted(context);
    return true;
  } catch (reason) {
    reject(reason);
    return false;
  }
}
