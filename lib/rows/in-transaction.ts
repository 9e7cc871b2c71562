import { retry } from '../stores/contract/retry';
import { isUndone } from './database-error';
import { checkTransactionRows } from './library-rows';
import type { RowSettings } from './row-store-options';
import type { Rows } from './rows';

/** How long, in milliseconds, a write is retried that the database rolled back because of another one. */
export const maxRetryTime = 1_000;

type Write<R> = (rows: Rows, tx: unknown) => Promise<R>;

/**
 * Runs a write, in a transaction of its own if the app gives the option `transaction`, which has committed
 * when this resolves. Retries a write that the database rolled back because of another one: without
 * `transaction` it must not throw after a statement that took effect.
 */
export async function inTransaction<R>(
  { rows, transaction }: Pick<RowSettings, 'rows' | 'transaction'>,
  write: Write<R>,
): Promise<R> {
  return retry(
    () => (transaction === undefined ? write(rows, undefined) : within({ rows, transaction }, write)),
    isUndone,
    maxRetryTime,
  );
}

type Transacted = Pick<RowSettings, 'rows'> & {
  readonly transaction: NonNullable<RowSettings['transaction']>;
};

async function within<R>({ rows: outer, transaction }: Transacted, write: Write<R>): Promise<R> {
  const done: R[] = [];
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;
  const run = async (rows: Rows, tx: unknown): Promise<void> => {
    done.length = 0;
    failure = undefined;
    try {
      // If the app's transaction does not wait, it is over at this point, and a write could not be rolled
      // back any more.
      await Promise.resolve();
      if (isOver) throw notAwaited();
      checkTransactionRows(outer, rows, transaction);
      done.push(await write(rows, tx));
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  try {
    await transaction((rows, tx) => {
      const running = run(rows, tx);
      running.catch(() => undefined); // a rejection that the app ignores must not end the process
      return running;
    });
  } finally {
    isOver = true;
  }
  if (failure !== undefined) throw failure.error;
  const [result] = done;
  if (done.length === 1) return result as R;
  throw notAwaited();
}

function notAwaited(): TypeError {
  return new TypeError(
    'The option transaction resolved before run did, so the write was not carried out in it. ' +
      'Return or await the promise of run: ' +
      '(run) => prisma.$transaction((tx) => run(prismaRows(tx.note), tx)).',
  );
}
