import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import type * as Sqlite from '@photostructure/sqlite';
import type { SqliteConnection } from '../../lib/rows/sql/sqlite-rows';
import type { SqliteHandle } from '../../lib/stores/sql/sqlite-handle';

/** `node:sqlite`, or for Node 20, which has none, the package with the same interface: neither is compiled on installation. */
const builtIn = isBuiltin('node:sqlite') ? 'node:sqlite' : '@photostructure/sqlite';

const driver = createRequire(__filename)(builtIn) as typeof Sqlite;

/** The package leaves the number of an error of `all` out, which `node:sqlite` has as `errcode`. */
class WithNumbers extends driver.DatabaseSync {
  override prepare(...parameters: Parameters<Sqlite.DatabaseSyncInstance['prepare']>) {
    const statement = super.prepare(...parameters);
    const { all } = statement;
    const value = (...values: never[]): unknown => {
      try {
        return Reflect.apply(all, statement, values);
      } catch (error) {
        const isLocked = Reflect.get(error as object, 'message') === 'database is locked';
        throw isLocked ? Object.assign(error as object, { errcode: 5 }) : error;
      }
    };
    return Object.defineProperty(statement, 'all', { value });
  }
}

export const DatabaseSync = builtIn === 'node:sqlite' ? driver.DatabaseSync : WithNumbers;
export type DatabaseSync = InstanceType<typeof Sqlite.DatabaseSync>;

/** A database as each driver opens it. */
export type OpenSqlite = SqliteConnection & SqliteHandle & { close(): unknown };

interface SqliteDriver {
  readonly driver: string;
  /** As an app opens a file: without a busy timeout, so that the store has to wait by itself. */
  readonly openFile: (file: string) => OpenSqlite;
}

/** better-sqlite3 is compiled on installation, which only `npm run better-sqlite3` does. */
function betterSqlite3(): SqliteDriver[] {
  if (process.env['BETTER_SQLITE3'] !== 'true') return [];
  const require = createRequire(join(__dirname, '../orms/package.json'));
  const Database = require('better-sqlite3') as new (file: string, options: object) => OpenSqlite;
  return [{ driver: 'better-sqlite3', openFile: (file) => new Database(file, { timeout: 0 }) }];
}

/** What the stores over SQLite are tested with. */
export const sqliteDrivers: readonly SqliteDriver[] = [
  { driver: 'node:sqlite', openFile: (file) => new DatabaseSync(file) },
  ...betterSqlite3(),
];
