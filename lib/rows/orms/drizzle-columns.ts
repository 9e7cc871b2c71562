/**
 * The columns of a Drizzle table, and SQL over them, without importing Drizzle: it tells its classes apart by
 * the kind that they name, so that two copies of it work together, and what has the kind of one is taken for
 * it.
 */
import type { ColumnForm, Row, SchemaColumn } from '../rows';
import { type DrizzleSchemaColumn, toDrizzleColumn } from './drizzle-kinds';

/** A column of a Drizzle table. */
export interface DrizzleColumn extends DrizzleSchemaColumn {
  readonly name: string;
  /** Of the elements, in an array of PostgreSQL. */
  readonly baseColumn?: DrizzleColumn;
  readonly dataType?: unknown;
  /** Of a generated column. */
  readonly generated?: { readonly type?: unknown } | undefined;
  /** Of an identity of PostgreSQL. */
  readonly generatedIdentity?: { readonly type?: unknown } | undefined;
  getSQL(): DrizzleSql;
  mapFromDriverValue(value: unknown): unknown;
}

/** An expression of Drizzle. */
interface DrizzleSql {
  mapWith(decoder: (value: unknown) => unknown): object;
}

const entityKind = Symbol.for('drizzle:entityKind');

/** What Drizzle calls the class of an object. */
function readKind(object: object): string {
  return String(Reflect.get(object.constructor, entityKind));
}

export function isPostgres(table: object): boolean {
  return readKind(table) === 'PgTable';
}

export function isSqlite(table: object): boolean {
  return readKind(table) === 'SQLiteTable';
}

export function isTransaction(db: object): boolean {
  return readKind(db).endsWith('Transaction');
}

/** The name of the driver of a database, if it has no transactions: each of its statements is a request of its own. */
export function findWithoutTransactions(db: object): string | undefined {
  return Object.entries(withoutTransactions).find(([, kind]) => readKind(db) === kind)?.[0];
}

const withoutTransactions = {
  ...{ 'neon-http': 'NeonHttpDatabase', 'xata-http': 'XataHttpDatabase', d1: 'D1Database' },
  ...{ 'pg-proxy': 'PgRemoteDatabase', 'mysql-proxy': 'MySqlRemoteDatabase' },
  'sqlite-proxy': 'SqliteRemoteDatabase',
};

/** The name of a table of MySQL; undefined for other databases. */
export function readMysqlTable(table: object): { table: string; schema: string | undefined } | undefined {
  if (readKind(table) !== 'MySqlTable') return undefined;
  const [name, schema] = ['Name', 'Schema'].map((part): unknown =>
    Reflect.get(table, Symbol.for(`drizzle:${part}`)),
  );
  return { table: String(name), schema: typeof schema === 'string' ? schema : undefined };
}

/** The columns of a table, by their names in TypeScript. */
export function readColumns(table: object): readonly (readonly [string, DrizzleColumn])[] {
  return Object.entries(table).flatMap(([name, column]: [string, unknown]) =>
    isColumn(column) ? [[name, column] as const] : [],
  );
}

function isColumn(value: unknown): value is DrizzleColumn {
  return (
    typeof value === 'object' && value !== null && 'getSQL' in value && typeof value.getSQL === 'function'
  );
}

export function columnFinder(table: object): (name: string) => DrizzleColumn {
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

/** Whether the database always generates the column, and so refuses a write of it. */
export function isGenerated({ generated, generatedIdentity }: DrizzleColumn): boolean {
  return (generated !== undefined && generated.type !== 'byDefault') || generatedIdentity?.type === 'always';
}

/** What the schema says of a column. */
export function toSchemaColumn(column: DrizzleColumn): SchemaColumn {
  return toDrizzleColumn(column, readKind);
}

/** The form in which Drizzle passes on the dates of a column, or of the elements of an array. */
export function findForm(column: DrizzleColumn): ColumnForm | undefined {
  const { baseColumn, dataType } = column;
  if (baseColumn !== undefined) return findForm(baseColumn);
  // Drizzle passes such a Date to mysql2, which would write the day of a time zone, but a text as it is.
  if (readKind(column) === 'MySqlDate') return 'iso';
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
export function readable(column: DrizzleColumn): object {
  const { baseColumn } = column;
  if (baseColumn === undefined || textElements.test(readKind(baseColumn))) return column;
  return column.getSQL().mapWith((value) => {
    if (!Array.isArray(value)) return value;
    return value.map((one) => (one === null ? null : baseColumn.mapFromDriverValue(one)));
  });
}

/**
 * `"slug" = $1 and "version" = $2`, and `IS NULL` for null. Values go through the codec of their column.
 */
export function condition(where: Row, findColumn: (name: string) => DrizzleColumn): object {
  const chunks = Object.entries(where).flatMap(([name, value], index) => {
    const column = findColumn(name);
    const compared =
      value === null ? [new StringChunk(' is null')] : [new StringChunk(' = '), new Param(value, column)];
    return [new StringChunk(index === 0 ? '' : ' and '), column, ...compared];
  });
  const [first = ''] = Object.keys(where);
  return createSql(findColumn(first), chunks);
}

/** The column of PostgreSQL that no schema declares, because drizzle-kit would create it. */
function createXmin(table: object): DrizzleColumn {
  const same = (value: unknown) => value;
  const sql = createSql(Object.values(table).find(isColumn), [new StringChunk('xmin')]);
  return Object.assign(sql, { name: 'xmin', mapFromDriverValue: same, mapToDriverValue: same });
}

/** A statement of Drizzle, from a text with a ? for each parameter. */
export function createStatement(table: object, text: string, values: readonly unknown[]): object {
  const asItIs = { mapToDriverValue: (value: unknown) => value };
  const chunks = text
    .split('?')
    .flatMap((part, index) => [
      ...(index === 0 ? [] : [new Param(values[index - 1], asItIs)]),
      new StringChunk(part),
    ]);
  return createSql(Object.values(table).find(isColumn), chunks);
}

function createSql(column: DrizzleColumn | undefined, chunks: readonly object[]): DrizzleSql & DrizzleColumn {
  const SQL = column?.getSQL().constructor as new (chunks: readonly object[]) => DrizzleSql & DrizzleColumn;
  return new SQL(chunks);
}

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
    readonly encoder: object,
  ) {}
}
