import { isThenable } from '../config/object';
import { warnOnce } from '../config/process-warning';
import { ProblemError } from '../http/problem';
import { retry } from '../stores/contract/retry';
import { wasUndone } from '../stores/engine-error';
import { isOpenTransaction } from '../stores/sql/sqlite-handle';
import { checkTransactionRows, findOrigin } from './library-rows';
import type { Rows } from './rows';

/**
 * A write as a sequence of statements: it yields the return value of each function of `Rows` and of the app,
 * and receives the result. So the same code serves drivers whose statements are awaited, and synchronous
 * drivers of SQLite, where nothing may be awaited within a transaction.
 */
export type Steps<R> = Generator<unknown, R, unknown>;

/** @param tx - the transaction of the app */
type StepsIn<R> = (rows: Rows, tx: unknown) => Steps<R>;

/** Converts an error of the COMMIT, which checks deferred constraints. */
type ToRefusal = (error: unknown) => unknown;

/**
 * Runs a write in a transaction, which has committed when this resolves. If the database rolls the
 * transaction back because of another one, the write is run again, including `onWrite`, unless it is part of
 * a transaction of the app.
 *
 * @param outside - the rows of the store, which begin the transaction
 * @throws ProblemError 503 if the time limit passes; the write is rolled back
 */
export async function inTransaction<R>(
  outside: Rows,
  timeout: number,
  steps: StepsIn<R>,
  toRefusal: ToRefusal,
): Promise<R> {
  const run = (): R | Promise<R> =>
    outside.transactionSync === undefined
      ? runAsync(outside, timeout, steps, toRefusal)
      : runSync(outside, steps, toRefusal);
  const joins = findOrigin(outside, 'transaction')?.joins === true;
  try {
    return await retry(run, (error) => !joins && (wasUndone(error) || isOpenTransaction(error)));
  } catch (error) {
    throw isPrismaTimeout(error) ? writeTimeout(`${error.message} ${whoWaits}`, error) : error;
  }
}

/**
 * Prisma has found no connection within its `maxWait`, or has rolled back after its `timeout`: for this write,
 * or for a transaction that `onWrite` or a hook has begun, whose error also rolls this write back.
 */
function isPrismaTimeout(error: unknown): error is Error {
  return error instanceof Error && Reflect.get(error, 'code') === 'P2028';
}

function runSync<R>(outside: Rows, stepsIn: StepsIn<R>, toRefusal: ToRefusal): R {
  let done: { readonly result: R } | undefined;
  try {
    outside.transactionSync?.((inside, tx) => {
      checkTransactionRows(outside, inside);
      const steps = stepsIn(inside, tx);
      let step = steps.next();
      while (step.done !== true) step = steps.next(assertNotPromise(step.value));
      done = { result: step.value };
    });
  } catch (error) {
    throw done === undefined ? error : toRefusal(error);
  }
  if (done === undefined) throw new TypeError('transactionSync() returned without calling run.');
  return done.result;
}

/** @throws TypeError for a promise, whose work would come after the commit */
function assertNotPromise(value: unknown): unknown {
  if (!isThenable(value)) return value;
  Promise.resolve(value).catch(() => undefined); // it must not end the process
  throw new TypeError(
    'onWrite returned a promise, but a write over this driver of SQLite is a synchronous transaction. ' +
      'Write synchronously, as db.prepare(…).run(…) does.',
  );
}

