import { isObject } from '../../config/object';
import { typed } from '../../config/expectation';
import { OptionsCheck } from '../../config/options-check';
import { libraryRows } from '../library-rows';
import type { Awaitable, ColumnForm, DeclaredForms, Row, Rows } from '../rows';
import { conditionAfter } from '../condition-after';
import { hasMethods, readReturnedRow } from './arguments';

/** A column of a Drizzle table. */
interface DrizzleColumn {
  readonly name: string;
  /** Of the elements, in an array of PostgreSQL. */
  readonly baseColumn?: DrizzleColumn;
  getSQL(): DrizzleSql;
  mapFromDriverValue(value: unknown): unknown;
}

/** An expression of Drizzle. */
interface DrizzleSql {
  mapWith(decoder: (value: unknown) => unknown): object;
}

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
      () => isObject(table) && Object.values(table).some(isColumn),
      "Pass one, as pgTable('notes', { … }) returns it.",
      'is not a table of Drizzle 0.28 or later',
    ),
  );
  check.done();
  const database = db as unknown as Database;
  const findColumn = columnFinder(table);
  const toSelection = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, readable(findColumn(name))]));
  const isSqlite = readKind(table) === 'SQLiteTable';
  const isSynchronous = Reflect.get(database, 'resultKind') === 'sync';
  const returns = isPostgres(table) || (isSqlite && !isSynchronous);
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
  return libraryRows('(run) => db.transaction((tx) => run(drizzleRows(tx, notes), tx))', handle, {
    find: (where, names) =>
      database.select(toSelection(names)).from(table).where(condition(where, findColumn)).limit(1),
    update: (where, set, names) => {
      // Drizzle would leave out what is not a column.
      for (const name of Object.keys(set)) findColumn(name);
      const update = (on: Database) => on.update(table).set(set).where(condition(where, findColumn));
      return sendWrite(update, names, conditionAfter(where, set, names));
    },
    insert: (row, names, _casts, where = row) => {
      for (const name of Object.keys(row)) findColumn(name);
      return sendWrite((on) => on.insert(table).values(row), names, where);
    },
    delete: async (where) => countRows(await database.delete(table).where(condition(where, findColumn))),
    returning: returns || isSynchronous,
    get columnNames() {
      const columns = Object.entries(table).filter(([, column]) => isColumn(column));
      const xmin = isPostgres(table) ? { xmin: 'xmin' } : {};
      return {
        ...Object.fromEntries(columns.map(([name, column]) => [name, (column as DrizzleColumn).name])),
        ...xmin,
      };
    },
    get columnForms() {
      const forms = Object.entries(table).flatMap(([name, column]: [string, unknown]) => {
        const form = isColumn(column) ? findForm(column) : undefined;
        return form === undefined ? [] : [[name, form] as const];
      });
      return Object.fromEntries(forms);
    },
  });
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

/** The form in which Drizzle passes on the dates of a column, or of the elements of an array. */
function findForm(column: object): ColumnForm | undefined {
  const { baseColumn } = column as { readonly baseColumn?: object };
  if (baseColumn !== undefined) return findForm(baseColumn);
  // Drizzle passes such a Date to mysql2, which would write the day of a time zone, but a text as it is.
  if (readKind(column) === 'MySqlDate') return 'iso';
  const { dataType } = column as { readonly dataType?: unknown };
  if (dataType === 'date') return 'Date';
  if (dataType === 'json') return 'iso';
  if (dataType === 'number' || dataType === 'bigint') return 'milliseconds';
  if (dataType !== 'string') return undefined;
  return readKind(column).startsWith('MySql') ? 'sql' : 'iso';
}

/** Elements that the driver returns as text, which Drizzle parses itself: none contains a backslash. */
const textElements = /^Pg(?:Timestamp|Date|Numeric)/;

/**
 * An array of PostgreSQL. If the driver does not know its type, it returns text, which Drizzle would parse
 * without the backslashes in it. NULL it would convert as any other element.
 */
function readable(column: DrizzleColumn): object {
  const { baseColumn } = column;
  if (baseColumn === undefined || textElements.test(readKind(baseColumn))) return column;
  return column.getSQL().mapWith((value) => {
    if (!Array.isArray(value)) return value;
    return value.map((one) => (one === null ? null : baseColumn.mapFromDriverValue(one)));
  });
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

const entityKind = Symbol.for('drizzle:entityKind');

/** What Drizzle calls the class of an object. */
function readKind(object: object): string {
  return String(Reflect.get(object.constructor, entityKind));
}

function isPostgres(table: object): boolean {
  return readKind(table) === 'PgTable';
}

function columnFinder(table: object): (name: string) => DrizzleColumn {
  return (name) => {
    const column: unknown = Reflect.get(table, name);
    if (isColumn(column)) return column;
    if (name === 'xmin' && isPostgres(table)) return createXmin(table);
    throw new TypeError(
      `drizzleRows(): the table has no column ${JSON.stringify(name)}. ` +
        'Name it as the table does in TypeScript.',
    );
  };
}

function isColumn(value: unknown): value is DrizzleColumn {
  return (
    typeof value === 'object' && value !== null && 'getSQL' in value && typeof value.getSQL === 'function'
  );
}

// Drizzle tells its classes apart by the kind that they name, so that two copies of it work together, and
// what has the kind of one is taken for it. So a condition is written without importing Drizzle, and values
// go through the codec of their column.
class StringChunk {
  static readonly [entityKind] = 'StringChunk';
  readonly value: readonly string[];

  constructor(text: string) {
    this.value = [text];
  }
}

class Param {
  static readonly [entityKind] = 'Param';

  constructor(
    readonly value: unknown,
    readonly encoder: DrizzleColumn,
  ) {}
}

/** The column of PostgreSQL that no schema declares, because drizzle-kit would create it. */
function createXmin(table: object): DrizzleColumn {
  const same = (value: unknown) => value;
  const sql = createSql(Object.values(table).find(isColumn), [new StringChunk('xmin')]);
  return Object.assign(sql, { name: 'xmin', mapFromDriverValue: same, mapToDriverValue: same });
}

function createSql(column: DrizzleColumn | undefined, chunks: readonly object[]): DrizzleSql & DrizzleColumn {
  const SQL = column?.getSQL().constructor as new (chunks: readonly object[]) => DrizzleSql & DrizzleColumn;
  return new SQL(chunks);
}

/** `"slug" = $1 and "version" = $2`, and `IS NULL` for null. */
function condition(where: Row, findColumn: (name: string) => DrizzleColumn): object {
  const chunks = Object.entries(where).flatMap(([name, value], index) => {
    const column = findColumn(name);
    const compared =
      value === null ? [new StringChunk(' is null')] : [new StringChunk(' = '), new Param(value, column)];
    return [new StringChunk(index === 0 ? '' : ' and '), column, ...compared];
  });
  const [first = ''] = Object.keys(where);
  return createSql(findColumn(first), chunks);
}
