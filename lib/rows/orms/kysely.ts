import { typed } from '../../config/expectation';
import { OptionsCheck } from '../../config/options-check';
import { libraryRows, setPool, type TimestampSource } from '../library-rows';
import type { Dialect, Row, Rows } from '../rows';
import { hasMethods, readReturnedRow, readTableName, tableNameFor } from './arguments';

/** The methods of Kysely, or of a Kysely transaction, that `kyselyRows` calls. */
export interface KyselyLike {
  selectFrom(table: never): unknown;
  updateTable(table: never): unknown;
  insertInto(table: never): unknown;
  deleteFrom(table: never): unknown;
}

/**
 * Accesses a table through Kysely, for `rowStore`. Columns have the names that your queries use: with
 * `CamelCasePlugin`, camelCase.
 *
 * ```ts
 * const notes = rowStore({
 *   ...kyselyRows(db, 'notes'),
 *   columns: { title: 'string' },
 *   key: 'slug',
 *   version: 'version',
 * });
 * ```
 *
 * @param db - a `Kysely`, or the `trx` of a transaction
 * @param table - as `db.selectFrom` takes it: `'notes'`, `'app.notes'`
 * @throws ConfigurationError if `db` is not a Kysely instance
 * @throws TypeError if its dialect is not supported
 */
export function kyselyRows(db: KyselyLike, table: string): Required<Omit<Rows, 'columnNames'>> {
  const check = new OptionsCheck('kyselyRows()');
  check.value(
    'db',
    db,
    typed(
      () => hasMethods(db, methods),
      'Pass new Kysely({ dialect }), or the trx of a transaction.',
      'is not a Kysely instance',
    ),
  );
  check.value('table', table, tableNameFor('kyselyRows(db'));
  check.done();
  // Kysely's types are those of one database; rowStore checks the names of columns itself.
  const tables = db as unknown as Tables;
  const dialect = readDialect(tables, table);
  // SQLite's RETURNING does not see what AFTER triggers do, so there the row is read again.
  const isReturned = dialect === 'postgres';
  const sendWrite = async (query: Query, columns: readonly string[]) =>
    isReturned ? readReturnedRow(await query.returning(columns).execute()) : countRows(await query.execute());
  const origin = {
    transaction: `(run) => db.transaction().execute((trx) => run(kyselyRows(trx, '${table}'), trx))`,
    handle: db,
    fixMissing:
      'Write the name that your own queries return: with CamelCasePlugin, ' +
      "such as column: 'createdAt' for created_at.",
    timestamps: dialect === 'mysql' ? createTimestampSource(db, compileQuery(tables, table)) : undefined,
  };
  return libraryRows(origin, {
    find: (where, columns) => tables.selectFrom(table).select(columns).where(each(where)).limit(1).execute(),
    update: (where, set, columns) =>
      sendWrite(tables.updateTable(table).set(set).where(each(where)), columns),
    insert: (row, columns) => sendWrite(tables.insertInto(table).values(row), columns),
    delete: async (where) => countRows(await tables.deleteFrom(table).where(each(where)).execute()),
    dialect,
    returning: isReturned,
  });
}

function createTimestampSource(db: KyselyLike, select: string): TimestampSource | undefined {
  const table = readTableName(select);
  if (table === undefined || !hasMethods(db, ['executeQuery'])) return undefined;
  const executeQuery = Reflect.get(db, 'executeQuery') as (query: object) => PromiseLike<{ rows: unknown }>;
  return {
    table,
    // The same object as CompiledQuery.raw() of Kysely returns.
    ask: async ({ text: sql, values: parameters }) => {
      const query = { kind: 'RawNode', sqlFragments: [sql], parameters: [] };
      const queryId = { queryId: 'timestamps' };
      return (await executeQuery.call(db, { sql, parameters, query, queryId })).rows;
    },
    fix: setPool,
  };
}

const methods = ['selectFrom', 'updateTable', 'insertInto', 'deleteFrom'] as const;

type Tables = Readonly<Record<(typeof methods)[number], (table: string) => Query>>;

interface Query {
  select(columns: readonly string[]): Query;
  selectAll(): Query;
  set(set: Row): Query;
  values(row: Row): Query;
  where(condition: (builder: { and(where: Row): object }) => object): Query;
  limit(rows: number): Query;
  returning(columns: readonly string[]): Query;
  execute(): PromiseLike<unknown[]>;
  compile(): { readonly sql: string };
}

function countRows([result]: readonly unknown[]): number {
  const { numUpdatedRows, numDeletedRows } = Object(result) as Readonly<Record<string, unknown>>;
  return Number(numUpdatedRows ?? numDeletedRows);
}

/** Equal, or `IS NULL` for null. */
function each(where: Row): (builder: { and(where: Row): object }) => object {
  return (builder) => builder.and(where);
}

/** @throws TypeError if this Kysely does not know the condition of each statement */
function compileQuery(tables: Tables, table: string): string {
  try {
    return tables
      .selectFrom(table)
      .selectAll()
      .where(each({ id: null }))
      .limit(1)
      .compile().sql;
  } catch (cause) {
    throw new TypeError(
      'kyselyRows() needs Kysely 0.26.2 or later, whose eb.and() takes an object. Update Kysely.',
      {
        cause,
      },
    );
  }
}

/** The generated SQL reveals the database, even of third-party dialects, and if class names are minified. */
function readDialect(tables: Tables, table: string): Dialect {
  const sql = compileQuery(tables, table);
  if (sql.endsWith('$1')) return 'postgres';
  if (sql.startsWith('select * from `')) return 'mysql';
  if (sql.startsWith('select * from "') && sql.endsWith('?')) return 'sqlite';
  throw new TypeError(
    `kyselyRows() does not support the dialect in which Kysely writes ${JSON.stringify(sql)}. ` +
      'Write the four functions of Rows yourself.',
  );
}
