import createKnex, { type Knex } from 'knex';
import { knexRows } from '../../../lib/rows';
import type { DatabaseName } from './databases';
import { naming, type Orm, type OrmUnderTest } from './orm';

interface Note {
  readonly slug: string;
  readonly id: number;
  readonly age: number | null;
}

export function openPostgresKnex(url: string): Knex {
  return createKnex({ client: 'pg', connection: url, pool: { min: 0, max: 10 } });
}

export function openMariadbKnex(url: string): Knex {
  const connection = { uri: url, timezone: 'Z' };
  return createKnex({ client: 'mysql2', connection, pool: { min: 0, max: 10 } });
}

export function openSqliteKnex(url: string): Knex {
  return createKnex({ client: 'better-sqlite3', connection: { filename: url }, useNullAsDefault: true });
}

function opened(knex: Knex, hasIsolation: boolean): Orm {
  return {
    rows: knexRows(knex, 'notes'),
    ownTransaction: (run, isolationLevel = 'serializable') =>
      knex.transaction((trx) => run(knexRows(trx, 'notes'), trx), hasIsolation ? { isolationLevel } : {}),
    audit: (trx, row) => (trx as Knex.Transaction)('audits').insert(row),
    readAudits: (trx, slug) => (trx as Knex.Transaction)<{ slug: string }>('audits').where('slug', slug),
    ownRead: async (slug) => {
      const note = await knex<Note>('notes').where('slug', slug).first('id', 'age');
      if (note === undefined) throw new Error('The note is gone.');
      return note;
    },
    ownWrite: (id, set) => knex('notes').where({ id }).update(set).then(),
    ownIncrement: (slug) => knex('notes').where({ slug }).increment('age', 1),
    close: () => knex.destroy(),
  };
}

const knexOf = (database: DatabaseName, open: (url: string) => Orm): OrmUnderTest => ({
  ...{ orm: 'Knex', database, names: naming.snakeCase, open },
});

export const knexes: readonly OrmUnderTest[] = [
  knexOf('PostgreSQL', (url) => opened(openPostgresKnex(url), true)),
  knexOf('MariaDB', (url) => opened(openMariadbKnex(url), true)),
  knexOf('SQLite', (url) => opened(openSqliteKnex(url), false)),
];