async function runAsync<R>(
  outside: Rows,
  timeout: number,
  steps: StepsIn<R>,
  toRefusal: ToRefusal,
): Promise<R> {
  /** The outcome of the last run, because the app itself may run its transaction again. */
  let outcome: { readonly result: R } | { readonly error: unknown } | undefined;
  let hasBegun = false;
  let isOver = false;
  const limit = createLimit(timeout, () => {
    isOver = true;
    return tooLong(timeout, hasBegun);
  });

  async function run(inside: Rows, tx: unknown): Promise<void> {
    outcome = undefined;
    try {
      // If the app's transaction does not wait for `run`, it is over at this point, and a write could not be
      // rolled back any more.
      await Promise.resolve();
      if (isOver) throw ranOutside();
      checkTransactionRows(outside, inside);
      if (hasBegun) limit.start(); // the app runs its transaction again
      hasBegun = true;
      const result = await Promise.race([takeSteps(steps(inside, tx), () => isOver), limit.passed]);
      // Whether the commit succeeds is not known before it returns.
      limit.stop();
      outcome = { result };
    } catch (error) {
      outcome = { error };
      throw error;
    }
  }

  try {
    limit.start();
    const running = Promise.resolve(
      outside.transaction?.((inside, tx) => {
        const writing = run(inside, tx);
        writing.catch(() => undefined); // a rejection that the app ignores must not end the process
        return writing;
      }),
    );
    await Promise.race([running, limit.passed]);
  } catch (error) {
    throw outcome !== undefined && 'result' in outcome ? toRefusal(error) : error;
  } finally {
    isOver = true;
    limit.stop();
  }
  if (outcome === undefined) throw ranOutside();
  if ('error' in outcome) throw outcome.error;
  return outcome.result;
}

/** A time limit: `passed` rejects when the time since the last start is over. */
function createLimit(
  milliseconds: number,
  createError: () => Error,
): { readonly passed: Promise<never>; start(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let fail: (error: Error) => void;
  const passed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  passed.catch(() => undefined); // nobody may be waiting
  const stop = () => {
    clearTimeout(timer);
  };
  return {
    passed,
    stop,
    start: () => {
      stop();
      timer = setTimeout(() => {
        fail(createError());
      }, milliseconds);
    },
  };
}

/**
 * Awaits one step after the other.
 *
 * @param isOver - whether the transaction has been rolled back: its connection may already serve other
 *   requests
 */
export async function takeSteps<R>(steps: Steps<R>, isOver = () => false): Promise<R> {
  let step = steps.next();
  while (step.done !== true) {
    const settled = await Promise.resolve(step.value).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    // After the time limit, nobody sees this error: the limit has ended the write with its own.
    if (isOver()) throw ranOutside();
    step = 'error' in settled ? steps.throw(settled.error) : steps.next(settled.value);
  }
  return step.value;
}

function ranOutside(): TypeError {
  return new TypeError(
    'The option transaction resolved before run did, so the write was not carried out in it. ' +
      'Return or await the promise of run: ' +
      "(run) => knex.transaction((trx) => run(knexRows(trx, 'notes'), trx)).",
  );
}

function tooLong(timeout: number, hasBegun: boolean): ProblemError {
  const message = hasBegun
    ? `The write of a row did not finish within ${timeout} ms, and is rolled back. ${whoWaits} ` +
      'If the write only needs more time, raise the option timeout.'
    : `The write of a row could not begin its transaction within ${timeout} ms. If all connections of the pool were ` +
      'in use, raise its size, or shorten the transactions that hold them.';
  return writeTimeout(message);
}

/** A deadlock that databases cannot detect: the write waits for a hook, and the hook for the write. */
const whoWaits =
  'If onWrite, or a hook or an extension of the ORM, writes to the same row, uses the pool or begins a transaction of ' +
  'its own, pass it the transaction: it may be waiting for this write to end.';

/** @param message - the cause and the remedy, for the app */
function writeTimeout(message: string, cause?: unknown): ProblemError {
  tellOfTimeout(message);
  const detail = 'The write took too long, and nothing was written. Try again later.';
  return new ProblemError(503, 'write-timeout', detail, {
    headers: { 'Retry-After': '1' },
    cause: new WriteTimeoutError(message, { cause }),
  });
}

const tellOfTimeout = warnOnce('PATCH_OPTIONS_WRITE_TIMEOUT', (message: string) => message);

/**
 * A write took longer than the option `timeout` of `rowStore`, and was rolled back. It is not thrown itself: it is
 * the `cause` of the problem `write-timeout`.
 */
export class WriteTimeoutError extends Error {
  override readonly name = 'WriteTimeoutError';
  readonly code = 'PATCH_OPTIONS_WRITE_TIMEOUT';
}

/**
 * Whether a write took too long. Code that it waits for, such as `onWrite`, may still be running, and its
 * statements must not get into the next transaction on the same connection, so that connection is closed.
 */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof WriteTimeoutError;
}
