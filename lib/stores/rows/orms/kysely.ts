import { OptionsCheck } from '../../../configuration';
import type { Dialect, Row, Rows } from '../rows';
import { hasMethods, isName } from './given';

/** Kysely, or a transaction of it, in what is asked of it. */
export interface KyselyLike {
  selectFrom(table: never): unknown;
  updateTable(table: never): unknown;
  insertInto(table: never): unknown;
  deleteFrom(table: never): unknown;
}

/**
 * A table through Kysely. Columns have the names that your queries use: with `CamelCasePlugin`, those in camelCase.
 *
 * ```ts
 * const notes = rowStore({ ...kyselyRows(db, 'notes'), columns: { title: 'string' }, key: 'slug', version: 'version' });
 * ```
 *
 * @param db - a `Kysely`, or the `trx` of a transaction
 * @param table - as `db.selectFrom` takes it: `'notes'`, `'app.notes'`
 * @throws ConfigurationError where `db` is not Kysely
 * @throws TypeError where its dialect is not supported
 */
export function kyselyRows(db: KyselyLike, table: string): Required<Rows> {
  const check = new OptionsCheck('kyselyRows()');
  if (!hasMethods(db, methods)) {
    check.mistake('db', db, {
      code: 'option-type',
      reason: 'is not a Kysely instance',
      fix: 'Give new Kysely({ dialect }), or the trx of a transaction.',
    });
  }
  if (!isName(table)) {
    check.mistake('table', table, {
      code: 'option-type',
      reason: 'must be a table name',
      fix: "Name the table, as in kyselyRows(db, 'notes').",
    });
  }
  check.done();
  // The types of its columns are made for each database: what they are called is for rowStore to say.
  const tables = db as unknown as Tables;
  const dialect = dialectOf(tables, table);
  // What SQLite returns was made before AFTER triggers ran: there the row is read again, as where nothing is returned.
  const sent = (query: Query, columns: readonly string[]) =>
    (dialect === 'postgres' ? query.returning(columns) : query).execute();
  return {
    find: (where, columns) => tables.selectFrom(table).select(columns).where(each(where)).limit(1).execute(),
    update: (where, set, columns) => sent(tables.updateTable(table).set(set).where(each(where)), columns),
    insert: (row, columns) => sent(tables.insertInto(table).values(row), columns),
    delete: (where) => tables.deleteFrom(table).where(each(where)).execute(),
    dialect,
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

/** Equal, or `IS NULL` for null. */
function each(where: Row): (builder: { and(where: Row): object }) => object {
  return (builder) => builder.and(where);
}

/** The SQL that Kysely writes tells the database, also of dialects by others, and where class names are minified. */
function dialectOf(tables: Tables, table: string): Dialect {
  const { sql } = tables.selectFrom(table).selectAll().limit(1).compile();
  if (sql.endsWith('$1')) return 'postgres';
  if (sql.startsWith('select * from `')) return 'mysql';
  if (sql.startsWith('select * from "') && sql.endsWith('?')) return 'sqlite';
  throw new TypeError(
    `kyselyRows() does not support the dialect in which Kysely writes ${JSON.stringify(sql)}. Write the four functions of Rows yourself.`,
  );
}
