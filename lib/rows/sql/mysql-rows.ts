import { assertAutocommit, isInTransaction } from './autocommit';
import { onConnection } from './mysql-transaction';
import type { BuilderRows, Row } from '../rows';
import { isPool, type MysqlConnection, runMysql } from './mysql-connection';
import { assertCharset, assertSession } from './mysql-session';
import { beginSavepoint, inSavepoint, noTransaction } from './savepoint';
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
    return Reflect.get(Object(await runMysql(db, statement)) as object, 'affectedRows');
  };
  return {
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
        // At REPEATABLE READ, a row that is not there locks its neighbours, and a read shows what was committed before.
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
  };
}

/** The app has begun a transaction on the connection, and ends it. */
async function join(db: MysqlConnection, act: (connection: MysqlConnection) => Promise<void>): Promise<void> {
  const send = (text: string) => runMysql(db, { text, values: [] });
  if (!isInTransaction(await send(beginSavepoint))) throw noTransaction('mysql2', 'createPool(…)');
  await inSavepoint(send, () => act(db));
}

/** A key column that distinguishes all keys is a VARBINARY, which the driver returns as bytes. */
function keyAsText(row: Row, where: Row): Row {
  const bytes = Object.keys(where).filter(
    (name) => typeof where[name] === 'string' && Buffer.isBuffer(row[name]),
  );
  return { ...row, ...Object.fromEntries(bytes.map((name) => [name, String(row[name])])) };
}
