import { typed } from '../../config/expectation';
import { OptionsCheck } from '../../config/options-check';
import { libraryRows, type TimestampSource } from '../library-rows';
import type { CastType, DeclaredForms, OrmRows, Row } from '../rows';
import { hasMethods, notOnSqlite } from './arguments';

/** The members of a TypeORM repository that `typeormRows` uses. */
export interface TypeormRepository {
  createQueryBuilder(alias?: string): unknown;
  readonly metadata: object;
}

/**
 * Accesses a table through TypeORM, for `rowStore`, on PostgreSQL, MySQL or MariaDB. It writes with the query
 * builder.
 *
 * Columns have the names of the entity's properties. If the entity has a delete date column, soft-deleted
 * rows are not found, and `delete` soft-deletes.
 *
 * ```ts
 * const notes = rowStore({
 *   ...typeormRows(dataSource.getRepository(Note)),
 *   columns: { title: 'string' },
 *   key: 'slug',
 * });
 * ```
 *
 * @param repository - `dataSource.getRepository(Note)`, or in a transaction `em.getRepository(Note)`
 * @throws ConfigurationError
 */
export function typeormRows(repository: TypeormRepository): OrmRows {
  const check = new OptionsCheck('typeormRows()');
  check.value(
    'repository',
    repository,
    typed(
      // 0.2.34 numbers the parameters of an UPDATE wrongly. findOneBy is new in 0.3.
      () => hasMethods(repository, ['createQueryBuilder', 'findOneBy']),
      'Pass one, as in dataSource.getRepository(Note).',
      'is not a repository of TypeORM 0.3 or later',
    ),
  );
  const entityRepository = repository as unknown as Repository;
  check.value(
    'repository',
    repository,
    notOnSqlite(() => readDatabase(entityRepository)),
  );
  check.done();
  return createRows(entityRepository);
}

function createRows(entityRepository: Repository): OrmRows {
  const building = () => entityRepository.createQueryBuilder(alias);
  const origin = {
    // An EntityManager with a query runner, as in a transaction of the app, has the same one in its transactions.
    handle: isInTransaction(entityRepository) ? undefined : entityRepository,
    get joins() {
      return entityRepository.manager.queryRunner?.isTransactionActive === true;
    },
    fixMissing: 'The transformer of a column must not return undefined.',
    get timestamps() {
      return createTimestampSource(entityRepository);
    },
  };
  return libraryRows(origin, {
    find: async (where, columns, casts = new Map(), isLocked = false) => {
      const names = columns.map((name) => `${alias}.${findColumn(entityRepository, name).propertyPath}`);
      // A listener could change what is read, and none would change it back: this UPDATE calls no listeners
      // of the entity.
      const query = building().select(names).callListeners(false);
      if (isLocked && isMysql(entityRepository)) query.setLock('pessimistic_write');
      const texts = [...casts].flatMap((cast, index) => createCast(entityRepository, cast, `text_${index}`));
      for (const { sql, as } of texts) query.addSelect(sql, as);
      const { entities, raw } = await addConditions(query, where, `${alias}.`).getRawAndEntities();
      const [entity] = entities;
      const read = texts.map(({ name, as }) => [name, raw[0]?.[as]] as const);
      const isNull = (name: string) =>
        entity?.[name] === undefined && isNullIn(raw[0], findColumn(entityRepository, name));
      const nulls = columns.filter(isNull).map((name) => [name, null] as const);
      return entity && { ...entity, ...Object.fromEntries([...nulls, ...read]) };
    },
    // The query builder adds no eager relations, which would be locked, too.
    lock: (where) => {
      const mode = isPostgres(entityRepository) ? 'for_no_key_update' : 'pessimistic_write';
      const names = Object.keys(where).map(
        (name) => `${alias}.${findColumn(entityRepository, name).propertyPath}`,
      );
      return addConditions(building().select(names).setLock(mode), where, `${alias}.`).getRawMany();
    },
    update: (where, set) => {
      for (const name of Object.keys(set)) findColumn(entityRepository, name, 'isUpdate');
      const query = addConditions(building().update().set(set), where, '').updateEntity(false);
      const { deleteDateColumn } = entityRepository.metadata;
      if (deleteDateColumn !== undefined) query.andWhere(`${deleteDateColumn.propertyPath} IS NULL`);
      return countRows(query);
    },
    insert: (row) => {
      for (const name of Object.keys(row)) findColumn(entityRepository, name, 'isInsert');
      return building()
        .insert()
        .values({ ...row })
        .updateEntity(false)
        .execute();
    },
    delete: (where) => {
      const isSoft = entityRepository.metadata.deleteDateColumn !== undefined;
      return countRows(addConditions(isSoft ? building().softDelete() : building().delete(), where, ''));
    },
    transaction: (run) => {
      const { manager, target } = entityRepository;
      const joins = manager.queryRunner?.isTransactionActive === true;
      const act = (em: Manager) => run(createRows(em.getRepository(target)), em);
      // In a transaction of the app, TypeORM makes a savepoint, which has no isolation level.
      return joins || !isMysql(entityRepository)
        ? manager.transaction(act)
        : manager.transaction('READ COMMITTED', act);
    },
    get columnNames() {
      return readNames(entityRepository);
    },
    get columnForms() {
      return readForms(entityRepository);
    },
  });
}

