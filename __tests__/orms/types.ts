/**
 * The real ORMs' objects are what `prismaRows` and its like take, without a cast; compiled before the tests
 * here run. A line that must not compile is marked; where it does compile, the mark is an error.
 */
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { EntitySchema as MikroormSchema } from '@mikro-orm/core';
import type { EntityManager as MikroormEntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Knex } from 'knex';
import type { Generated, Kysely, Transaction as KyselyTransaction } from 'kysely';
import {
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type ModelStatic,
  type Sequelize,
  type Transaction as SequelizeTransaction,
} from 'sequelize';
import type { DataSource, EntityManager as TypeormEntityManager, EntityTarget, Repository } from 'typeorm';
import {
  drizzleRows,
  knexRows,
  kyselyRows,
  mikroormRows,
  prismaRows,
  rowStore,
  type Rows,
  sequelizeRows,
  typeormRows,
} from '../../lib/rows';
import type { FoundState, ResourceStore } from '../../lib';
import { postgresNotes, sqliteNotes } from './support/drizzle-schema';
import { Prisma, type PrismaClient } from './generated/postgresql/client';
import { Prisma as SqlitePrisma, type PrismaClient as SqliteClient } from './generated/sqlite/client';

declare const prisma: PrismaClient;
declare const prismaOfSqlite: SqliteClient;
declare const db: NodePgDatabase;
declare const anyPostgres: PgDatabase<PgQueryResultHKT>;
declare const dbOfSqlite: BetterSQLite3Database;
declare const knex: Knex;
declare const kysely: Kysely<Tables>;
declare const anyKysely: Kysely<unknown>;
declare const dataSource: DataSource;
declare const repository: Repository<NoteClass>;
declare const orm: MikroORM;
declare const sequelize: Sequelize;
declare const model: ModelStatic<Model>;
declare const sequelizeTransaction: SequelizeTransaction;

interface Tables {
  notes: { id: Generated<number>; slug: string; title: string };
}
class NoteClass {
  declare slug: string;
  declare title: string;
}
class NoteModel extends Model {
  declare slug: string;
}
class ConstructedNote {
  constructor(readonly slug: string) {}
}
declare const target: EntityTarget<NoteClass>;
const schema = new MikroormSchema<NoteClass>({ class: NoteClass });

export const extended = () => prisma.$extends({ model: { note: { count2: () => 2 } } });
declare const extendedPrisma: ReturnType<typeof extended>;

export const rows: readonly Rows[] = [
  prismaRows(prisma, 'note'),
  prismaRows(prisma, 'note', { dbNull: Prisma.DbNull }),
  prismaRows(prismaOfSqlite, 'note', { dbNull: SqlitePrisma.DbNull }),
  prismaRows(extendedPrisma, 'note'),
  drizzleRows(db, postgresNotes),
  drizzleRows(anyPostgres, postgresNotes),
  drizzleRows(dbOfSqlite, sqliteNotes),
  knexRows(knex, 'notes'),
  kyselyRows(kysely, 'notes'),
  kyselyRows(anyKysely, 'notes'),
  kyselyRows(kysely.withSchema('app'), 'notes'),
  typeormRows(repository),
  typeormRows(dataSource.getRepository(target)),
  sequelizeRows(NoteModel),
  sequelizeRows(model),
  sequelizeRows(NoteModel, { transaction: sequelizeTransaction }),
  mikroormRows(orm.em, NoteClass),
  mikroormRows(orm.em.fork(), ConstructedNote),
  mikroormRows(orm.em, schema),
  mikroormRows(orm.em, 'Note'),
  // @ts-expect-error: no table
  kyselyRows(kysely),
  // @ts-expect-error: a query, not Kysely
  kyselyRows(kysely.selectFrom('notes'), 'notes'),
  // @ts-expect-error: the data source, not a repository of it
  typeormRows(dataSource),
  // @ts-expect-error: the connection, not a model of it
  sequelizeRows(sequelize),
  // @ts-expect-error: a row, not the model
  sequelizeRows(new NoteModel()),
  // @ts-expect-error: the ORM, not its entity manager
  mikroormRows(orm, NoteClass),
  // @ts-expect-error: the client, not a model of it
  prismaRows(prisma),
  // @ts-expect-error: no table
  drizzleRows(db),
  // @ts-expect-error: not a database of Drizzle
  drizzleRows(prisma, postgresNotes),
  // @ts-expect-error: no table
  knexRows(knex),
  // @ts-expect-error: a query, not Knex
  knexRows(knex('notes'), 'notes'),
];

const columns = {
  title: 'string',
  body: 'string?',
  age: { kind: 'integer', nullable: true },
  tags: 'string[]',
  extra: 'json?',
  createdAt: { kind: 'date', readOnly: true },
  day: 'day?',
  clock: { kind: 'time', storedAs: 'iso' },
  uid: { kind: 'uuid', nullable: true },
  marks: 'integer?[]?',
  state: { kind: 'string', values: ['draft', 'paid'] },
  states: { kind: 'string?[]?', values: ['draft', 'paid'] },
} as const;

