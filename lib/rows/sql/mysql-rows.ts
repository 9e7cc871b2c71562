import { isObject } from '../../config/object';
import { isTimeout } from '../in-transaction';
import { libraryRows } from '../library-rows';
import type { BuilderRows, Row } from '../rows';
import { beginSavepoint, inSavepoint, noTransaction } from './savepoint';
import { fixMissing, type Statement, type TableName, TableStatements } from './statement';

/** A `Pool` of mysql2/promise, or one of its connections in a transaction. */
export interface MysqlConnection {
  execute(statement: MysqlStatement): PromiseLike<readonly [unknown, unknown]>;
}

/** A `Pool` or a connection of mysql2 with callbacks; its `promise()` returns one with promises. */
export interface MysqlCallbackConnection {
  promise(): MysqlConnection;
}

/** A column that mysql2 passes to `typeCast`. */
interface MysqlField {
  readonly type: string;
  readonly extendedFormat?: string;
  string(encoding?: string): string | null;
}

/**
 * A prepared statement for mysql2. Values are sent apart from the SQL, so it does not matter what a backslash
 * means in the sql_mode.
 */
interface MysqlStatement {
  sql: string;
  values: never[];
  rowsAsArray: boolean;
  nestTables: boolean;
  supportBigNumbers: boolean;
  typeCast: (field: MysqlField, next: () => unknown) => unknown;
}

export function isMysql(db: unknown): db is MysqlConnection | MysqlCallbackConnection {
  return isMysql2(db, ['execute', 'query']);
}

/**
 * Whether this is a pool or connection of mysql2. Pools and connections of npm mariadb have methods with the
 * same names, but other parameters and results.
 */
function isMysql2(value: unknown, methods: readonly string[]): value is object {
  const has = (name: string) => isObject(value) && typeof Reflect.get(value, name) === 'function';
  return methods.every(has) && !['batch', 'importFile'].some(has);
}

/** The pool or connection with promises, for one that may have callbacks. */
export function toPromiseClient<D extends object>(db: D | { promise(): D }): D {
  return 'promise' in db && typeof db.promise === 'function' ? db.promise() : (db as D);
}

/** The rows of a table over mysql2. */
export function mysqlRows(db: MysqlConnection, name: TableName): BuilderRows {
  const ready = () => (isPool(db) ? assertSession(db) : assertCharset(db));
  const statements = new TableStatements(name, 'mysql');
  const read = async (statement: Statement) => {
    await ready();
    return (await runMysql(db, statement)) as Row[];
  };
  const write = async (statement: Statement): Promise<unknown> => {
    return Reflect.get(Object(await runMysql(db, statement)) as object, 'affectedRows');
  };
  // A transaction runs on a connection of the pool. A single connection stays the same in it.
  const handle = isPool(db) ? findClient(db) : undefined;
  const ask = (statement: Statement) => runMysql(db, statement);
  const timestamps = { table: name, ask, fix: setPool };
  return libraryRows(
    { handle, joins: handle === undefined, fixMissing, timestamps },
    {
      find: async (where, columns, _casts, isLocked) =>
        (await read(statements.select(where, columns, undefined, isLocked))).map((row) =>
          keyAsText(row, where),
        ),
      lock: (where) => read(statements.lock(where)),
      update: (where, set) => write(statements.update(where, set)),
      insert: (row) => write(statements.insert(row)),
      delete: (where) => write(statements.delete(where)),
      transaction: async (run) => {
        await ready();
        const act = (connection: MysqlConnection) => run(mysqlRows(connection, name), connection);
        if (!isPool(db)) return join(db, act);
        return onConnection(db, async (connection) => {
          // At REPEATABLE READ, locking a missing row locks its neighbours, and a read shows an older state.
          const [result] = (await connection.query(
            'SET TRANSACTION ISOLATION LEVEL READ COMMITTED',
          )) as readonly unknown[];
          assertAutocommit(result);
          await connection.beginTransaction();
          await act(connection);
          await connection.commit();
        });
      },
      dialect: 'mysql',
    },
  );
}

/** How to set the sessions of a mysql2 pool to UTC. */
export const setSession = `pool.on('connection', (connection) => connection.query("SET time_zone = '+00:00'"))`;

/** How to set mysql2 and the sessions of its pool to UTC, as a sentence. */
export const setPool = `Set both to UTC: timezone: 'Z' in createPool() of mysql2, and ${setSession}.`;

