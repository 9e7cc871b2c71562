import { ConfigurationError } from '../config/options-check';
import type { Rows } from './rows';

const names = ['find', 'update', 'insert', 'delete'] as const;

/**
 * The functions that `prismaRows`, `knexRows` and the others have made, each with the option `transaction`
 * that goes with it.
 */
const libraryFunctions = new WeakMap<object, string>();

/** Marks the functions of one table as the library's own. */
export function libraryRows<R extends Rows>(transaction: string, rows: R): R {
  for (const name of names) {
    const call = functionIn(rows, name);
    if (call !== undefined) libraryFunctions.set(call, transaction);
  }
  return rows;
}

/** The option `transaction` that goes with these functions, for a message that asks for it. */
export function exampleTransaction(rows: Partial<Rows>): string {
  const update: unknown = rows.update;
  const example = typeof update === 'function' ? libraryFunctions.get(update) : undefined;
  return example ?? '(run) => prisma.$transaction((tx) => run(prismaRows(tx.note), tx))';
}

/**
 * Checks the rows that the option `transaction` passes to `run`. They come from the app, which may have
 * replaced functions of the library in the options of the store alone: its soft delete would then be a hard
 * one inside the transaction, and a filter on `find` would not apply there.
 *
 * @param store - the functions that the store was created with
 * @throws ConfigurationError if a function of the app is missing in the transaction
 */
export function checkTransactionRows(store: Rows, inside: Rows, transaction: unknown): void {
  const missing = names.filter((name) => {
    const [outer, inner] = [functionIn(store, name), functionIn(inside, name)];
    return (
      outer !== undefined &&
      (inner === undefined || (!libraryFunctions.has(outer) && libraryFunctions.has(inner)))
    );
  });
  if (missing.length === 0) return;
  const each = missing.map((name) => `${name}()`).join(', ');
  throw new ConfigurationError('rowStore()', [
    {
      option: 'transaction',
      value: transaction,
      code: 'transaction-rows',
      reason: `passes rows to run without ${each} of the store`,
      fix:
        'Make the rows of the store and those of the transaction with one function: ' +
        "const rows = (db) => ({ ...knexRows(db, 'notes'), delete: … }).",
    },
  ]);
}

/** As an object to be recognised, not to be called. */
function functionIn(rows: Rows, name: (typeof names)[number]): object | undefined {
  return Reflect.get(rows, name);
}
