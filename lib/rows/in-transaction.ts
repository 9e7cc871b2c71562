import { retry } from '../stores/contract/retry';
import { isLostRace } from '../stores/engine-error';
import { checkTransactionRows } from './library-rows';
import type { RowSettings } from './compile-row-store';
import type { Rows } from './rows';

/**
 * Runs a write, in a transaction of its own if the app gives the option `transaction`, which has committed
 * when this resolves. A lost race is run again, with what `onWrite` does beside it.
 *
 * @param write - gets the rows, and the transaction of the app. Without one it must not throw after a
 *   statement that took effect
 */
export async function inTransaction<R>(
  { rows, transaction }: Pick<RowSettings, 'rows' | 'transaction'>,
  write: (rows: Rows, tx: unknown) => Promise<R>,
): Promise<R> {
  return retry(() => {
    return transaction === undefined ? write(rows, undefined) : within(rows, transaction, write);
  }, isLostRace);
}

async function within<R>(
  outer: Rows,
  transaction: NonNullable<RowSettings['transaction']>,
  write: (rows: Rows, tx: unknown) => Promise<R>,
): Promise<R> {
  /** The outcome of the last run, because the app may run its transaction again itself. */
  let outcome: { readonly result: R } | { readonly error: unknown } | undefined;
  let isOver = false;
  const run = async (rows: Rows, tx: unknown): Promise<void> => {
    outcome = undefined;
    try {
      // If the app's transaction does not wait, it is over at this point, and a write could not be rolled
      // back any more.
      await Promise.resolve();
      if (isOver) throw notAwaited();
      checkTransactionRows(outer, rows, transaction);
      outcome = { result: await write(rows, tx) };
    } catch (error) {
      outcome = { error };
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
  if (outcome === undefined) throw notAwaited();
  if ('error' in outcome) throw outcome.error;
  return outcome.result;
}

function notAwaited(): TypeError {
  return new TypeError(
    'The option transaction resolved before run did, so the write was not carried out in it. ' +
      'Return or await the promise of run: ' +
      '(run) => prisma.$transaction((tx) => run(prismaRows(tx.note), tx)).',
  );
}