function isPool(
  db: MysqlConnection,
): db is MysqlConnection & ConnectionPool<MysqlConnection & TransactionConnection> {
  return typeof Reflect.get(db, 'getConnection') === 'function';
}

/** The pool or connection itself, for which mysql2 makes a new object with promises each time. */
function findClient(db: MysqlConnection): object {
  const clients = ['connection', 'pool'].map((name): unknown => Reflect.get(db, name));
  return clients.find(isObject) ?? db;
}

/** A key column that distinguishes all keys can be a VARBINARY, which the driver returns as bytes. */
function keyAsText(row: Row, where: Row): Row {
  const bytes = Object.keys(where).filter(
    (name) => typeof where[name] === 'string' && Buffer.isBuffer(row[name]),
  );
  return { ...row, ...Object.fromEntries(bytes.map((name) => [name, String(row[name])])) };
}

/**
 * A connection without autocommit keeps reading the state of its first read.
 *
 * @throws CharsetError, AutocommitError
 */
async function assertSession(db: MysqlConnection): Promise<void> {
  if (await readSession(db)) throw new AutocommitError();
}

/** @throws CharsetError */
async function assertCharset(db: MysqlConnection): Promise<void> {
  await readSession(db);
}

/** Whether the server has reported that autocommit is off in a session. */
const sessions = new WeakMap<object, Promise<boolean>>();

/** Asks a connection, or a connection of a pool, once, and again only after an error. */
function readSession(db: MysqlConnection): Promise<boolean> {
  const client = findClient(db);
  const known = sessions.get(client);
  if (known !== undefined) return known;
  const asking = askSession(db);
  sessions.set(client, asking);
  asking.catch(() => sessions.delete(client));
  return asking;
}

const question = {
  text:
    'SELECT @@character_set_client AS client, @@character_set_connection AS connection, ' +
    '@@character_set_results AS results, @@autocommit AS autocommit',
  values: [],
};

/**
 * The server first converts text from the character set `client` to `connection`, which
 * `SET CHARACTER SET utf8mb4` sets to the character set of the database. Without `character_set_results`
 * nothing is converted, and the driver decodes each column by its own character set.
 */
async function askSession(db: MysqlConnection): Promise<boolean> {
  const [row] = (await runMysql(db, question)) as readonly unknown[];
  const { client, connection, results, autocommit } = Object(row) as Record<string, unknown>;
  const other = [client, connection, results].find(isOtherCharset);
  if (other !== undefined) throw new CharsetError(other);
  return autocommit !== undefined && Number(autocommit) === 0;
}

function isOtherCharset(charset: unknown): charset is string {
  return typeof charset === 'string' && charset !== 'utf8mb4';
}

/**
 * A connection of mysql2 has a character set in which keys and values lose characters. Set `charset: 'utf8mb4'` in
 * `createPool()`, and send neither `SET NAMES` nor `SET CHARACTER SET`.
 */
export class CharsetError extends Error {
  override readonly name = 'CharsetError';
  readonly code = 'PATCH_OPTIONS_CHARSET';

  /** @param charset - of the connection, such as `'latin1'` */
  constructor(charset: string) {
    super(
      `The character set of the connection is ${charset}, in which keys and values lose characters. ` +
        `Set charset: 'utf8mb4' in createPool() of mysql2, and send neither SET NAMES nor SET CHARACTER SET.`,
    );
  }
}

/**
 * Autocommit is off over a pool of mysql2, so reads would be stale. Give the store a pool of its own, with
 * autocommit on.
 */
export class AutocommitError extends Error {
  override readonly name = 'AutocommitError';
  readonly code = 'PATCH_OPTIONS_AUTOCOMMIT';

  constructor() {
    super(
      'The connection has autocommit off, so it would keep reading the state of its first read. ' +
        'Give the store a pool of its own, with autocommit on.',
    );
  }
}

/** The app has begun a transaction on the connection, and ends it. */
async function join(db: MysqlConnection, act: (connection: MysqlConnection) => Promise<void>): Promise<void> {
  const send = (text: string) => runMysql(db, { text, values: [] });
  if (!isInTransaction(await send(beginSavepoint))) throw noTransaction('mysql2', 'createPool(…)');
  await inSavepoint(send, () => act(db));
}

/**
 * Whether the app has a transaction open on the connection, or autocommit off, according to the result of a
 * statement.
 */
function isInTransaction(result: unknown): boolean {
  return hasStatus(result, inTransaction) !== false || hasStatus(result, autocommit) === false;
}

