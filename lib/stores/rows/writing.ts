import { retry } from '../contract/retry';
import { isUndone } from './database-error';
import type { RowSettings } from './row-store-options';
import type { Rows } from './rows';

/** How long, in milliseconds, a write is tried again that the database undid because of another. */
const patience = 1_000;

/** Runs a write: in a transaction of its own, where the app gives one, and again where another has undone it. */
export function writing<R>(
  { rows, transaction }: RowSettings,
  write: (rows: Rows, tx: unknown) => Promise<R>,
): Promise<R> {
  return retry(
    () => (transaction === undefined ? write(rows, undefined) : within(transaction, write)),
    isUndone,
    patience,
  );
}

async function within<R>(
  transaction: NonNullable<RowSettings['transaction']>,
  write: (rows: Rows, tx: unknown) => Promise<R>,
): Promise<R> {
  let isOver = false;
  let done: { readonly result: R } | undefined;
  let thrown: unknown;
  const run = async (rows: Rows, tx: unknown): Promise<void> => {
    done = undefined;
    // Not in the turn of the call: a transaction that does not wait is over by then, and what comes after it would not be undone.
    await Promise.resolve();
    if (isOver) throw notAwaited();
    done = { result: await write(rows, tx) };
  };
  try {
    await transaction((rows, tx) => {
      const running = run(rows, tx);
      // Where nobody waits for it, it must not end the process.
      running.catch((error: unknown) => (thrown = error));
      return running;
    });
  } finally {
    isOver = true;
  }
  if (done === undefined) throw notAwaited(thrown);
  return (done as { readonly result: R }).result;
}

function notAwaited(cause?: unknown): TypeError {
  return new TypeError(
    'The option transaction did not wait for the function that it was given, or caught what that threw. Return what it returns: (run) => prisma.$transaction((tx) => run(prismaRows(tx.note), tx)).',
    cause === undefined ? {} : { cause },
  );
}
