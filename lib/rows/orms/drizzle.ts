import { isObject } from '../../config/object';
import { typed } from '../../config/expectation';
import { OptionsCheck } from '../../config/options-check';
import { GeneratedColumnError } from '../generated-column';
import { libraryRows, setSession, type TimestampSource } from '../library-rows';
import type { Awaitable, DeclaredForms, Row, Rows } from '../rows';
import { conditionAfter } from '../condition-after';
import { hasMethods, readReturnedRow } from './arguments';
import {
  columnFinder,
  readColumns,
  condition,
  createStatement,
  findForm,
  isGenerated,
  isPostgres,
  isSqlite,
  readMysqlTable,
  readable,
} from './drizzle-columns';

/** A Drizzle table, such as `pgTable` returns. */
export type DrizzleTable = object;

/** A Drizzle database or transaction, on PostgreSQL, MySQL, MariaDB or SQLite. */
export interface DrizzleDatabase {
  select(fields: never): unknown;
  update(table: never): unknown;
  insert(table: never): unknown;
  delete(table: never): unknown;
}

/**
 * Accesses a table through Drizzle, for `rowStore`. Columns have the names of the schema in TypeScript.
 *
 * ```ts
 * const notes = rowStore({
 *   ...drizzleRows(db, notesTable),
 *   columns: { title: 'string' },
 *   key: 'slug',
 *   version: 'version',
 * });
 * ```
 *
 * @throws ConfigurationError
 */
export function drizzleRows(
  db: DrizzleDatabase,
  table: DrizzleTable,
): Required<Omit<Rows, 'dialect'>> & DeclaredForms {
  const check = new OptionsCheck('drizzleRows()');
  check.value(
    'db',
    db,
    typed(
      () => hasMethods(db, ['select', 'update', 'insert', 'delete']),
      'Pass drizzle(pool), or the tx of a transaction.',
      'is not a database of Drizzle',
    ),
  );
  check.value(
    'table',
    table,
    typed(
      () => isObject(table) && readColumns(table).length > 0,
      "Pass one, as pgTable('notes', { … }) returns it.",
      'is not a table of Drizzle 0.28 or later',
    ),
  );
  check.done();
  const database = db as unknown as Database;
  const findColumn = columnFinder(table);
  // Drizzle would leave out unknown columns, and generated ones of an INSERT.
  const assertWritable = (row: Row) => {
    const generated = Object.keys(row).find((name) => isGenerated(findColumn(name)));
    if (generated !== undefined) throw new GeneratedColumnError([generated]);
  };
  const toSelection = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, readable(findColumn(name))]));
  const isSynchronous = Reflect.get(database, 'resultKind') === 'sync';
  const returns = isPostgres(table) || (isSqlite(table) && !isSynchronous);
  /**
   * SQLite's RETURNING does not see what AFTER triggers do, so the row is read again where the driver is
   * synchronous. libSQL gives each transaction a connection, of which it has twenty: there, RETURNING it is.
   */
  const sendWrite = (
    send: (on: Database) => Query,
    names: readonly string[],
    after: Row,
  ): Awaitable<unknown> => {
    if (returns) return Promise.resolve(send(database).returning?.(toSelection(names))).then(readReturnedRow);
    if (!isSynchronous) return Promise.resolve(send(database)).then(countRows);
    return database.transaction?.((tx) => {
      const count = countRows(send(tx).run?.());
      if (count !== 1 || names.length === 0) return count;
      return readReturnedRow(
        tx.select(toSelection(names)).from(table).where(condition(after, findColumn)).all?.(),
      );
    });
  };
  // A synchronous driver has one connection, which the app may have begun a transaction on.
  const handle = isSynchronous ? undefined : database;
  const origin = {
    transaction: '(run) => db.transaction((tx) => run(drizzleRows(tx, notes), tx))',
    handle,
    fixMissing: 'The fromDriver of a customType must not return undefined.',
    timestamps: createTimestampSource(db, table),
  };
  return libraryRows(origin, {
    find: (where, names) =>
      database.select(toSelection(names)).from(table).where(condition(where, findColumn)).limit(1),
    update: (where, set, names) => {
      assertWritable(set);
      const update = (on: Database) => on.update(table).set(set).where(condition(where, findColumn));
      return sendWrite(update, names, conditionAfter(where, set, names));
    },
    insert: (row, names, _casts, where = row) => {
      assertWritable(row);
      return sendWrite((on) => on.insert(table).values(row), names, where);
    },
    delete: async (where) => countRows(await database.delete(table).where(condition(where, findColumn))),
    returning: returns || isSynchronous,
    get columnNames() {
      const names = readColumns(table).map(([name, column]) => [name, column.name] as const);
      return { ...Object.fromEntries(names), ...(isPostgres(table) ? { xmin: 'xmin' } : {}) };
    },
    get columnForms() {
      const forms = readColumns(table).flatMap(([name, column]) => {
        const form = findForm(column);
        return form === undefined ? [] : [[name, form] as const];
      });
      return Object.fromEntries(forms);
    },
  });
}

/** Drizzle reads and writes dates in UTC, whatever the driver does. */
function createTimestampSource(db: object, table: object): TimestampSource | undefined {
  const name = readMysqlTable(table);
  if (name === undefined || !hasMethods(db, ['execute'])) return undefined;
  const execute = Reflect.get(db, 'execute') as (sql: object) => PromiseLike<unknown>;
  return {
    table: name,
    ask: async ({ text, values }) => {
      const result = await execute.call(db, createStatement(table, text, values));
      return Array.isArray(result) ? (result[0] as unknown) : result;
    },
    isUtc: true,
    fix: `Drizzle takes dates for UTC: set the session to it, by ${setSession}.`,
  };
}

/** The number of rows that a driver has written. mysql2 returns its result in a list. */
function countRows(result: unknown): unknown {
  const header: unknown = Array.isArray(result) ? result[0] : result;
  const counts = ['rowCount', 'changes', 'rowsAffected', 'affectedRows', 'count'];
  return counts.map((name): unknown => Reflect.get(Object(header) as object, name)).find(isCount);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number';
}

interface Query extends PromiseLike<unknown> {
  from(table: object): Query;
  set(set: Row): Query;
  values(row: Row): Query;
  where(condition: object): Query;
  limit(rows: number): Query;
  returning?(fields: object): Query;
  /** Of a synchronous driver. */
  run?(): unknown;
  all?(): unknown;
}

interface Database {
  select(fields: object): Query;
  update(table: object): Query;
  insert(table: object): Query;
  delete(table: object): Query;
  transaction?(act: (tx: Database) => unknown): Awaitable<unknown>;
}
