import { onConnection } from './mysql-transaction';
import type { Row, Rows } from '../rows';
import { isPool, type MysqlConnection, runMysql } from './mysql-connection';
import type { Statement, TableStatements } from './statement';

/**
 * The rows of a table over mysql2. MySQL has no RETURNING, so rowStore reads the row again after a write.
 *
 * @param ready - is called before each statement, and rejects if the session does not serve
 * @param check - throws if the result of a write shows that it does not serve
 */
export function mysqlRows(
  db: MysqlConnection,
  statements: TableStatements,
  ready: () => Promise<void>,
  check: (result: unknown) => void = () => undefined,
): Required<Omit<Rows, 'columnNames'>> {
  // Over a pool too, a write runs on a connection, which can close what it has prepared.
  const write = async (statement: Statement): Promise<unknown> => {
    await ready();
    const result = isPool(db)
      ? await onConnection(db, (connection) => runMysql(connection, statement))
      : await runMysql(db, statement);
    check(result);
    return Reflect.get(Object(result) as object, 'affectedRows');
  };
  return {
    find: async (where, columns) => {
      await ready();
      const rows = await runMysql(db, statements.select(where, columns));
      return (rows as Row[]).map((row) => keyAsText(row, where));
    },
    update: (where, set) => write(statements.update(where, set)),
    insert: (row) => write(statements.insert(row)),
    delete: (where) => write(statements.delete(where)),
    dialect: 'mysql',
    returning: false,
  };
}

/** A key column that distinguishes all keys is a VARBINARY, which the driver returns as bytes. */
function keyAsText(row: Row, where: Row): Row {
  const bytes = Object.keys(where).filter(
    (name) => typeof where[name] === 'string' && Buffer.isBuffer(row[name]),
  );
  return { ...row, ...Object.fromEntries(bytes.map((name) => [name, String(row[name])])) };
}
