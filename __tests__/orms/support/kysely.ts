import Database from 'better-sqlite3';
import { type Generated, Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely';
import { createPool } from 'mysql2';
import { Pool } from 'pg';
import { kyselyRows } from '../../../lib/rows';
import { type Isolation, naming, type Orm, type OrmUnderTest } from './orm';
import { surviving } from './surviving';

interface Tables {
  notes: {
    id: Generated<number>;
    slug: string;
    title: string;
    body: string | null;
    age: number | null;
  };
  audits: { id: Generated<number>; slug: string | null; before: string | null; after: string };
}

function openPostgresKysely(url: string): Kysely<Tables> {
  const pool = surviving(new Pool({ connectionString: url, max: 10 }));
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}

function openMariadbKysely(url: string): Kysely<Tables> {
  const exactly = { jsonStrings: true, supportBigNumbers: true };
  const pool = createPool({ uri: url, connectionLimit: 10, timezone: 'Z', ...exactly });
  return new Kysely({ dialect: new MysqlDialect({ pool }) });
}

/** Kysely has one connection there, and queues what it runs. */
function openSqliteKysely(url: string): Kysely<Tables> {
  const database = new Database(url).defaultSafeIntegers();
  return new Kysely({ dialect: new SqliteDialect({ database }) });
}

type Begun = ReturnType<Kysely<Tables>['transaction']>;

function opened(
  db: Kysely<Tables>,
  begin: (begun: Begun, isolation: Isolation) => Begun = (begun) => begun,
): Orm {
  return {
    rows: kyselyRows(db, 'notes'),
    ownTransaction: (run, isolation = 'serializable') =>
      begin(db.transaction(), isolation).execute((trx) => run(kyselyRows(trx, 'notes'), trx)),
    audit: (trx, row) => (trx as typeof db).insertInto('audits').values(row).execute(),
    readAudits: (trx, slug) =>
      (trx as typeof db).selectFrom('audits').selectAll().where('slug', '=', slug).execute(),
    ownRead: (slug) =>
      db.selectFrom('notes').select(['id', 'age']).where('slug', '=', slug).executeTakeFirstOrThrow(),
    ownWrite: (id, set) => db.updateTable('notes').set(set).where('id', '=', id).execute(),
    ownIncrement: (slug) =>
      db
        .updateTable('notes')
        .set((eb) => ({ age: eb('age', '+', 1) }))
        .where('slug', '=', slug)
        .execute(),
    close: () => db.destroy(),
  };
}

const isolated = (begun: Begun, isolation: Isolation) => begun.setIsolationLevel(isolation);

export const kyselys: readonly OrmUnderTest[] = [
  {
    ...{ orm: 'Kysely', database: 'PostgreSQL', names: naming.snakeCase },
    open: (url) => opened(openPostgresKysely(url), isolated),
  },
  {
    ...{ orm: 'Kysely', database: 'MariaDB', names: naming.snakeCase },
    open: (url) => opened(openMariadbKysely(url), isolated),
  },
  {
    ...{ orm: 'Kysely', database: 'SQLite', names: naming.snakeCase },
    open: (url) => opened(openSqliteKysely(url)),
  },
];
