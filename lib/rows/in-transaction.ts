import type { PatchRequest } from '../http/routed-request';
import { errorsWithin } from '../stores/contract/error-codes';
import { retry } from '../stores/contract/retry';
import { noteUnwritten } from '../stores/contract/unwritten';
import { isUndone } from './database-error';
import { checkTransactionRows } from './library-rows';
import type { RowSettings, RowWrite } from './row-store-options';
import type { Rows } from './rows';

/** How long, in milliseconds, a write is retried that the database rolled back because of another one. */
export const maxRetryTime = 1_000;

/** Calls the option `onWrite`, if there is one, in the transaction. */
type Tell = (describe: () => RowWrite<unknown>) => Promise<void>;

type Write<R> = (rows: Rows, tell: Tell) => Promise<R>;

/**
 * Runs a write, in a transaction of its own if the app gives the option `transaction`, which has committed
 * when this resolves. Retries a write that the database rolled back because of another one: without
 * `transaction` it must not throw after a statement that took effect.
 *
 * @param request - the request that writes; undefined for a write of the app
 */
export async function inTransaction<R>(
  { rows, transaction, onWrite }: Pick<RowSettings, 'rows' | 'transaction' | 'onWrite'>,
  request: PatchRequest | undefined,
  write: Write<R>,
): Promise<R> {
  const attempt =
    transaction === undefined
      ? () => write(rows, () => Promise.resolve())
      : () => within({ rows, transaction, onWrite }, request, write);
  return retry(attempt, isUndone, maxRetryTime);
}

type Transacted = Pick<RowSettings, 'rows' | 'onWrite'> & {
  readonly transaction: NonNullable<RowSettings['transaction']>;
};

async function within<R>(
  { rows: outer, transaction, onWrite }: Transacted,
  request: PatchRequest | undefined,
  write: Write<R>,
): Promise<R> {
  const done: R[] = [];
  let failure: { readonly error: unknown } | undefined;
  let refusal: { readonly error: unknown } | undefined;
  let begun: true | undefined;
  let isOver = false;
  const run = async (rows: Rows, tx: unknown): Promise<void> => {
    done.length = 0;
    failure = undefined;
    refusal = undefined;
    const tell: Tell = async (describe) => {
      if (onWrite === undefined) return;
      const told = describe();
      try {
        await onWrite(tx, told);
      } catch (error) {
        refusal = { error };
        throw error;
      }
    };
    try {
      // If the app's transaction does not wait, it is over at this point, and a write could not be rolled
      // back any more.
      await Promise.resolve();
      if (isOver) throw notAwaited();
      checkTransactionRows(outer, rows, transaction);
      done.push(await write(rows, tell));
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  try {
    await transaction((rows, tx) => {
      begun = true;
      const running = run(rows, tx);
      running.catch(() => undefined); // a rejection that the app ignores must not end the process
      return running;
    });
  } catch (error) {
    // Either can be the error of a lost connection: that of BEGIN, or one of onWrite to another server.
    if (begun === undefined || isWithin(error, refusal)) noteUnwritten(request, error);
    throw error;
  } finally {
    isOver = true;
  }
  if (failure !== undefined) throw failure.error;
  const [result] = done;
  if (done.length === 1) return result as R;
  throw notAwaited();
}

/** Whether an error is the one of `onWrite`, or one that the app or an ORM has made of it. */
function isWithin(error: unknown, refusal: { readonly error: unknown } | undefined): boolean {
  return refusal !== undefined && errorsWithin(error).some((inner) => inner === refusal.error);
}

function notAwaited(): TypeError {
  return new TypeError(
    'The option transaction resolved before run did, so the write was not carried out in it. ' +
      'Return or await the promise of run: ' +
      '(run) => prisma.$transaction((tx) => run(prismaRows(tx.note), tx)).',
  );
}