/**
 * A connection without autocommit keeps reading the state of its first read.
 *
 * @param result - the result of a statement of mysql2 that reads no rows
 * @throws AutocommitError
 */
export function assertAutocommit(result: unknown): void {
  if (hasStatus(result, autocommit) === false) throw new AutocommitError();
}

/** Flags of the protocol: SERVER_STATUS_IN_TRANS, SERVER_STATUS_AUTOCOMMIT. */
const [inTransaction, autocommit] = [1, 2];

/** Whether the status in the result has the flag; undefined if it has no status. */
function hasStatus(result: unknown, flag: number): boolean | undefined {
  const { serverStatus } = Object(result) as { readonly serverStatus?: unknown };
  return typeof serverStatus === 'number' ? (serverStatus & flag) !== 0 : undefined;
}

/** The methods of a pooled mysql2 connection that a transaction calls. */
interface TransactionConnection {
  query(sql: string): PromiseLike<unknown>;
  beginTransaction(): PromiseLike<void>;
  commit(): PromiseLike<void>;
  rollback(): PromiseLike<void>;
  release(): void;
  destroy(): void;
}

/** A pool of such connections. */
interface ConnectionPool<C extends TransactionConnection> {
  getConnection(): PromiseLike<C>;
}

/**
 * Runs `act` on one connection. If it throws, a transaction that is open on the connection is rolled back.
 */
async function onConnection<C extends TransactionConnection, R>(
  pool: ConnectionPool<C>,
  act: (connection: C) => Promise<R>,
): Promise<R> {
  const connection = await pool.getConnection();
  try {
    const result = await act(connection);
    connection.release();
    return result;
  } catch (error) {
    await giveBack(connection, error);
    throw error;
  }
}

/**
 * A connection whose transaction may still be open must not return to the pool. A connection to a server that
 * has become a replica is closed, as pools of mysql2 do, because the next one may lead to the new primary.
 */
async function giveBack(connection: TransactionConnection, error: unknown): Promise<void> {
  if (isTimeout(error)) {
    connection.destroy();
    return;
  }
  try {
    await connection.rollback();
    if (isReadOnly(error)) connection.destroy();
    else connection.release();
  } catch {
    connection.destroy();
  }
}

/**
 * ER_OPTION_PREVENTS_STATEMENT, as under read_only, ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION,
 * ER_READ_ONLY_MODE
 */
function isReadOnly(error: unknown): boolean {
  return [1290, 1792, 1836].includes(Number((Object(error) as { errno?: unknown }).errno));
}

/** The rows of a SELECT, or the result of a write. */
export async function runMysql(
  db: MysqlConnection,
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
): Promise<unknown> {
  try {
    const [result] = await db.execute({
      sql: text,
      values: [...values] as never[],
      ...shape,
      supportBigNumbers: true,
      typeCast: readExactly,
    });
    return result;
  } finally {
    closeOldest(db, text);
  }
}

/**
 * Reads a column independently of the pool's configuration: exact numbers and JSON as text. MySQL sends JSON
 * as UTF-8, which mysql2 takes for bytes; MariaDB sends it as text in the character set of the connection.
 * Dates are left to the pool, because the app reads and writes them in its time zone.
 */
export function readExactly(field: MysqlField, next: () => unknown): unknown {
  const isExact = field.type === 'NEWDECIMAL' || field.type === 'DECIMAL';
  const isJson = field.type === 'JSON' || field.extendedFormat === 'json';
  return isExact || isJson ? field.string(field.type === 'JSON' ? 'utf8' : undefined) : next();
}

/** The form of the rows, which is also part of the key by which mysql2 finds a prepared statement. */
const shape = { rowsAsArray: false, nestTables: false };

/**
 * How many statements stay prepared on a connection: one for each set of columns that are written together. A
 * server has room for 16,382 of all clients (max_prepared_stmt_count).
 */
const maxPrepared = 100;

const prepared = new WeakMap<object, Set<string>>();

/** Nothing is closed over a pool, where only the few statements that read are run. */
function closeOldest(db: MysqlConnection, text: string): void {
  const unprepare: unknown = Reflect.get(db, 'unprepare');
  if (typeof unprepare !== 'function') return;
  const client = findClient(db);
  const texts = prepared.get(client) ?? new Set<string>();
  prepared.set(client, texts);
  texts.delete(text);
  texts.add(text);
  const [oldest] = texts;
  if (texts.size <= maxPrepared || oldest === undefined) return;
  texts.delete(oldest);
  Reflect.apply(unprepare, db, [{ sql: oldest, ...shape }]);
}
