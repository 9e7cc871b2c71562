/**
 * One model in four ORMs, with what apps put into a model: it hashes the password, derives a column, normalises text, and
 * has validators of a member and of the whole. Each can be changed by hand, as the ORM's documentation shows it.
 */
import { EntitySchema as MikroormSchema, type EventArgs } from '@mikro-orm/core';
import { MikroORM as MariadbOrm } from '@mikro-orm/mariadb';
import { MikroORM as PostgresOrm } from '@mikro-orm/postgresql';
import { DataTypes, Sequelize } from 'sequelize';
import { DataSource, EntitySchema, type UpdateEvent } from 'typeorm';
import { mikroormRows, prismaRows, type Rows, sequelizeRows, typeormRows } from '../../../lib/rows';
import type { DatabaseName } from './databases';
import { openMariadbClient, openPostgresClient } from './prisma';

/** What clients can send. */
export interface Change {
  readonly title?: string;
  readonly body?: string | null;
  readonly age?: number | null;
  readonly text?: string | null;
  readonly secret?: string;
}

export interface ModelUnderTest {
  readonly rows: Rows;
  /** Finds the entity, sets what differs, and saves it. */
  readonly save: (slug: string, change: Change) => Promise<unknown>;
  /** What hooks and validators were called, and with which columns. */
  readonly calls: string[];
  readonly close: () => Promise<unknown>;
}

/** What a validator says, as each of the ORMs' users throws it. */
export interface Complaint {
  readonly path: string | undefined;
  readonly message: string;
}

interface Entity {
  slug: string;
  title: string;
  body?: string | null;
  age?: number | null;
  text?: string | null;
  code?: string | null;
  secret?: string | null;
}

const hash = (secret: string) => `#${secret}`;

/** The columns that the model itself sets, of those that are being written. */
function derive(entity: Partial<Entity>, isChanged: (name: keyof Entity) => boolean): Partial<Entity> {
  return {
    ...(isChanged('title') && { code: String(entity.title).slice(0, 3) }),
    ...(isChanged('text') && { text: entity.text?.trim() ?? null }),
    ...(isChanged('secret') && { secret: hash(String(entity.secret)) }),
  };
}

function findComplaints({ title, age, body }: Partial<Entity>): Complaint[] {
  return [
    ...((title ?? '').length < 2 ? [{ path: 'title', message: 'A title has two characters.' }] : []),
    ...((age ?? 0) < 0 && (body ?? null) === null
      ? [{ path: undefined, message: 'A negative age needs a body.' }]
      : []),
  ];
}

export const modelsWithRules: readonly {
  readonly orm: string;
  readonly open: (url: string, database: DatabaseName) => Promise<ModelUnderTest>;
}[] = [
  { orm: 'Sequelize', open: openSequelize },
  { orm: 'TypeORM', open: openTypeorm },
  { orm: 'MikroORM', open: openMikroorm },
  { orm: 'Prisma', open: openPrisma },
];

function openSequelize(url: string): Promise<ModelUnderTest> {
  const calls: string[] = [];
  const sequelize = new Sequelize(url.replace(/^mysql:/, 'mariadb:'), { logging: false, pool: { max: 4 } });
  const text = DataTypes.TEXT;
  const Note = sequelize.define(
    'Note',
    {
      id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      slug: { type: text, allowNull: false },
      title: {
        type: text,
        allowNull: false,
        validate: { len: { args: [2, 1_000], msg: 'A title has two characters.' } },
      },
      ...{ body: text, age: DataTypes.INTEGER, code: DataTypes.STRING(8), secret: text },
      text: {
        type: text,
        set(value: string | null) {
          this.setDataValue('text', value?.trim() ?? null);
        },
      },
    },
    {
      ...{ tableName: 'notes', underscored: true, defaultScope: { attributes: { exclude: ['secret'] } } },
      validate: {
        negativeAge(this: Partial<Entity>) {
          calls.push('validate');
          if ((this.age ?? 0) < 0 && (this.body ?? null) === null)
            throw new Error('A negative age needs a body.');
        },
      },
      hooks: {
        beforeValidate: (note) => {
          calls.push(`beforeValidate ${String(note.changed())}`);
          if (note.changed('title' as never)) note.set('code', String(note.get('title')).slice(0, 3));
        },
        beforeUpdate: (note, { transaction }) => {
          calls.push(`beforeUpdate ${String(note.changed())} ${transaction === undefined ? 'alone' : 'in'}`);
          if (note.changed('secret' as never)) note.set('secret', hash(String(note.get('secret'))));
        },
        afterUpdate: () => void calls.push('afterUpdate'),
      },
    },
  );
  return Promise.resolve({
    rows: sequelizeRows(Note),
    calls,
    save: (slug, change) =>
      sequelize.transaction(async (transaction) => {
        const note = await Note.findOne({ where: { slug }, transaction, rejectOnEmpty: true });
        note.set(change);
        await note.save({ transaction });
      }),
    close: () => sequelize.close(),
  });
}