/** The alias of the table in a SELECT. */
const alias = 'resource';

/** Whether a column is NULL, which its transformer can make undefined. Aliases of long names are shortened. */
function isNullIn(raw: Row | undefined, { databaseName }: Column): boolean {
  return raw?.[`${alias}_${databaseName}`] === null;
}

interface Column {
  readonly propertyPath: string;
  readonly databaseName: string;
  readonly type: unknown;
  readonly transformer?: unknown;
  readonly isArray: boolean;
  readonly isVirtual: boolean;
  readonly isUpdate: boolean;
  readonly isInsert: boolean;
}

interface Manager {
  readonly queryRunner?: { readonly isTransactionActive: boolean };
  getRepository(target: unknown): Repository;
  transaction(act: (em: Manager) => Promise<void>): Promise<void>;
  transaction(isolation: string, act: (em: Manager) => Promise<void>): Promise<void>;
}

interface Repository {
  readonly manager: Manager;
  readonly target: unknown;
  readonly metadata: {
    readonly columns: readonly Column[];
    readonly deleteDateColumn?: Column;
    readonly name: string;
    readonly tableName: string;
    readonly database?: string;
    /** Not in a mock. */
    readonly connection?: { readonly options: { readonly type: string } };
  };
  createQueryBuilder(alias: string): Query;
  query(sql: string, values: readonly unknown[]): Promise<unknown>;
}

interface Query {
  select(columns: readonly string[]): Query;
  callListeners(calls: boolean): Query;
  setLock(mode: string): Query;
  getRawMany(): Promise<readonly unknown[]>;
  update(): Query;
  insert(): Query;
  delete(): Query;
  softDelete(): Query;
  set(set: Row): Query;
  values(row: Row): Query;
  andWhere(condition: Row | string): Query;
  updateEntity(updates: boolean): Query;
  addSelect(sql: string, as: string): Query;
  getRawAndEntities(): Promise<{ readonly entities: readonly Row[]; readonly raw: readonly Row[] }>;
  execute(): Promise<unknown>;
}

async function countRows(query: Query): Promise<unknown> {
  return Reflect.get(Object(await query.execute()) as object, 'affected');
}

/** TypeORM compares with null by `=`, which is never true, so `IS NULL` is written here. */
function addConditions(query: Query, where: Row, prefix: string): Query {
  for (const [name, value] of Object.entries(where)) {
    query.andWhere(value === null ? `${prefix}${name} IS NULL` : { [name]: value });
  }
  return query;
}

const columnsByEntity = new WeakMap<object, ReadonlyMap<string, Column>>();

/**
 * The columns that have a property of their own: neither those of relations nor those of embedded entities.
 */
