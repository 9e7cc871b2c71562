import 'reflect-metadata';
import { DataSource, EntityManager, EntitySchema } from 'typeorm';
import { typeormRows } from '../../../lib/stores/rows';
import { naming, type Orm, type OrmUnderTest } from './orm';

interface Note {
  id: number;
  slug: string;
  title: string;
  age: number | null;
  body: string | null;
  email: string | null;
  ratio: number | null;
  price: string | null;
  serial: string | null;
  tags: string[];
  extra: unknown;
  facts: unknown;
  done: boolean;
  due: Date | null;
  code: string | null;
  secret: string | null;
  outcomes: string | null;
  createdAt: Date;
  updatedAt: Date | null;
  version: string;
}

interface Audit {
  id: number;
  slug: string | null;
  before: string | null;
  after: string;
}

export const Note = new EntitySchema<Note>({
  name: 'Note',
  tableName: 'notes',
  columns: {
    id: { type: 'integer', primary: true, generated: 'increment' },
    slug: { type: 'text', unique: true },
    title: { type: 'text' },
    body: { type: 'text', nullable: true },
    email: { type: 'text', unique: true, nullable: true },
    age: { type: 'integer', nullable: true },
    ratio: { type: 'double precision', nullable: true },
    price: { type: 'numeric', precision: 8, scale: 2, nullable: true },
    serial: { type: 'bigint', nullable: true },
    tags: { type: 'text', array: true, default: [] },
    extra: { type: 'jsonb', nullable: true },
    facts: { type: 'jsonb', default: {} },
    done: { type: 'boolean', default: false },
    due: { type: 'timestamptz', precision: 3, nullable: true },
    code: { type: 'varchar', length: 8, nullable: true },
    secret: { type: 'text', default: 'hidden', select: false },
    outcomes: { type: 'text', nullable: true, select: false },
    createdAt: { name: 'created_at', type: 'timestamptz', precision: 3, createDate: true },
    updatedAt: { name: 'updated_at', type: 'timestamptz', precision: 3, nullable: true, updateDate: true },
    version: { type: 'text' },
  },
});

export const Audit = new EntitySchema<Audit>({
  name: 'Audit',
  tableName: 'audits',
  columns: {
    id: { type: 'integer', primary: true, generated: 'increment' },
    slug: { type: 'text', nullable: true },
    before: { type: 'text', nullable: true },
    after: { type: 'text' },
  },
});

export function openPostgresDataSource(url: string): Promise<DataSource> {
  return new DataSource({ type: 'postgres', url, entities: [Note, Audit], poolSize: 10 }).initialize();
}

function opened(dataSource: DataSource): Orm {
  const notes = dataSource.getRepository(Note);
  return {
    rows: typeormRows(notes),
    transaction: (run) =>
      dataSource.transaction('SERIALIZABLE', (em) => run(typeormRows(em.getRepository(Note)), em)),
    audit: (em, row) => (em as EntityManager).insert(Audit, row),
    readAudits: (em, slug) => (em as EntityManager).findBy(Audit, { slug }),
    ownRead: (slug) => notes.findOneByOrFail({ slug }),
    ownWrite: (id, set) => notes.save({ id, ...set }),
    close: () => dataSource.destroy(),
  };
}

export const typeorms: readonly OrmUnderTest[] = [
  {
    ...{ orm: 'TypeORM', database: 'PostgreSQL', names: naming.camelCase },
    open: async (url) => opened(await openPostgresDataSource(url)),
  },
];
