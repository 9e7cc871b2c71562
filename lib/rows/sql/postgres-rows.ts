import { hasMethods, isObject } from '../../config/object';
import { isTimeout } from '../in-transaction';
import { libraryRows } from '../library-rows';
import type { BuilderRows } from '../rows';
import { beginSavepoint, inSavepoint, noTransaction } from './savepoint';
import { fixMissing, returning, type Statement, type TableName, TableStatements } from './statement';

/** A `Pool` of pg, one of its clients in a transaction, or a PGlite database. */
export interface PostgresConnection {
  /** `rowCount` (pg) or `affectedRows` (PGlite) is the number of rows that a write matched. */
  query(
    text: string,
    values: unknown[],
  ): PromiseLike<{ rows: unknown[]; rowCount?: number | null; affectedRows?: number }>;
}

/** Connections to other engines also have a method `query`, but connections to MySQL can escape names. */
export function isPostgres(db: unknown): db is PostgresConnection {
  return (
    isObject(db) &&
    typeof Reflect.get(db, 'query') === 'function' &&
    Reflect.get(db, 'escapeId') === undefined
  );
}

type Pool = PostgresConnection & {
  connect(): Promise<PostgresConnection & { release(destroy?: boolean): void }>;
};

/** A Client of pg also has `connect`, but can escape literals, which a Pool cannot. */
function isPostgresPool(db: object): db is Pool {
  return hasMethods(db, ['connect']) && !hasMethods(db, ['escapeLiteral']);
}

type Pglite = PostgresConnection & {
  transaction(act: (tx: PostgresConnection) => Promise<void>): Promise<unknown>;
};

function isPglite(db: object): db is Pglite {
  return hasMethods(db, ['transaction']);
}

export function postgresRows(db: PostgresConnection, name: TableName): BuilderRows {
  const statements = new TableStatements(name, 'postgres');
  const run = async ({ text, values }: Statement) => db.query(text, [...values]);
  const count = async (statement: Statement): Promise<unknown> => {
    const { rowCount, affectedRows } = await run(statement);
    return rowCount ?? affectedRows;
  };
  // A transaction runs on a client of the pool. A single connection stays the same in it.
  const handle = isPostgresPool(db) ? db : undefined;
  const origin = { handle, joins: handle === undefined && !isPglite(db), fixMissing };
  return libraryRows(origin, {
    find: async (where, columns, casts) => (await run(statements.select(where, columns, casts))).rows,
    lock: async (where) => (await run(statements.lock(where))).rows,
    update: (where, set) => count(statements.update(where, set)),
    updateReturning: async (where, set, columns, casts) =>
      (await run(returning(statements.update(where, set), columns, casts))).rows,
    insert: (row) => count(statements.insert(row)),
    delete: (where) => count(statements.delete(where)),
    transaction: (write) => within(db, (client) => write(postgresRows(client, name), client)),
    dialect: 'postgres',
  });
}

async function within(db: PostgresConnection, act: (client: PostgresConnection) => Promise<void>) {
  if (isPglite(db)) await db.transaction(act);
  else if (isPostgresPool(db)) await onPool(db, act);
  else await onClient(db, act);
}

async function onPool(pool: Pool, act: (client: PostgresConnection) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  let isOver = false;
  try {
    await client.query('BEGIN', []);
    await act(client);
    await client.query('COMMIT', []);
    isOver = true;
  } catch (error) {
    if (!isTimeout(error))
      await Promise.resolve(client.query('ROLLBACK', [])).then(
        () => (isOver = true),
        () => undefined,
      );
    throw error;
  } finally {
    // A connection whose transaction may still be open must not return to the pool.
    client.release(!isOver);
  }
}

/** The app has begun a transaction on the connection, and ends it. */
async function onClient(
  client: PostgresConnection,
  act: (client: PostgresConnection) => Promise<void>,
): Promise<void> {
  try {
    await client.query(beginSavepoint, []);
  } catch (error) {
    const isOutside = String((Object(error) as { readonly code?: unknown }).code) === noActiveTransaction;
    throw isOutside ? noTransaction('pg', 'new Pool()', error) : error;
  }
  await inSavepoint(
    (text) => client.query(text, []),
    () => act(client),
  );
}

/** no_active_sql_transaction */
const noActiveTransaction = '25P01';
