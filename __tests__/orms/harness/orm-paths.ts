import type { PGlite } from '@electric-sql/pglite';
import { sql as drizzleSql } from 'drizzle-orm';
import type { Knex } from 'knex';
import { sql as kyselySql, type Transaction } from 'kysely';
import { tableRows } from '../../../lib/rows';
import type { AuditRow, EnginePath, OpenPath } from '../../rows/harness/engine-path';
import { type DatabaseName, ddl } from '../support/tables';
import type { OrmUnderTest } from '../support/orm';

type OrmName = OrmUnderTest['orm'];

/** Each is loaded where it is served: it takes seconds. */
const orms: Readonly<Record<OrmName, () => Promise<readonly OrmUnderTest[]>>> = {
  Prisma: async () => (await import('../support/prisma')).prismas,
  Drizzle: async () => (await import('../support/drizzle')).drizzles,
  Knex: async () => (await import('../support/knex')).knexes,
  Kysely: async () => (await import('../support/kysely')).kyselys,
  TypeORM: async () => (await import('../support/typeorm')).typeorms,
  Sequelize: async () => (await import('../support/sequelize')).sequelizes,
  MikroORM: async () => (await import('../support/mikroorm')).mikroorms,
};

/** SQL in the transaction of a builder. */
const senders: Readonly<Partial<Record<OrmName, OpenPath['send']>>> = {
  Drizzle: (tx, text) => {
    const { execute, run } = tx as Readonly<Record<'execute' | 'run', (sql: object) => unknown>>;
    // The one of SQLite runs it.
    return Reflect.apply(execute ?? run, tx, [drizzleSql.raw(text)]);
  },
  Knex: (tx, text) => (tx as Knex.Transaction).raw(text),
  Kysely: (tx, text) => kyselySql.raw(text).execute(tx as Transaction<unknown>),
};

const over = (orm: OrmName, database: DatabaseName, more: Partial<EnginePath> = {}): EnginePath => ({
  ...{ path: `${orm} over ${database}`, database },
  open: async (url) => {
    const about = (await orms[orm]()).find((one) => one.database === database);
    if (about === undefined) throw new Error(`There is no ${orm} over ${database} here.`);
    const { rows, audit, ownRead, ownWrite } = await about.open(url);
    const send = senders[orm];
    return {
      ...{ rows, ownRead, ownWrite, ...(send !== undefined && { send }) },
      // A synchronous one is sent when it is asked to, not when it is awaited.
      audit: (tx, row: AuditRow) => {
        const sending = audit(tx, row);
        const run = more.isSync === true && (Reflect.get(Object(sending) as object, 'run') as unknown);
        return typeof run === 'function' ? Reflect.apply(run, sending, []) : sending;
      },
    };
  },
  ...more,
});

/** The builders, which send one UPDATE. */
export const builderPaths: readonly EnginePath[] = [
  ...(['PostgreSQL', 'MariaDB'] as const).flatMap((database) => [
    over('Drizzle', database, { hasLargePool: database === 'PostgreSQL' }),
    over('Knex', database, { hasCounter: true }),
    over('Kysely', database, { hasCounter: true }),
  ]),
  ...[
    over('Drizzle', 'SQLite', { isSync: true }),
    over('Knex', 'SQLite', { isSingle: true, hasCounter: true }),
  ],
  over('Kysely', 'SQLite', { isSingle: true, hasCounter: true }),
];

/** The ORMs with entities, or a model of their own. */
export const entityPaths: readonly EnginePath[] = (['PostgreSQL', 'MariaDB'] as const).flatMap((database) =>
  (['Prisma', 'TypeORM', 'Sequelize', 'MikroORM'] as const).map((orm) => over(orm, database)),
);

/** PGlite loads itself by `import()`: in a process that is not Jest's. */
async function openPglite(): Promise<OpenPath> {
  const { PGlite: Database } = await import('@electric-sql/pglite');
  const db: PGlite = new Database();
  await db.exec(ddl.PostgreSQL);
  const ask = async (text: string, values: unknown[] = []) =>
    (await db.query<Record<string, unknown>>(text, values)).rows;
  return {
    rows: tableRows(db, { table: 'notes' }),
    audit: (tx, { slug, before, after }) =>
      (tx as PGlite).query('INSERT INTO audits (slug, before, after) VALUES ($1, $2, $3)', [
        ...[slug, before, after],
      ]),
    ownRead: async (slug) => {
      const [row] = await ask('SELECT id FROM notes WHERE slug = $1', [slug]);
      if (row === undefined) throw new Error('The note is gone.');
      return { id: Number(row['id']) };
    },
    ownWrite: (id, { age }) => ask('UPDATE notes SET age = $1 WHERE id = $2', [age, id]),
    send: (tx, text) => (tx as PGlite).query(text),
    plain: async (text) => {
      const results = await db.exec(text);
      const { rows = [], affectedRows = 0 } = results.at(-1) ?? {};
      return { rows, count: affectedRows };
    },
  };
}

export const pglitePath: EnginePath = {
  ...{ path: 'tableStore over PGlite', database: 'PostgreSQL', isSingle: true, isEmbedded: true },
  open: openPglite,
};
