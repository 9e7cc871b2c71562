import { isObject } from '../../config/object';
import { retry } from '../../stores/contract/retry';
import { readMeaning } from '../../stores/engine-error';
import { assertNoTransaction, isBusy, transaction, within } from '../../stores/sql/sqlite-handle';
import { libraryRows } from '../library-rows';
import { GeneratedColumnError } from '../refusals';
import type { BuilderRows, Row } from '../rows';
import { fixMissing, type Statement, type TableName, TableStatements } from './statement';

/** An open database of `node:sqlite`, better-sqlite3 or a driver with the same interface. */
export interface SqliteConnection {
  exec(sql: string): unknown;
  prepare(sql: string): { all(...parameters: never[]): unknown[]; run(...parameters: never[]): object };
}

export function isSqlite(db: unknown): db is SqliteConnection {
  const has = (name: string) => isObject(db) && typeof Reflect.get(db, name) === 'function';
  return has('prepare') && !(has('execute') && has('query'));
}

/** How many statements stay prepared: one for each set of columns that are written together. */
const maxPrepared = 100;

/**
 * All requests share the handle, so nothing is awaited within a transaction, because a statement of another
 * request would get into it. A write waits for an open transaction of the app, whose ROLLBACK would undo an
 * acknowledged write.
 */
export function sqliteRows(db: SqliteConnection, name: TableName): BuilderRows {
  const origin = { handle: undefined, fixMissing };
  const inside = libraryRows(origin, statementsOn(db, name));
  return libraryRows(origin, {
    ...inside,
    find: (...args) =>
      retry(() => {
        assertNoTransaction(db);
        return inside.find(...args);
      }, isBusy),
    transactionSync: (run) => {
      assertNoTransaction(db);
      within(db, transaction, () => {
        run(inside, db);
        return true;
      });
    },
  });
}

function statementsOn(db: SqliteConnection, name: TableName): BuilderRows {
  const statements = new TableStatements(name, 'sqlite');
  const prepared = new Map<string, ReturnType<SqliteConnection['prepare']>>();
  const prepare = (text: string) => {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    const statement = db.prepare(text);
    readBigInts(statement);
    if (prepared.size >= maxPrepared) prepared.clear();
    prepared.set(text, statement);
    return statement;
  };
  const all = ({ text, values }: Statement) => prepare(text).all(...(values.map(toParameter) as never[]));
  const run = ({ text, values }: Statement) =>
    Number(Reflect.get(prepare(text).run(...(values.map(toParameter) as never[])), 'changes'));
  /** SQLite has no special error code for a write to a generated column. */
  const refuseGenerated = (set: Row, statement: Statement): unknown => {
    try {
      return run(statement);
    } catch (error) {
      if (readMeaning(error) !== 'table') throw error;
      const { schema, table } = name;
      const parameters = schema === undefined ? [table] : [table, schema];
      const list = `SELECT name FROM pragma_table_xinfo(${parameters.map(() => '?').join()}) WHERE hidden > 1`;
      const generated = (all({ text: list, values: parameters }) as { name: string }[]).map(
        (row) => row.name,
      );
      const written = Object.keys(set).find((column) => generated.includes(column));
      throw written === undefined ? error : new GeneratedColumnError([written], [], error);
    }
  };
  return {
    find: (where, columns) => all(statements.select(where, columns)),
    update: (where, set) => refuseGenerated(set, statements.update(where, set)),
    insert: (row) => refuseGenerated(row, statements.insert(row)),
    delete: (where) => run(statements.delete(where)),
    dialect: 'sqlite',
  };
}

/** better-sqlite3 would round integers over 2^53, and node:sqlite would throw. */
function readBigInts(statement: object): void {
  for (const name of ['safeIntegers', 'setReadBigInts']) {
    const method: unknown = Reflect.get(statement, name);
    if (typeof method === 'function') Reflect.apply(method, statement, [true]);
  }
}

/** better-sqlite3 and node:sqlite accept neither booleans nor dates. */
function toParameter(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  return value instanceof Date ? value.toISOString() : value;
}
