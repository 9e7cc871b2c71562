import { typed } from '../../config/expectation';
import { hasMethods, isFunction } from '../../config/object';
import { OptionsCheck } from '../../config/options-check';
import { keepRows, libraryRows, type TimestampSource } from '../library-rows';
import { type BuilderRows, type Dialect, type Row, unchanged } from '../rows';
import { readExactly } from '../sql/mysql-rows';
import { readTableName, tableNameFor } from './arguments';

/** The methods of a Knex query that `knexRows` calls. */
export interface KnexQuery extends PromiseLike<unknown> {
  where(where: Row): KnexQuery;
  options(options: Row): KnexQuery;
  select(columns: readonly string[]): KnexQuery;
  first(columns: readonly string[]): PromiseLike<unknown>;
  forUpdate(): KnexQuery;
  forNoKeyUpdate(): KnexQuery;
  update(set: Row, returning?: readonly string[]): PromiseLike<unknown>;
  insert(row: Row, returning?: readonly string[]): PromiseLike<unknown>;
  delete(): PromiseLike<unknown>;
  toString(): string;
}

/** Knex, or a Knex transaction. */
export interface KnexLike {
  (table: string): KnexQuery;
  readonly client: unknown;
  readonly isTransaction?: boolean;
  ref(column: string): unknown;
  transaction(act: never, config?: never): PromiseLike<unknown>;
}

/**
 * Accesses a table through Knex, for `rowStore`, on PostgreSQL, MySQL, MariaDB or SQLite. Columns have their
 * names in the database.
 *
 * ```ts
 * const notes = rowStore({
 *   ...knexRows(knex, 'notes'),
 *   columns: { title: 'string' },
 *   key: 'slug',
 * });
 * ```
 *
 * @throws ConfigurationError
 * @throws TypeError if its dialect is not supported
 */
export function knexRows(knex: KnexLike, table: string): BuilderRows {
  return keptRows(knex, table);
}

const keptRows = keepRows((knex: KnexLike, table: string) => {
  const check = new OptionsCheck('knexRows()');
  check.value('knex', knex, aKnex);
  check.value('table', table, tableNameFor('knexRows(knex'));
  check.done();
  return createRows(knex, table, readDialect(knex));
});

function createRows(knex: KnexLike, table: string, dialect: Dialect): BuilderRows {
  const origin = {
    handle: knex,
    joins: knex.isTransaction === true,
    fixMissing:
      'Write the name that your own queries return: with knexSnakeCaseMappers() of objection, or a ' +
      "postProcessResponse of your own, such as column: 'createdAt' for created_at.",
    get timestamps() {
      return dialect === 'mysql' ? createTimestampSource(knex, knex(table)) : undefined;
    },
  };
  const rows: BuilderRows = {
    find: (where, columns, _casts, isLocked) => {
      const query = knex(table).options(exactly[dialect]).where(where);
      return (isLocked === true && dialect === 'mysql' ? query.forUpdate() : query).first(columns);
    },
    update: (where, set) => knex(table).where(where).update(set),
    insert: (row) => knex(table).insert(row),
    delete: (where) => knex(table).where(where).delete(),
    // If this handle is a transaction of the app, the new one is a savepoint in it, which has no isolation
    // level.
    transaction: (run) => {
      const isOwn = dialect === 'mysql' && knex.isTransaction !== true;
      const act = (trx: KnexLike) => run(createRows(trx, table, dialect), trx);
      const config = isOwn ? { isolationLevel: 'read committed' } : undefined;
      return knex.transaction(act as never, config as never);
    },
    dialect,
  };
  if (dialect === 'sqlite') return libraryRows(origin, rows);
  const locking = (where: Row) => knex(table).where(where).select(Object.keys(where));
  if (dialect === 'mysql')
    return libraryRows(origin, { ...rows, lock: (where) => locking(where).forUpdate() });
  const toReferences = (set: Row): Row =>
    Object.fromEntries(
      Object.entries(set).map(([name, value]) => [name, value === unchanged ? knex.ref(name) : value]),
    );
  return libraryRows(origin, {
    ...rows,
    lock: (where) => locking(where).forNoKeyUpdate(),
    updateReturning: (where, set, columns) => knex(table).where(where).update(toReferences(set), columns),
  });
}

/**
 * Casts for drivers that would otherwise round integers beyond 2^53, or parse JSON that is parsed again here.
 */
const exactly: Readonly<Record<Dialect, Row>> = {
  postgres: {},
  mysql: { supportBigNumbers: true, typeCast: readExactly },
  sqlite: { safeIntegers: true },
};

/** Asks through a derived table, whose rows Knex reads like rows of a table, unlike the result of raw(). */
function createTimestampSource(knex: KnexLike, query: KnexQuery): TimestampSource | undefined {
  const table = readTableName(String(query));
  if (table === undefined || !hasMethods(knex, ['raw'])) return undefined;
  const raw = (sql: string, values: readonly unknown[]): unknown =>
    Reflect.apply(Reflect.get(knex, 'raw') as () => unknown, knex, [sql, values]);
  return {
    table,
    ask: ({ text, values }) => knex(raw(`(${text}) AS timestamps`, values) as string).options(exactly.mysql),
    fix:
      "Set both to UTC: timezone: 'Z' in connection, and pool: { afterCreate: (connection, done) => " +
      'connection.query("SET time_zone = \'+00:00\'", (error) => done(error, connection)) }.',
  };
}

function readDialect({ client }: KnexLike): Dialect {
  const dialect = String((Object(client) as { readonly dialect?: unknown }).dialect);
  if (/^(postgres|cockroach)/.test(dialect)) return 'postgres';
  if (dialect.includes('sqlite')) return 'sqlite';
  if (dialect === 'mysql') return 'mysql'; // mysql2 too
  throw new TypeError(
    `knexRows() does not know the dialect ${JSON.stringify(dialect)} of Knex. ` +
      'Write the four functions of Rows yourself.',
  );
}

const aKnex = typed(
  isFunction,
  'Pass the function that knex({ client, connection }) returns, or the trx of a transaction.',
  'is not a Knex instance',
);