function readColumns({ metadata }: Repository): ReadonlyMap<string, Column> {
  const known = columnsByEntity.get(metadata);
  if (known !== undefined) return known;
  const columns = new Map(
    metadata.columns
      .filter(({ propertyPath, isVirtual }) => !isVirtual && !propertyPath.includes('.'))
      .map((column) => [column.propertyPath, column]),
  );
  columnsByEntity.set(metadata, columns);
  return columns;
}

/** Undefined before `dataSource.initialize()`: TypeORM makes its metadata there. */
function readNames(repository: Repository): Readonly<Record<string, string>> | undefined {
  try {
    const columns = [...readColumns(repository)];
    return Object.fromEntries(columns.map(([name, { databaseName }]) => [name, databaseName]));
  } catch {
    return undefined;
  }
}

/** TypeORM converts days and times to text itself. */
function readForms(repository: Repository): DeclaredForms['columnForms'] {
  try {
    const texts = [...readColumns(repository)].filter(([, { type }]) => isTextType(type));
    return Object.fromEntries(texts.map(([name]) => [name, 'iso']));
  } catch {
    return undefined;
  }
}

const textTypes = /^(?:date$|time(?!stamp)|jsonb?$|simple-json$|.*(?:char|text))/;

/** TypeORM does not convert values inside JSON. */
function isTextType(type: unknown): boolean {
  return type === String || (typeof type === 'string' && textTypes.test(type));
}

/** Undefined before `dataSource.initialize()`. */
function readDatabase(repository: Repository): string | undefined {
  try {
    return repository.metadata.connection?.options.type;
  } catch {
    return undefined;
  }
}

/** There is no EntityManager in a mock. */
function isInTransaction({ manager }: Repository): boolean {
  return (manager as Manager | undefined)?.queryRunner !== undefined;
}

function isMysql(repository: Repository): boolean {
  return /mysql|mariadb/.test(readDatabase(repository) ?? '');
}

function createTimestampSource(repository: Repository): TimestampSource | undefined {
  if (!isMysql(repository)) return undefined;
  const { tableName: table, database: schema } = repository.metadata;
  return {
    table: { table, schema },
    ask: ({ text, values }) => repository.query(text, values),
    fix: "Set both to UTC: timezone: 'Z' in the DataSource, and in the server default_time_zone = '+00:00'.",
  };
}

function isPostgres(repository: Repository): boolean {
  return /postgres|cockroach/.test(readDatabase(repository) ?? '');
}

/** A column that is read as text beside the entity, under a name of its own. */
interface Cast {
  readonly name: string;
  readonly sql: string;
  readonly as: string;
}

/**
 * Drivers round decimals in arrays, and make Dates of days, of which TypeORM takes the day where the process
 * is: with mysql2 in UTC, that is the day before, west of Greenwich. It splits an array of an enum at each
 * comma, whose elements only PostgreSQL tells apart.
 */
function createCast(repository: Repository, [name, cast]: readonly [string, CastType], as: string): Cast[] {
  const { propertyPath, type, transformer, isArray } = findColumn(repository, name);
  const isRead = isPostgres(repository)
    ? isArray === (cast === 'text[]')
    : isMysql(repository) && type === 'date';
  if (!isRead || transformer !== undefined) return [];
  const to = isPostgres(repository) ? cast : 'char';
  return [{ name, sql: `CAST(${alias}.${propertyPath} AS ${to})`, as }];
}

/**
 * TypeORM silently omits such columns. That is an error here: a version that is not written loses updates.
 */
function findColumn(repository: Repository, name: string, flag?: 'isUpdate' | 'isInsert'): Column {
  const { name: entity } = repository.metadata;
  const column = readColumns(repository).get(name);
  if (column === undefined) {
    throw new TypeError(
      `typeormRows(): the entity ${entity} has no column ${JSON.stringify(name)}. ` +
        `Name it as the entity's property is named.`,
    );
  }
  if (flag === undefined || column[flag]) return column;
  const option = flag === 'isUpdate' ? 'update' : 'insert';
  throw new TypeError(
    `typeormRows(): the column ${JSON.stringify(name)} of the entity ${entity} has ${option}: false, ` +
      'so TypeORM would not write it. ' +
      `Declare it readOnly, or leave ${option} out.`,
  );
}
