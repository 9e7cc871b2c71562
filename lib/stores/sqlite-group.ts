import { type StoreContext, throwIfAborted } from './resource-store';
import { assertNoTransaction, inSavepoint, inTransaction, type SqliteHandle } from './sqlite-handle';
import type { Row } from './sqlite-outcomes';

/** One write of the store. */
export interface SqliteWrite {
  /** Runs its statements; undefined: there was nothing to write. */
  readonly run: () => Row;
  /** They are several, of which none may stand without the others. */
  readonly isCompound?: boolean;
  readonly context?: StoreContext | undefined;
}

interface Waiting extends SqliteWrite {
  readonly resolve: (row: Row) => void;
  readonly reject: (error: unknown) => void;
}

/** Calls `act` until the database is free for it. */
export type WhenFree = <R>(act: () => R, context?: StoreContext) => Promise<R>;

/** A write failed before the commit of its group: nothing of that stands. */
class GroupUndone extends Error {}

/**
 * Group commit: the writes that arrive in one turn of the event loop are committed in one transaction, and acknowledged
 * after it. A commit is a flush to the disk, which can take longer than all else in a PATCH; so where many clients write at
 * once, they pay for it together.
 *
 * Each stands for itself all the same. One whose client has gone is left out. Where one fails, all are undone and run one by
 * one, so that the fault is told to whom it belongs. Only a failure of the commit itself is told to all: it may have been
 * carried out, and whoever then ran again would take his own write for another's.
 */
export class SqliteGroup {
  #waiting: Waiting[] = [];

  constructor(
    private readonly db: SqliteHandle,
    private readonly whenFree: WhenFree,
  ) {}

  commit(write: SqliteWrite): Promise<Row> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...write, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => void this.#commitWaiting());
    });
  }

  async #commitWaiting(): Promise<void> {
    let group = this.#waiting;
    this.#waiting = [];
    try {
      const rows = await this.whenFree(() => {
        assertNoTransaction(this.db);
        group = group.filter(isAwaited);
        return this.#committed(group);
      });
      group.forEach(({ resolve }, i) => {
        resolve(rows[i]);
      });
    } catch (error) {
      for (const write of group) {
        if (error instanceof GroupUndone) this.#commitAlone(write);
        else write.reject(error);
      }
    }
  }

  #commitAlone(write: Waiting): void {
    const committed = this.whenFree(() => {
      assertNoTransaction(this.db);
      return this.#committed([write])[0];
    }, write.context);
    committed.then(write.resolve, write.reject);
  }

  #committed(group: readonly Waiting[]): Row[] {
    const [first, second] = group;
    if (first === undefined) return [];
    if (second === undefined)
      return [first.isCompound === true ? inTransaction(this.db, first.run) : first.run()];
    return inTransaction(this.db, () => this.#written(group)) ?? [];
  }

  #written(group: readonly Waiting[]): Row[] {
    try {
      return group.map(({ run, isCompound }) => (isCompound === true ? inSavepoint(this.db, run) : run()));
    } catch {
      throw new GroupUndone();
    }
  }
}

/** @returns false where the client has gone, which the write is then told */
function isAwaited({ context = {}, reject }: Waiting): boolean {
  try {
    throwIfAborted(context);
    return true;
  } catch (reason) {
    reject(reason);
    return false;
  }
}
