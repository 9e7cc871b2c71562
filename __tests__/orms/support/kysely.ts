import { type Generated, Kysely, PostgresDialect } from 'kysely';
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
];
