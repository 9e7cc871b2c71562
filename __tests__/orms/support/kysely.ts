import { type Generated, Kysely, MysqlDialect, PostgresDialect } from 'kysely';
import { createPool } from 'mysql2';
import { Pool } from 'pg';
import { kyselyRows } from '../../../lib/stores/rows';
import { naming, type Orm, type OrmUnderTest } from './orm';

interface Tables {
  notes: {
    id: Generated<number>;
    slug: string;
    title: string;
    body: string | null;
    age: number | null;
    version: string;
  };
  audits: { id: Generated<number>; slug: string | null; before: string | null; after: string };
}

export function openPostgresKysely(url: string): Kysely<Tables> {
  return new Kysely({ dialect: new PostgresDialect({ pool: new Pool({ connectionString: url, max: 10 }) }) });
}

export function openMariadbKysely(url: string): Kysely<Tables> {
  const exactly = { jsonStrings: true, supportBigNumbers: true };
  const pool = createPool({ uri: url, connectionLimit: 10, timezone: 'Z', ...exactly });
  return new Kysely({ dialect: new MysqlDialect({ pool }) });
}

function opened(db: Kysely<Tables>): Orm {
  return {
    rows: kyselyRows(db, 'notes'),
    transaction: (run) =>
      db
        .transaction()
        .setIsolationLevel('serializable')
        .execute((trx) => run(kyselyRows(trx, 'notes'), trx)),
    audit: (trx, row) => (trx as typeof db).insertInto('audits').values(row).execute(),
    readAudits: (trx, slug) =>
      (trx as typeof db).selectFrom('audits').selectAll().where('slug', '=', slug).execute(),
    ownRead: (slug) =>
      db.selectFrom('notes').select(['id', 'age']).where('slug', '=', slug).executeTakeFirstOrThrow(),
    ownWrite: (id, set) => db.updateTable('notes').set(set).where('id', '=', id).execute(),
    close: () => db.destroy(),
  };
}

export const kyselys: readonly OrmUnderTest[] = [
  {
    ...{ orm: 'Kysely', database: 'PostgreSQL', names: naming.snakeCase },
    open: (url) => opened(openPostgresKysely(url)),
  },
  {
    ...{ orm: 'Kysely', database: 'MariaDB', names: naming.snakeCase },
    open: (url) => opened(openMariadbKysely(url)),
  },
];