interface NoteOutside {
  day: string | null;
  clock: string;
  uid: string | null;
  marks: (number | null)[] | null;
  state: 'draft' | 'paid';
  states: ('draft' | 'paid' | null)[] | null;
  title: string;
  body: string | null;
  age: number | null;
  tags: string[];
  extra: unknown;
  createdAt: string;
}

type Same<A, B> = [A, B] extends [B, A] ? true : false;
const isSame = <A, B>(same: Same<A, B>) => same;

const ofPrisma = rowStore({ ...prismaRows(prisma, 'note'), columns, key: 'slug' });
const ofDrizzle = rowStore({ ...drizzleRows(db, postgresNotes), columns, key: 'slug' });
const ofKnex = rowStore({ ...knexRows(knex, 'notes'), columns, key: 'slug' });
/** Without `as const` too. */
export const written = rowStore({
  ...prismaRows(prisma, 'note'),
  columns: { title: 'string', body: 'string?', createdAt: { kind: 'date', readOnly: true } },
  key: 'slug',
});

type ValueIn<S> = S extends ResourceStore<infer T> ? T : never;
isSame<ValueIn<typeof ofPrisma>, NoteOutside>(true);
isSame<ValueIn<typeof ofDrizzle>, NoteOutside>(true);
isSame<ValueIn<typeof ofKnex>, NoteOutside>(true);
const ofKysely = rowStore({ ...kyselyRows(kysely, 'notes'), columns, key: 'slug' });
const ofTypeorm = rowStore({ ...typeormRows(repository), columns, key: 'slug' });
const ofSequelize = rowStore({ ...sequelizeRows(NoteModel), columns, key: 'slug' });
const ofMikroorm = rowStore({ ...mikroormRows(orm.em, NoteClass), columns, key: 'slug' });
isSame<ValueIn<typeof ofKysely>, NoteOutside>(true);
isSame<ValueIn<typeof ofTypeorm>, NoteOutside>(true);
isSame<ValueIn<typeof ofSequelize>, NoteOutside>(true);
isSame<ValueIn<typeof ofMikroorm>, NoteOutside>(true);
isSame<ValueIn<typeof written>, { title: string; body: string | null; createdAt: string }>(true);

export const deleted: readonly Promise<boolean | FoundState<NoteOutside>>[] = [
  ...[ofPrisma, ofDrizzle, ofKnex],
  ...[ofKysely, ofTypeorm, ofSequelize, ofMikroorm],
].map((store) => store.delete('a'));
const { delete: left, ...withoutDelete } = knexRows(knex, 'notes');
const undeletable = rowStore({ ...withoutDelete, columns, key: 'slug' });
// @ts-expect-error: nothing deletes where delete is left out
export const undeleted: unknown[] = [left, undeletable.delete('a')];
// @ts-expect-error: no outcomes are kept where no column is named for them
export const keepsOutcomes: true = ofPrisma.keepsOutcomes;
export const keeping: true = rowStore({
  ...prismaRows(prisma, 'note'),
  ...{ columns, key: 'slug', outcomes: 'outcomes' },
}).keepsOutcomes;

rowStore({
  ...prismaRows(prisma, 'note'),
  columns: { title: 'string', body: 'string?' },
  key: 'slug',
  transaction: (run) => prisma.$transaction((tx) => run(prismaRows(tx, 'note'), tx)),
  onWrite: (tx: Prisma.TransactionClient, { before, after }) => {
    isSame<typeof before, { title: string; body: string | null } | undefined>(true);
    isSame<typeof after, { title: string; body: string | null } | undefined>(true);
    return tx.audit.create({ data: { before: JSON.stringify(before), after: JSON.stringify(after) } });
  },
});
rowStore({
  ...drizzleRows(db, postgresNotes),
  columns: { title: 'string' },
  key: 'slug',
  counter: 'age',
  timeout: 10_000,
  transaction: (run) => db.transaction((tx) => run(drizzleRows(tx, postgresNotes), tx)),
  onWrite: (tx: NodePgDatabase, { after }) =>
    tx.insert(postgresNotes).values({ slug: '', title: after?.title ?? '' }),
});
rowStore({
  ...knexRows(knex, 'notes'),
  columns: { title: 'string' },
  key: (key) => ({ id: Number(key) }),
  version: 'xmin',
  transaction: (run) => knex.transaction((trx) => run(knexRows(trx, 'notes'), trx)),
  onWrite: (trx: Knex.Transaction, { before, after }) =>
    trx('audits').insert({ before: before?.title, after: after?.title }),
});

