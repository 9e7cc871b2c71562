import type { Awaitable } from '../config/object';
import { ConfigurationError } from '../config/options-check';
import { inspectValue } from '../config/inspect';
import type { Rows } from './rows';
import type { Statement, TableName } from './sql/statement';

const names = ['find', 'lock', 'update', 'save', 'updateReturning', 'insert', 'delete'] as const;

const transactions = ['transaction', 'transactionSync'] as const;

type FunctionName = (typeof names)[number] | (typeof transactions)[number];

export interface Origin {
  /** The connection or pool of the functions, if transactions always use another one. */
  readonly handle: object | undefined;
  /**
   * Whether their transactions are part of a transaction that the app has begun, and that the app itself runs
   * again.
   */
  readonly joins?: boolean;
  /**
   * Whether the statements of all requests get into an open transaction, because they share one connection.
   * If possible, a write is then one statement without a transaction, on the condition of all columns of the
   * row.
   */
  readonly sharesConnection?: boolean;
  /** The remedy for a requested column that is not in the row, as a sentence. */
  readonly fixMissing: string;
  /** Set over MySQL and MariaDB, because the session may have another time zone than the driver or the ORM. */
  readonly timestamps?: TimestampSource | undefined;
}

/** Asks MySQL or MariaDB about a table, and reads the answer like rows of the table. */
export interface TimestampSource {
  readonly table: TableName;
  /** Sends the statement, and returns its rows, with dates in the form of the table's columns. */
  readonly ask: (question: Statement) => Awaitable<unknown>;
  /** Whether the ORM itself reads dates as UTC, whatever the driver does. */
  readonly isUtc?: boolean;
  /** How to set both to UTC, as a sentence. */
  readonly fix: string;
}

/** The functions that `prismaRows`, `knexRows` and the like have created. */
const libraryFunctions = new WeakMap<object, Origin>();

/** Marks the functions of one table as the library's own. */
export function libraryRows<R extends Rows>(origin: Origin, rows: R): R {
  for (const name of [...names, ...transactions]) {
    const call = functionIn(rows, name);
    if (call !== undefined) libraryFunctions.set(call, origin);
  }
  return rows;
}

/** The remedy for a requested column that is not in the row that the function returned. */
export function fixMissingColumn(rows: Partial<Rows>, name: FunctionName): string {
  return (
    findOrigin(rows, name)?.fixMissing ??
    'Return every requested column, under the name in the options, and NULL as null.'
  );
}

/**
 * The app's functions among the library's functions. The library's own transaction would not call them, so a
 * soft delete of the app would become a hard one.
 */
export function findOwnFunctions(rows: Partial<Rows>): readonly string[] {
  const isLibrary = (name: FunctionName): boolean => {
    const call = functionIn(rows, name);
    return call !== undefined && libraryFunctions.has(call);
  };
  if (!transactions.some(isLibrary)) return [];
  return names.filter((name) => functionIn(rows, name) !== undefined && !isLibrary(name));
}

/**
 * Checks the rows that the option `transaction` passes to `run`. The app may have replaced functions of the
 * library only in the options of the store: inside the transaction, its soft delete would then be a hard one,
 * and a filter on `find` would not apply.
 *
 * @param outside - the functions that the store was created with
 * @throws ConfigurationError if a function of the app is missing in the transaction, or if the rows do not
 *   belong to the transaction, because their writes would stay although `onWrite` throws
 */
export function checkTransactionRows(outside: Rows, inside: Rows): void {
  const missing = names.filter((name) => {
    const [outer, inner] = [functionIn(outside, name), functionIn(inside, name)];
    return (
      outer !== undefined &&
      (inner === undefined || (!libraryFunctions.has(outer) && libraryFunctions.has(inner)))
    );
  });
  const [origin, originInside] = [outside, inside].map(
    (rows) => findOrigin(rows, 'update') ?? findOrigin(rows, 'save'),
  );
  const isOutside =
    origin?.handle !== undefined && origin.handle === originInside?.handle && origin.joins !== true;
  if (missing.length === 0 && !isOutside) return;
  const each = missing.map((name) => `${name}()`).join(', ');
  const reason = isOutside ? 'that write outside the transaction' : `without ${each} of the store`;
  const option = outside.transactionSync === undefined ? 'transaction' : 'transactionSync';
  const fix = isOutside
    ? "Make them from the transaction: (run) => knex.transaction((trx) => run(knexRows(trx, 'notes'), trx))."
    : 'Make the rows of the store and of the transaction with one function: ' +
      "const rows = (db) => ({ ...knexRows(db, 'notes'), delete: … }).";
  throw new ConfigurationError('rowStore()', [
    {
      ...{ option, value: inspectValue(functionIn(outside, option)), code: 'transaction-rows' },
      ...{ reason: `passes rows to run ${reason}`, fix },
    },
  ]);
}

/** Undefined for functions of the app. */
export function findOrigin(rows: Partial<Rows>, name: FunctionName): Origin | undefined {
  const call = functionIn(rows, name);
  return call && libraryFunctions.get(call);
}

/** The function as an object to be recognised, not to be called. */
function functionIn(rows: Partial<Rows>, name: FunctionName): object | undefined {
  return Reflect.get(rows, name);
}

/**
 * Creates the rows of each table of a connection once, and keeps them as long as the connection, because the
 * option `rows` asks for them with each request.
 */
export function keepRows<D extends object, T, R extends Rows>(
  make: (db: D, table: T) => R,
): (db: D, table: T) => R {
  const kept = new WeakMap<D, Map<T, R>>();
  return (db, table) => {
    const tables = kept.get(db) ?? new Map<T, R>();
    const rows = tables.get(table) ?? make(db, table);
    // Not earlier, because the connection may be a mistake.
    kept.set(db, tables.set(table, rows));
    return rows;
  };
}