async function openTypeorm(url: string, database: DatabaseName): Promise<ModelUnderTest> {
  const calls: string[] = [];
  const Note = new EntitySchema<Entity & { id: number; updatedAt: Date; revision: number }>({
    ...{ name: 'Note', tableName: 'notes' },
    columns: {
      id: { type: 'integer', primary: true, generated: 'increment' },
      slug: { type: 'varchar' },
      title: { type: 'text' },
      body: { type: 'text', nullable: true },
      age: { type: 'integer', nullable: true },
      text: { type: 'text', nullable: true },
      code: { type: 'varchar', length: 8, nullable: true },
      secret: { type: 'text', select: false, nullable: true },
      revision: { type: 'integer', version: true },
      updatedAt: {
        ...{ name: 'updated_at', type: database === 'MariaDB' ? 'datetime' : 'timestamptz' },
        ...{ precision: 3, updateDate: true },
      },
    },
  });
  const dataSource = await new DataSource({
    ...{ type: database === 'MariaDB' ? 'mariadb' : 'postgres', url, poolSize: 4, entities: [Note] },
  } as never).initialize();
  dataSource.subscribers.push({
    listenTo: () => 'Note',
    afterLoad: () => void calls.push('afterLoad'),
    beforeUpdate: ({ entity, updatedColumns, queryRunner }: UpdateEvent<Entity>) => {
      const names = updatedColumns.map(({ propertyName }) => propertyName);
      calls.push(`beforeUpdate ${names.join()} ${queryRunner.isTransactionActive ? 'in' : 'alone'}`);
      const written = entity as Entity;
      const complaints = findComplaints(written);
      if (complaints.length > 0)
        throw complaints.map(({ path, message }) => ({
          property: path ?? '',
          constraints: { rule: message },
        })) as never;
      Object.assign(
        written,
        derive(written, (name) => names.includes(name)),
      );
    },
    afterUpdate: () => void calls.push('afterUpdate'),
  } as never);
  const notes = dataSource.getRepository(Note);
  return {
    rows: typeormRows(notes),
    calls,
    save: (slug, change) =>
      dataSource.transaction(async (em) => {
        const note = await em.findOneByOrFail(Note, { slug });
        await em.save(Note, Object.assign(note, change));
      }),
    close: () => dataSource.destroy(),
  };
}

async function openMikroorm(url: string, database: DatabaseName): Promise<ModelUnderTest> {
  const calls: string[] = [];
  const nullable = { type: 'text', nullable: true } as const;
  const Note = new MikroormSchema<Entity & { id: number; updatedAt: Date; revision: number }>({
    ...{ name: 'Note', tableName: 'notes' },
    properties: {
      id: { type: 'integer', primary: true, autoincrement: true },
      slug: { type: 'string' },
      title: { type: 'text' },
      ...{ body: nullable, text: nullable, code: { type: 'string', length: 8, nullable: true } },
      age: { type: 'integer', nullable: true },
      secret: { ...nullable, lazy: true },
      revision: { type: 'integer', version: true },
      updatedAt: { type: 'datetime', length: 3, onUpdate: () => new Date() },
    },
    hooks: {
      onLoad: [() => void calls.push('onLoad')],
      beforeUpdate: [
        ({ entity, changeSet, em }: EventArgs<Entity>) => {
          const names = Object.keys(changeSet?.payload ?? {}).filter((name) => name !== 'updatedAt');
          calls.push(`beforeUpdate ${names.join()} ${em.isInTransaction() ? 'in' : 'alone'}`);
          const complaints = findComplaints(entity);
          if (complaints.length > 0)
            throw Object.assign(new Error('invalid'), {
              issues: complaints.map(({ path, message }) => ({
                path: path === undefined ? [] : [path],
                message,
              })),
            });
          Object.assign(
            entity,
            derive(entity, (name) => names.includes(name)),
          );
        },
      ],
      afterUpdate: [() => void calls.push('afterUpdate')],
    },
  });
  const options = { clientUrl: url, entities: [Note], pool: { min: 0, max: 4 }, timezone: 'Z' };
  const orm = database === 'MariaDB' ? await MariadbOrm.init(options) : await PostgresOrm.init(options);
  const em = orm.em as PostgresOrm['em'];
  return {
    rows: mikroormRows(em, Note),
    calls,
    save: (slug, change) =>
      em.fork().transactional(async (inside) => {
        Object.assign(await inside.findOneOrFail(Note, { slug }), change);
      }),
    close: () => orm.close(),
  };
}

function openPrisma(url: string, database: DatabaseName): Promise<ModelUnderTest> {
  const calls: string[] = [];
  const client = (database === 'MariaDB' ? openMariadbClient(url) : openPostgresClient(url)) as ReturnType<
    typeof openPostgresClient
  >;
  const extended = client.$extends({
    query: {
      note: {
        update: ({ args, query }) => {
          const data = args.data as Partial<Entity>;
          calls.push(`update ${Object.keys(data).sort().join()}`);
          const complaints = 'title' in data ? findComplaints({ title: data.title ?? '' }) : [];
          if (complaints.length > 0)
            throw Object.assign(new Error('invalid'), {
              issues: complaints.map(({ path, message }) => ({ path: [path], message })),
            });
          return query({ ...args, data: { ...data, ...derive(data, (name) => name in data) } });
        },
      },
    },
  });
  return Promise.resolve({
    rows: prismaRows(extended, 'note'),
    calls,
    save: (slug, data) => extended.note.update({ where: { slug }, data }),
    close: () => client.$disconnect(),
  });
}
