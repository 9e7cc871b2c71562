import { EntitySchema, IsolationLevel } from '@mikro-orm/core';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { mikroormRows } from '../../../lib/stores/rows';
import { naming, type Orm, type OrmUnderTest } from './orm';

export interface Note {
  id: number;
  slug: string;
  title: string;
  body: string | null;
  email: string | null;
  age: number | null;
  ratio: number | null;
  price: string | null;
  serial: bigint | null;
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

export interface Audit {
  id: number;
  slug: string | null;
  before: string | null;
  after: string;
}

const text = { type: 'text' } as const;
const nullable = { nullable: true } as const;

export const Note = new EntitySchema<Note>({
  name: 'Note',
  tableName: 'notes',
  properties: {
    id: { type: 'integer', primary: true, autoincrement: true },
    slug: { ...text, unique: true },
    title: text,
    body: { ...text, ...nullable },
    email: { ...text, ...nullable, unique: true },
    age: { type: 'integer', ...nullable },
    ratio: { type: 'double', ...nullable },
    price: { type: 'decimal', precision: 8, scale: 2, ...nullable },
    serial: { type: 'bigint', ...nullable },
    tags: { type: 'array' },
    extra: { type: 'json', ...nullable },
    facts: { type: 'json' },
    done: { type: 'boolean' },
    due: { type: 'datetime', length: 3, ...nullable },
    code: { type: 'string', length: 8, ...nullable },
    secret: { ...text, ...nullable, hidden: true },
    outcomes: { ...text, ...nullable, lazy: true },
    createdAt: { type: 'datetime', length: 3 },
    updatedAt: { type: 'datetime', length: 3, ...nullable },
    version: text,
  },
});

export const Audit = new EntitySchema<Audit>({
  name: 'Audit',
  tableName: 'audits',
  properties: {
    id: { type: 'integer', primary: true, autoincrement: true },
    slug: { ...text, ...nullable },
    before: { ...text, ...nullable },
    after: text,
  },
});

export function openPostgresMikroOrm(url: string): Promise<MikroORM> {
  return MikroORM.init({ clientUrl: url, entities: [Note, Audit], pool: { min: 0, max: 10 } });
}

function opened(orm: MikroORM): Orm {
  const { em } = orm;
  return {
    rows: mikroormRows(em, Note),
    transaction: (run) =>
      em.fork().transactional((inside) => run(mikroormRows(inside, Note), inside), {
        isolationLevel: IsolationLevel.SERIALIZABLE,
      }),
    audit: (inside, row) => (inside as EntityManager).insert(Audit, row),
    readAudits: (inside, slug) => (inside as EntityManager).find(Audit, { slug }),
    ownRead: (slug) => em.fork().findOneOrFail(Note, { slug }),
    ownWrite: (id, set) => em.fork().nativeUpdate(Note, { id }, set),
    close: () => orm.close(),
  };
}

export const mikroorms: readonly OrmUnderTest[] = [
  {
    ...{ orm: 'MikroORM', database: 'PostgreSQL', names: naming.camelCase },
    open: async (url) => opened(await openPostgresMikroOrm(url)),
  },
];
