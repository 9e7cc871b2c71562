import { EntitySchema, type EntitySchemaMetadata, IsolationLevel, raw } from '@mikro-orm/core';
import { MikroORM as MariadbOrm } from '@mikro-orm/mariadb';
import { MikroORM as PostgresOrm, type SqlEntityManager } from '@mikro-orm/postgresql';
import { mikroormRows } from '../../../lib/rows';
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
  extra: unknown;
  facts: unknown;
  done: boolean;
  due: Date | null;
  local: Date | null;
  day: string | null;
  clock: string | null;
  state: string | null;
  uid: string | null;
  text: string | null;
  code: string | null;
  secret: string | null;
  outcomes: string | null;
  createdAt: Date;
  updatedAt: Date | null;
}

export interface Audit {
  id: number;
  slug: string | null;
  before: string | null;
  after: string;
}

const text = { type: 'text' } as const;
const nullable = { nullable: true } as const;
const empty = { defaultRaw: `'{}'` } as const;

const properties: NonNullable<EntitySchemaMetadata<Note>['properties']> = {
  id: { type: 'integer', primary: true, autoincrement: true },
  slug: { ...text, unique: true },
  title: text,
  body: { ...text, ...nullable },
  email: { ...text, ...nullable, unique: true },
  age: { type: 'integer', ...nullable },
  ratio: { type: 'double', ...nullable },
  price: { type: 'decimal', precision: 8, scale: 2, ...nullable },
  serial: { type: 'bigint', ...nullable },
  extra: { type: 'json', ...nullable },
  facts: { type: 'json', defaultRaw: `'{}'` },
  done: { type: 'boolean', default: false },
  due: { type: 'datetime', length: 3, ...nullable },
  local: { type: 'datetime', length: 3, ...nullable },
  day: { type: 'date', ...nullable },
  clock: { type: 'time', length: 6, ...nullable },
  state: { enum: true, items: ['draft', 'paid'], type: 'string', ...nullable },
  uid: { type: 'uuid', ...nullable },
  text: { ...text, ...nullable },
  code: { type: 'string', length: 8, ...nullable },
  secret: { ...text, ...nullable, hidden: true },
  outcomes: { ...text, ...nullable },
  createdAt: { type: 'datetime', length: 3, defaultRaw: 'now()' },
  updatedAt: { type: 'datetime', length: 3, ...nullable },
};
const table = { name: 'Note', tableName: 'notes' };

type ListName =
  | 'tags'
  | 'prices'
  | 'days'
  | 'ages'
  | 'ratios'
  | 'flags'
  | 'dues'
  | 'clocks'
  | 'serials'
  | 'uids';

export const Note = new EntitySchema<Note & Record<ListName, unknown[]>>({
  ...table,
  properties: {
    ...properties,
    tags: { type: 'array', ...empty },
    prices: { type: 'array', columnType: 'numeric[]', ...empty },
    days: { type: 'array', columnType: 'date[]', ...empty },
    ages: { type: 'array', columnType: 'int[]', ...empty },
    ratios: { type: 'array', columnType: 'double precision[]', ...empty },
    flags: { type: 'array', columnType: 'boolean[]', ...empty },
    dues: { type: 'array', columnType: 'timestamptz(3)[]', ...empty },
    clocks: { type: 'array', columnType: 'time[]', ...empty },
    serials: { type: 'array', columnType: 'bigint[]', ...empty },
    uids: { type: 'array', columnType: 'uuid[]', ...empty },
    local: { type: 'datetime', columnType: 'timestamp(3)', ...nullable },
  },
});
export const NoteOfMariadb = new EntitySchema<Note>({
  ...table,
  properties,
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

const init = (url: string) => ({ clientUrl: url, pool: { min: 0, max: 10 } });

function openPostgresMikroOrm(url: string): Promise<PostgresOrm> {
  return PostgresOrm.init({ ...init(url), entities: [Note, Audit] });
}

function openMariadbMikroOrm(url: string): Promise<MariadbOrm> {
  return MariadbOrm.init({
    ...{ ...init(url), entities: [NoteOfMariadb, Audit], timezone: 'Z' },
    driverOptions: { connection: { bigNumberStrings: true } },
  });
}

function opened(orm: PostgresOrm | MariadbOrm): Orm {
  const em: SqlEntityManager = orm.em;
  return {
    rows: mikroormRows(em, 'Note'),
    ownTransaction: (run, isolation) =>
      em.fork().transactional((inside) => run(mikroormRows(inside, 'Note'), inside), {
        isolationLevel:
          isolation === 'repeatable read' ? IsolationLevel.REPEATABLE_READ : IsolationLevel.SERIALIZABLE,
      }),
    audit: (inside, row) => (inside as SqlEntityManager).insert(Audit, row),
    readAudits: (inside, slug) => (inside as SqlEntityManager).find(Audit, { slug }),
    ownRead: (slug) => em.fork().findOneOrFail<Note>('Note', { slug }),
    ownWrite: (id, set) => em.fork().nativeUpdate('Note', { id }, set),
    ownIncrement: (slug) => em.fork().nativeUpdate<Note>('Note', { slug }, { age: raw('age + 1') }),
    close: () => orm.close(),
  };
}

export const mikroorms: readonly OrmUnderTest[] = [
  {
    ...{ orm: 'MikroORM', database: 'PostgreSQL', names: naming.camelCase },
    open: async (url) => opened(await openPostgresMikroOrm(url)),
  },
  {
    ...{ orm: 'MikroORM', database: 'MariaDB', names: naming.camelCase },
    open: async (url) => opened(await openMariadbMikroOrm(url)),
  },
];
