import { retry } from '../contract/retry';
import { isUndone } from './database-error';
import type { RowSettings } from './row-store-options';
import type { Rows } from './rows';

/** How long, in milliseconds, a write is tried again that the database undid because of another. */
const patience = 1_000;

type Write<R> = (rows: Rows, tx: unknown) => Promise<R>;

/**
 * Runs a write: in a transaction of its own, where the app gives one, which has committed when this resolves; and again where
 * another has undone it.
 */
export async function inTransaction<R>(
  { rows, transaction }: Pick<RowSettings, 'rows' | 'transaction'>,
  write: Write<R>,
): Promise<R> {
  return retry(
    () => (transaction === undefined ? write(rows, undefined) : within(transaction, write)),
    isUndone,
    patience,
  );
}

async function within<R>(transaction: NonNullable<RowSettings['transaction']>, write: Write<R>): Promise<R> {
  const done: R[] = [];
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;
  const run = async (rows: Rows, tx: unknown): Promise<void> => {
    done.length = 0;
    failure = undefined;
    try {
      // A transaction that does not wait is over when this goes on, and nothing would undo what is written then.
      await Promise.resolve();
      if (isOver) throw notAwaited();
      done.push(await write(rows, tx));
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  try {
    await transaction((rows, tx) => {
      const running = run(rows, tx);
      running.catch(() => undefined); // it must not end the process where nobody waits for it
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
    'The option transaction resolved before the function that it is given. Return what that gives: ' +
      '(run) => prisma.$transaction((tx) => run(prismaRows(tx.note), tx)).',
  );
}
