import { typed } from '../../config/expectation';
import { type Awaitable, hasMethods } from '../../config/object';
import { OptionsCheck } from '../../config/options-check';
import { keepRows, libraryRows, type TimestampSource } from '../library-rows';
import { type BuilderRows, type Dialect, type Row, unchanged } from '../rows';
import { setPool } from '../sql/mysql-rows';
import { beginSavepoint, inSavepoint } from '../sql/savepoint';
import { readTableName, tableNameFor } from './arguments';

/** The methods of Kysely, or of a Kysely transaction, that `kyselyRows` calls. */
export interface KyselyLike {
  selectFrom(table: never): unknown;
  updateTable(table: never): unknown;
  insertInto(table: never): unknown;
  deleteFrom(table: never): unknown;
  transaction(): unknown;
}

/**
 * Accesses a table through Kysely, for `rowStore`. Columns have the names that your queries use, in camelCase
 * with `CamelCasePlugin`.
 *
 * ```ts
 * const notes = rowStore({
 *   ...kyselyRows(db, 'notes'),
 *   columns: { title: 'string' },
 *   key: 'slug',
 * });
 * ```
 *
 * @param db - a `Kysely`, or the `trx` of a transaction
 * @param table - as `db.selectFrom` takes it: `'notes'`, `'app.notes'`
 * @throws ConfigurationError if `db` is not a Kysely instance
 * @throws TypeError if its dialect is not supported
 */
export function kyselyRows(db: KyselyLike, table: string): BuilderRows {
  return keptRows(db, table);
}

const keptRows = keepRows((db: KyselyLike, table: string) => {
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
  // Kysely's types describe one database; rowStore itself checks the names of columns.
  const tables = db as unknown as Tables;
  return createRows(tables, table, readDialect(tables, table));
});

function createRows(tables: Tables, table: string, dialect: Dialect): BuilderRows {
  const origin = {
    // In a transaction of the app, a savepoint has the same handle.
    handle: tables.isTransaction === true ? undefined : tables,
    joins: tables.isTransaction === true,
    fixMissing:
      'Write the name that your own queries return: with CamelCasePlugin, ' +
      "such as column: 'createdAt' for created_at.",
    timestamps: dialect === 'mysql' ? createTimestampSource(tables, compileQuery(tables, table)) : undefined,
  };
  const rows: BuilderRows = {
    find: (where, columns, _casts, isLocked) => {
      const query = tables.selectFrom(table).select(columns).where(each(where)).limit(1);
      return (isLocked === true && dialect === 'mysql' ? query.forUpdate() : query).execute();
    },
    update: async (where, set) =>
      countRows(await tables.updateTable(table).set(set).where(each(where)).execute()),
    insert: (row) => tables.insertInto(table).values(row).execute(),
    delete: async (where) => countRows(await tables.deleteFrom(table).where(each(where)).execute()),
    transaction: (run) => inTransaction(tables, dialect, (trx) => run(createRows(trx, table, dialect), trx)),
    dialect,
  };
  if (dialect === 'sqlite') return libraryRows(origin, rows);
  const locking = (where: Row) => tables.selectFrom(table).select(Object.keys(where)).where(each(where));
  if (dialect === 'mysql')
    return libraryRows(origin, { ...rows, lock: (where) => locking(where).forUpdate().execute() });
  return libraryRows(origin, {
    ...rows,
    lock: (where) => locking(where).forNoKeyUpdate().execute(),
    updateReturning: (where, set, columns) => {
      const toReferences = ({ ref }: ExpressionBuilder): Row =>
        Object.fromEntries(
          Object.entries(set).map(([name, value]) => [name, value === unchanged ? ref(name) : value]),
        );
      return tables.updateTable(table).set(toReferences).where(each(where)).returning(columns).execute();
    },
  });
}

/** Runs a transaction, or a savepoint if this Kysely is in a transaction of the app. */
async function inTransaction(
  db: Tables,
  dialect: Dialect,
  act: (trx: Tables) => Promise<void>,
): Promise<void> {
  if (db.isTransaction !== true) {
    const builder = db.transaction();
    await (dialect === 'mysql' ? builder.setIsolationLevel('read committed') : builder).execute(act);
    return;
  }
  await sendText(db, beginSavepoint);
  await inSavepoint(
    (text) => sendText(db, text),
    () => act(db),
  );
}

/** Sends SQL in an object like the one that CompiledQuery.raw() of Kysely returns. */
function sendText(
  db: Pick<Tables, 'executeQuery'>,
  sql: string,
  parameters: readonly unknown[] = [],
): Awaitable<{ rows: unknown }> {
  const query = { kind: 'RawNode', sqlFragments: [sql], parameters: [] };
  return db.executeQuery({ sql, parameters, query, queryId: { queryId: 'patch-options' } });
}

function createTimestampSource(db: Tables, select: string): TimestampSource | undefined {
  const table = readTableName(select);
  if (table === undefined || !hasMethods(db, ['executeQuery'])) return undefined;
  const ask: TimestampSource['ask'] = async ({ text, values }) => (await sendText(db, text, values)).rows;
  return { table, ask, fix: setPool };
}

const methods = ['selectFrom', 'updateTable', 'insertInto', 'deleteFrom'] as const;

type Tables = Readonly<Record<(typeof methods)[number], (table: string) => Query>> & {
  readonly isTransaction?: boolean;
  transaction(): TransactionBuilder;
  executeQuery(query: object): Awaitable<{ rows: unknown }>;
};

interface TransactionBuilder {
  setIsolationLevel(level: string): TransactionBuilder;
  execute(act: (trx: Tables) => Promise<void>): Promise<void>;
}

interface ExpressionBuilder {
  readonly ref: (column: string) => object;
}

interface Query {
  select(columns: readonly string[]): Query;
  selectAll(): Query;
  forUpdate(): Query;
  forNoKeyUpdate(): Query;
  set(set: Row | ((builder: ExpressionBuilder) => Row)): Query;
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

/** The condition that each column has its value, or `IS NULL` for null. */
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

/** The generated SQL reveals the database, even for third-party dialects, and with minified class names. */
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