const common = { columns: { title: 'string' }, key: 'slug' } as const;
rowStore({
  ...kyselyRows(kysely, 'notes'),
  ...common,
  transaction: (run) => kysely.transaction().execute((trx) => run(kyselyRows(trx, 'notes'), trx)),
  onWrite: (trx: KyselyTransaction<Tables>, { after }) =>
    trx
      .updateTable('notes')
      .set({ title: after?.title ?? '' })
      .execute(),
});
rowStore({
  ...typeormRows(repository),
  ...common,
  transaction: (run) => dataSource.transaction((em) => run(typeormRows(em.getRepository(NoteClass)), em)),
  onWrite: (em: TypeormEntityManager, { after }) => em.insert(NoteClass, { title: after?.title ?? '' }),
});
rowStore({
  ...sequelizeRows(NoteModel),
  ...common,
  transaction: (run) =>
    sequelize.transaction((transaction) => run(sequelizeRows(NoteModel, { transaction }), transaction)),
  onWrite: (transaction: SequelizeTransaction, { after }) =>
    NoteModel.create({ title: after?.title }, { transaction }),
});
rowStore({
  ...mikroormRows(orm.em, NoteClass),
  ...common,
  transaction: (run) => orm.em.transactional((em) => run(mikroormRows(em, NoteClass), em)),
  onWrite: (em: MikroormEntityManager, { after }) =>
    em.insert(NoteClass, { slug: '', title: after?.title ?? '' }),
});

rowStore({
  ...prismaRows(prisma, 'note'),
  // @ts-expect-error: no kind of column
  columns: { title: 'text' },
  key: 'slug',
});
// @ts-expect-error: a member that the value does not have
export const name: unknown = ofPrisma.get('a').then((note): unknown => note?.value.name);

/** Columns whose kinds come from the schema. */
const ofSchema = {
  title: true,
  body: true,
  createdAt: { readOnly: true },
  price: true,
  serial: true,
  extra: true,
  tags: true,
  made: { column: 'createdAt' },
  state: { values: ['draft'] },
  age: 'integer?',
} as const;

interface OfSchema {
  title: string;
  body: string | null;
  createdAt: string;
  price: string | null;
  serial: string | null;
  extra: unknown;
  tags: string[];
  made: string;
  state: 'draft' | null;
  age: number | null;
}

class EntityOfSchema {
  declare title: string;
  declare body: string | null;
  declare createdAt: Date;
  declare price: string | null;
  declare serial: bigint | null;
  declare extra: { deep: Date } | null;
  declare tags: string[];
  declare state: 'draft' | 'paid' | null;
}
class ModelOfSchema extends Model<InferAttributes<ModelOfSchema>, InferCreationAttributes<ModelOfSchema>> {
  declare title: string;
  declare body: CreationOptional<string | null>;
  declare createdAt: CreationOptional<Date>;
  declare price: string | null;
  declare serial: bigint | null;
  declare extra: { deep: Date } | null;
  declare tags: string[];
  declare state: 'draft' | 'paid' | null;
}
declare const repositoryOfSchema: Repository<EntityOfSchema>;
const schemaOfEntity = new MikroormSchema<EntityOfSchema>({ class: EntityOfSchema });

const schemaOptions = { columns: ofSchema, key: 'slug' } as const;
const prismaBySchema = rowStore({ ...prismaRows(prisma, 'note'), ...schemaOptions });
const extendedBySchema = rowStore({ ...prismaRows(extendedPrisma, 'note'), ...schemaOptions });
const drizzleBySchema = rowStore({ ...drizzleRows(db, postgresNotes), ...schemaOptions });
const typeormBySchema = rowStore({ ...typeormRows(repositoryOfSchema), ...schemaOptions });
const sequelizeBySchema = rowStore({ ...sequelizeRows(ModelOfSchema), ...schemaOptions });
const mikroormBySchema = rowStore({ ...mikroormRows(orm.em, EntityOfSchema), ...schemaOptions });
const mikroormByEntitySchema = rowStore({ ...mikroormRows(orm.em, schemaOfEntity), ...schemaOptions });
isSame<ValueIn<typeof prismaBySchema>, OfSchema>(true);
isSame<ValueIn<typeof extendedBySchema>, OfSchema>(true);
isSame<ValueIn<typeof drizzleBySchema>, OfSchema>(true);
isSame<ValueIn<typeof typeormBySchema>, OfSchema>(true);
isSame<ValueIn<typeof sequelizeBySchema>, OfSchema>(true);
isSame<ValueIn<typeof mikroormBySchema>, OfSchema>(true);
isSame<ValueIn<typeof mikroormByEntitySchema>, OfSchema>(true);

/** An ORM that is not told the types of a table. */
const untyped = rowStore({ ...mikroormRows(orm.em, 'Note'), columns: { title: true }, key: 'slug' });
isSame<ValueIn<typeof untyped>, { title: unknown }>(true);

rowStore({
  ...prismaRows(prisma, 'note'),
  ...schemaOptions,
  onWrite: (_tx: Prisma.TransactionClient, { after }) => {
    isSame<typeof after, OfSchema | undefined>(true);
  },
});
