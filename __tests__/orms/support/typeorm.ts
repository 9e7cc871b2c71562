import 'reflect-metadata';
import {
  type ColumnType,
  DataSource,
  type EntityManager,
  EntitySchema,
  type EntitySchemaOptions,
} from 'typeorm';
import { typeormRows } from '../../../lib/rows';
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
  prices: string[];
  days: string[];
  ages: number[];
  ratios: number[];
  flags: boolean[];
  dues: Date[];
  clocks: string[];
  serials: string[];
  uids: string[];
  local: Date | null;
  extra: unknown;
  facts: unknown;
  done: boolean;
  due: Date | null;
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

interface Audit {
  id: number;
  slug: string | null;
  before: string | null;
  after: string;
}

type Columns = EntitySchemaOptions<Note>['columns'];

/** What differs from engine to engine is what TypeORM calls its types. */
const columnsOf = (json: ColumnType, date: ColumnType): Columns => ({
  id: { type: 'integer', primary: true, generated: 'increment' },
  slug: { type: 'varchar', length: 255, unique: true },
  title: { type: 'text' },
  body: { type: 'text', nullable: true },
  email: { type: 'varchar', length: 191, unique: true, nullable: true },
  age: { type: 'integer', nullable: true },
  ratio: { type: 'double precision', nullable: true },
  price: { type: 'numeric', precision: 8, scale: 2, nullable: true },
  serial: { type: 'bigint', nullable: true },
  extra: { type: json, nullable: true },
  facts: { type: json, default: {} },
  done: { type: 'boolean', default: false },
  due: { type: date, precision: 3, nullable: true },
  day: { type: 'date', nullable: true },
  clock: { type: 'time', precision: 6, nullable: true },
  state: { type: 'enum', enum: ['draft', 'paid'], enumName: 'State', nullable: true },
  uid: { type: json === 'jsonb' ? 'uuid' : 'varchar', nullable: true },
  text: { type: 'text', nullable: true },
  code: { type: 'varchar', length: 8, nullable: true },
  secret: { type: 'text', default: 'hidden', select: false },
  outcomes: { type: 'text', nullable: true },
  createdAt: { name: 'created_at', type: date, precision: 3, createDate: true },
  updatedAt: { name: 'updated_at', type: date, precision: 3, nullable: true, updateDate: true },
});
const table = { name: 'Note', tableName: 'notes' };

const listOf = (type: ColumnType) => ({ type, array: true, default: [] });

export const Note = new EntitySchema<Note>({
  ...table,
  columns: {
    ...columnsOf('jsonb', 'timestamptz'),
    ...{ tags: listOf('text'), prices: listOf('numeric'), days: listOf('date'), ages: listOf('integer') },
    ...{ ratios: listOf('double precision'), flags: listOf('boolean'), dues: listOf('timestamptz') },
    ...{ clocks: listOf('time'), serials: listOf('bigint'), uids: listOf('uuid') },
    local: { type: 'timestamp', precision: 3, nullable: true },
  },
});
export const NoteOfMariadb = new EntitySchema<Note>({
  ...table,
  columns: { ...columnsOf('json', 'datetime'), local: { type: 'datetime', precision: 3, nullable: true } },
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

function openPostgresDataSource(url: string): Promise<DataSource> {
  return new DataSource({ type: 'postgres', url, entities: [Note, Audit], poolSize: 10 }).initialize();
}

function openMariadbDataSource(url: string): Promise<DataSource> {
  const entities = [NoteOfMariadb, Audit];
  return new DataSource({
    type: 'mariadb',
    url,
    entities,
    poolSize: 10,
    timezone: 'Z',
    supportBigNumbers: true,
    extra: { jsonStrings: true },
  }).initialize();
}

function opened(dataSource: DataSource): Orm {
  const notes = dataSource.getRepository<Note>('Note');
  return {
    rows: typeormRows(notes),
    ownTransaction: (run, isolation) =>
      dataSource.transaction(isolation === 'repeatable read' ? 'REPEATABLE READ' : 'SERIALIZABLE', (em) =>
        run(typeormRows(em.getRepository('Note')), em),
      ),
    audit: (em, row) => (em as EntityManager).insert(Audit, row),
    readAudits: (em, slug) => (em as EntityManager).findBy(Audit, { slug }),
    ownRead: (slug) => notes.findOneByOrFail({ slug }),
    ownWrite: (id, set) => notes.save({ id, ...set }),
    ownIncrement: (slug) => notes.increment({ slug }, 'age', 1),
    close: () => dataSource.destroy(),
  };
}

export const typeorms: readonly OrmUnderTest[] = [
  {
    ...{ orm: 'TypeORM', database: 'PostgreSQL', names: naming.camelCase },
    open: async (url) => opened(await openPostgresDataSource(url)),
  },
  {
    ...{ orm: 'TypeORM', database: 'MariaDB', names: naming.camelCase },
    open: async (url) => opened(await openMariadbDataSource(url)),
  },
];
