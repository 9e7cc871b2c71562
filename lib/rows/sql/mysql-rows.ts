import { assertAutocommit, isInTransaction } from './autocommit';
import { onConnection } from './mysql-transaction';
import type { BuilderRows, Row } from '../rows';
import { isPool, type MysqlConnection, runMysql } from './mysql-connection';
import { assertCharset, assertSession } from './mysql-session';
import { noTransaction, savepoint } from './savepoint';
import { type Statement, type TableName, TableStatements } from './statement';

/** The rows of a table over mysql2. */
export function mysqlRows(db: MysqlConnection, name: TableName): BuilderRows {
  const ready = () => (isPool(db) ? assertSession(db) : assertCharset(db));
  const statements = new TableStatements(name, 'mysql');
  const read = async (statement: Statement) => {
    await ready();
    return (await runMysql(db, statement)) as Row[];
  };
  const write = async (statement: Statement): Promise<unknown> => {
    const result = await runMysql(db, statement);
    assertAutocommit(result);
    return Reflect.get(Object(result) as object, 'affectedRows');
  };
  return {
    find: async (where, columns) =>
      (await read(statements.select(where, columns))).map((row) => keyAsText(row, where)),
    lock: (where) => read(statements.lock(where)),
    update: (where, set) => write(statements.update(where, set)),
    insert: (row) => write(statements.insert(row)),
    delete: (where) => write(statements.delete(where)),
    transaction: async (run) => {
      await ready();
      const act = (connection: MysqlConnection) => run(mysqlRows(connection, name), connection);
      if (!isPool(db)) return inSavepoint(db, act);
      return onConnection(db, async (connection) => {
        // At REPEATABLE READ, a row that is not there locks its neighbours, and a read shows what was committed before.
        await connection.query('SET TRANSACTION ISOLATION LEVEL READ COMMITTED');
        await connection.beginTransaction();
        await act(connection);
        await connection.commit();
      });
    },
    dialect: 'mysql',
  };
}

/** The app has begun a transaction on the connection, and ends it. */
async function inSavepoint(
  db: MysqlConnection,
  act: (connection: MysqlConnection) => Promise<void>,
): Promise<void> {
  const send = (text: string) => runMysql(db, { text, values: [] });
  if (!isInTransaction(await send(savepoint.begin))) throw noTransaction('mysql2', 'createPool(…)');
  try {
    await act(db);
    await send(savepoint.done);
  } catch (error) {
    await send(savepoint.undo);
    throw error;
  }
}

/** A key column that distinguishes all keys is a VARBINARY, which the driver returns as bytes. */
function keyAsText(row: Row, where: Row): Row {
  const bytes = Object.keys(where).filter(
    (name) => typeof where[name] === 'string' && Buffer.isBuffer(row[name]),
  );
  return { ...row, ...Object.fromEntries(bytes.map((name) => [name, String(row[name])])) };
}
