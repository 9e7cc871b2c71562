import { isDeepStrictEqual } from 'node:util';
import { typed } from '../../config/expectation';
import { hasMethods } from '../../config/object';
import { OptionsCheck } from '../../config/options-check';
import { type Kind, toColumnKind } from '../columns/kind';
import { keepRows, libraryRows, type TimestampSource } from '../library-rows';
import type { CastType, ColumnKinds, DeclaredForms, EntityRows, Row, SchemaColumn } from '../rows';
import { notOnSqlite, relationsNamed } from './arguments';
import type { JsonOfRow } from './json-of';
import { sqlKinds } from './sql-types';

/** The members of a TypeORM repository that `typeormRows` uses. */
export interface TypeormRepository {
  createQueryBuilder(alias?: string): unknown;
  readonly metadata: object;
}

/** The JSON of each member of an entity. */
type TypeormJson<R> = R extends { findOneBy(where: never): PromiseLike<infer Entity> }
  ? JsonOfRow<NonNullable<Entity>>
  : unknown;

/**
 * Accesses a table through TypeORM, for `rowStore`, on PostgreSQL, MySQL or MariaDB. It loads an entity as
 * `repository.findOne` does, sets what has changed, and saves it with `manager.save`, as your app does; it
 * deletes with `remove`.
 *
 * Columns have the names of the entity's properties. Listeners, subscribers and transformers of the entity
 * run. If it has a delete date column, soft-deleted rows are not found, and `delete` soft-deletes. A column
 * with `select: false` is not loaded into the entity, and is set only if it has changed.
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
export function typeormRows<R extends TypeormRepository>(repository: R): EntityRows<TypeormJson<R>> {
  // A repository of a query runner can begin a transaction, and before dataSource.initialize() the database
  // cannot be checked.
  const own = repository as unknown as Repository;
  const isKept = hasMethods(repository, []) && readDatabase(own) !== undefined && !isInTransaction(own);
  return isKept ? keptRows(repository, undefined) : checkedRows(repository);
}

const keptRows = keepRows(checkedRows);

function checkedRows(repository: TypeormRepository): EntityRows<never> {
  const check = new OptionsCheck('typeormRows()');
  check.value(
    'repository',
    repository,
    typed(
      // TypeORM 0.2.34 numbers the parameters of an UPDATE wrongly. findOneBy is new in 0.3.
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
  return createRows(entityRepository, isInActiveTransaction(entityRepository));
}

/** @param isJoined - whether it is in a transaction of the app */
function createRows(entityRepository: Repository, isJoined: boolean): EntityRows<never> {
  const building = () => entityRepository.createQueryBuilder(alias);
  const origin = {
    // An EntityManager with a query runner, as in a transaction of the app, uses the same query runner in its
    // transactions.
    handle: isInTransaction(entityRepository) ? undefined : entityRepository,
    get joins() {
      return isInActiveTransaction(entityRepository);
    },
    fixMissing: 'The transformer of a column must not return undefined.',
    get timestamps() {
      return createTimestampSource(entityRepository);
    },
  };
  /** The entity that each row was read from, for the write in the same transaction. */
  const entities = new WeakMap<Row, Entity>();

  async function findEntity(where: Row, row: Row): Promise<Entity | undefined> {
    const query = () => addConditions(building().setFindOptions({}), where, `${alias}.`);
    const entity = entities.get(row) ?? (await query().getRawAndEntities()).entities[0];
    if (entity !== undefined) assertId(entityRepository, entity);
    return entity;
  }

  /** Reads columns as TypeORM does when it saves an entity, to see which of them have changed. */
  async function readSaved(where: Row, entity: Entity, names: readonly string[]): Promise<Entity> {
    if (!isJoined || !isMysql(entityRepository)) return { ...entity };
    const query = building().select(names.map((name) => `${alias}.${name}`));
    const loaded = addConditions(query.withDeleted().callListeners(false), where, `${alias}.`);
    return readProperties(entityRepository, await loaded.getRawAndEntities(), names);
  }

  return libraryRows(origin, {
    find: async (where, columns, casts = new Map(), isLocked = false) => {
      for (const name of columns) findColumn(entityRepository, name);
      // A transaction of the app can be at REPEATABLE READ, and have read an older state of the row.
      const isOld = isLocked && isJoined && isMysql(entityRepository);
      const send = (query: Query) => {
        if (isOld) query.setLock('pessimistic_write');
        return addConditions(query, where, `${alias}.`).getRawAndEntities();
      };
      const query = building().setFindOptions({});
      const texts = [...casts].flatMap((cast, index) => createCast(entityRepository, cast, `text_${index}`));
      for (const { sql, as } of texts) query.addSelect(sql, as);
      const loaded = await send(query);
      const entity = loaded.entities[0];
      if (entity === undefined) return undefined;
      const row = readProperties(entityRepository, loaded, columns);
      // The entity must not have these columns when it is saved, because a listener could hash a hash.
      const others = columns.filter((name) => row[name] === undefined);
      if (others.length > 0) {
        const paths = others.map((name) => `${alias}.${name}`);
        const apart = await send(building().select(paths).callListeners(false));
        if (apart.raw.length === 0) return undefined; // deleted in between
        Object.assign(row, readProperties(entityRepository, apart, others));
      }
      for (const { name, as } of texts) row[name] = loaded.raw[0]?.[as];
      entities.set(row, entity);
      return row;
    },
    // The query builder does not add eager relations, which would be locked, too.
    lock: (where) => {
      for (const name of Object.keys(where)) findColumn(entityRepository, name);
      const mode = isPostgres(entityRepository) ? 'for_no_key_update' : 'pessimistic_write';
      const query = building().select(Object.keys(where).map((name) => `${alias}.${name}`));
      return addConditions(query.withDeleted().setLock(mode), where, `${alias}.`).getRawMany();
    },
    save: async (where, set, row) => {
      const names = Object.keys(set).filter((name) => set[name] !== undefined);
      const columns = names.map((name) => findColumn(entityRepository, name, 'isUpdate'));
      const entity = await findEntity(where, row);
      if (entity === undefined) return undefined;
      // TypeORM does not write a value that it believes to be in the row. But its value can be wrong: the
      // previous day, or an older value.
      const seen = await readSaved(where, entity, names);
      const missed = names.filter((name) => isDeepStrictEqual(seen[name], set[name]));
      for (const name of names) entity[name] = set[name];
      // If the entity behind a foreign key was loaded, TypeORM would write its old key, and not the key that
      // was set.
      for (const { relationMetadata: relation } of columns)
        if (relation?.isLazy === false) entity[relation.propertyName] = undefined;
      await entityRepository.manager.save(entityRepository.target, entity);
      if (missed.length > 0) {
        const others = Object.fromEntries(missed.map((name) => [name, entity[name]]));
        await addConditions(building().update().set(others).callListeners(false), where, '').execute();
      }
      return Object.fromEntries(names.map((name) => [name, entity[name]]));
    },
    // `save` would update a row that another request has just created.
    insert: (row) => {
      for (const name of Object.keys(row)) findColumn(entityRepository, name, 'isInsert');
      const entity = Object.assign(entityRepository.create(), row);
      return building().insert().values(entity).execute();
    },
    delete: async (where, row) => {
      const entity = await findEntity(where, row);
      if (entity === undefined) return 0;
      const { manager, target, metadata } = entityRepository;
      await (metadata.deleteDateColumn === undefined
        ? manager.remove(target, entity)
        : manager.softRemove(target, entity));
      return 1;
    },
    transaction: (run) => {
      const { manager, target } = entityRepository;
      const joins = isInActiveTransaction(entityRepository);
      const act = (em: Manager) => run(createRows(em.getRepository(target), joins), em);
      // In a transaction of the app, TypeORM makes a savepoint, which has no isolation level.
      return joins || !isMysql(entityRepository)
        ? manager.transaction(act)
        : manager.transaction('READ COMMITTED', act);
    },
    get columnNames() {
      return readColumnNames(entityRepository);
    },
    get columnForms() {
      return readForms(entityRepository);
    },
    get columnKinds() {
      return readKinds(entityRepository);
    },
  });
}

/** The alias of the table in a SELECT. */
const alias = 'resource';

/** The result of a SELECT. Aliases of long names are shortened in `raw`. */
interface Loaded {
  readonly entities: readonly Entity[];
  readonly raw: readonly Row[];
}

/**
 * The columns as they were read: undefined for a column that was not read, and null for NULL, which a
 * transformer can turn into undefined.
 */
function readProperties(
  repository: Repository,
  { entities: [entity], raw: [raw] }: Loaded,
  names: readonly string[],
): Entity {
  const isNull = (name: string) => raw?.[`${alias}_${findColumn(repository, name).databaseName}`] === null;
  return Object.fromEntries(
    names.map((name) => [name, entity?.[name] === undefined && isNull(name) ? null : entity?.[name]]),
  );
}

/** Without its primary key, TypeORM would insert the entity again. */
function assertId({ metadata }: Repository, entity: Entity): void {
  if (metadata.hasAllPrimaryKeys(entity)) return;
  throw new TypeError(
    `typeormRows(): the entity ${metadata.name} was loaded without its primary key, so TypeORM cannot save it. ` +
      'Leave select: false out of the column of the primary key.',
  );
}

/** TypeORM compares with null by `=`, which is never true, so this writes `IS NULL`. */
function addConditions(query: Query, where: Row, prefix: string): Query {
  for (const [name, value] of Object.entries(where)) {
    query.andWhere(value === null ? `${prefix}${name} IS NULL` : { [name]: value });
  }
  return query;
}

/** The column. An unknown one is an error here, because TypeORM would silently omit it. */
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

const columnsByEntity = new WeakMap<object, ReadonlyMap<string, Column>>();

/** The columns with a property of their own, without columns of relations and of embedded entities. */
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

/** A column that is read as text in addition to the entity, under another name. */
interface Cast {
  readonly name: string;
  readonly sql: string;
  readonly as: string;
}

/**
 * Drivers round decimals in arrays, and turn days into Dates, from which TypeORM takes the day in the time
 * zone of the process: with mysql2 in UTC, that is the previous day west of Greenwich. TypeORM splits an
 * array of an enum at each comma, although only PostgreSQL can tell its elements apart.
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

/** A mock has no EntityManager. */
function isInTransaction({ manager }: Repository): boolean {
  return (manager as Manager | undefined)?.queryRunner !== undefined;
}

function isInActiveTransaction({ manager }: Repository): boolean {
  return (manager as Manager | undefined)?.queryRunner?.isTransactionActive === true;
}

/** Undefined before `dataSource.initialize()`. */
function readDatabase(repository: Repository): string | undefined {
  try {
    return repository.metadata.connection?.options.type;
  } catch {
    return undefined;
  }
}

function isMysql(repository: Repository): boolean {
  return /mysql|mariadb/.test(readDatabase(repository) ?? '');
}

function isPostgres(repository: Repository): boolean {
  return /postgres|cockroach/.test(readDatabase(repository) ?? '');
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

/** Undefined before `dataSource.initialize()`: TypeORM makes its metadata there. */
function readColumnNames(repository: Repository): Readonly<Record<string, string>> | undefined {
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
function readKinds(repository: Repository): ColumnKinds<never> | undefined {
  try {
    const relations = (repository.metadata.relations ?? []).map(({ propertyName }) => propertyName);
    const columns = [...readColumns(repository)].map(
      ([name, column]) => [name, toSchemaColumn(column)] as const,
    );
    return { ...relationsNamed(relations), ...Object.fromEntries(columns) };
  } catch {
    return undefined;
  }
}

function toSchemaColumn(column: Column): SchemaColumn {
  const type = typeof column.type === 'function' ? column.type.name : String(column.type);
  const isText = typeormLists.includes(type);
  const values = column.enum?.filter((value) => typeof value === 'string') ?? [];
  const hasNumbers = column.enum !== undefined && values.length !== column.enum.length;
  const base = isText ? 'string' : (typeormKinds.get(type) ?? sqlKinds.get(type.toLowerCase()));
  const known = hasNumbers || column.transformer !== undefined ? undefined : base;
  return {
    type: hasNumbers ? `${type} of numbers` : type,
    kind: known && toColumnKind(known, column.isArray || isText, column.isNullable),
    values: known !== undefined && values.length > 0 ? values : undefined,
    readOnly: isSetBySchema(column),
    convertedBy: column.transformer === undefined ? undefined : 'a transformer',
  };
}

/** The kinds of TypeORM's types that SQL does not have. */
export const typeormKinds: ReadonlyMap<string, Kind> = new Map([
  ['String', 'string'],
  ['Number', 'integer'],
  ['Boolean', 'boolean'],
  ['Date', 'date'],
  ['simple-enum', 'string'],
  ['simple-json', 'json'],
]);

/** Types that TypeORM reads as lists of strings. */
const typeormLists: readonly string[] = ['simple-array', 'set'];

function isSetBySchema(column: Column): boolean {
  const { isPrimary, isGenerated, isUpdate, isCreateDate, isUpdateDate, isVersion } = column;
  const isComputed = column.generatedType !== undefined || column.isVirtualProperty === true;
  return isPrimary || isGenerated || !isUpdate || isCreateDate || isUpdateDate || isVersion || isComputed;
}

type Entity = Record<string, unknown>;

interface Column {
  readonly propertyPath: string;
  readonly databaseName: string;
  readonly type: unknown;
  readonly transformer?: unknown;
  readonly isArray: boolean;
  readonly isNullable: boolean;
  readonly isPrimary: boolean;
  readonly isGenerated: boolean;
  readonly isInsert: boolean;
  readonly isUpdate: boolean;
  readonly isCreateDate: boolean;
  readonly isUpdateDate: boolean;
  readonly isVersion: boolean;
  readonly isVirtual: boolean;
  readonly isVirtualProperty?: boolean;
  readonly generatedType?: unknown;
  readonly enum?: readonly unknown[];
  /** Only in a foreign key that has a property of its own. */
  readonly relationMetadata?: { readonly propertyName: string; readonly isLazy: boolean };
}

interface Manager {
  readonly queryRunner?: { readonly isTransactionActive: boolean };
  getRepository(target: unknown): Repository;
  transaction(act: (em: Manager) => Promise<void>): Promise<void>;
  transaction(isolation: string, act: (em: Manager) => Promise<void>): Promise<void>;
  save(target: unknown, entity: Entity): Promise<unknown>;
  remove(target: unknown, entity: Entity): Promise<unknown>;
  softRemove(target: unknown, entity: Entity): Promise<unknown>;
}

interface Repository {
  readonly manager: Manager;
  readonly target: unknown;
  readonly metadata: {
    readonly columns: readonly Column[];
    readonly relations?: readonly { readonly propertyName: string }[];
    readonly deleteDateColumn?: Column;
    readonly name: string;
    readonly tableName: string;
    readonly database?: string;
    /** Not in a mock. */
    readonly connection?: { readonly options: { readonly type: string } };
    hasAllPrimaryKeys(entity: Entity): boolean;
  };
  create(): Entity;
  createQueryBuilder(alias: string): Query;
  query(sql: string, values: readonly unknown[]): Promise<unknown>;
}

interface Query {
  select(columns: readonly string[]): Query;
  addSelect(sql: string, as: string): Query;
  setFindOptions(options: object): Query;
  callListeners(calls: boolean): Query;
  withDeleted(): Query;
  setLock(mode: string): Query;
  andWhere(condition: Row | string): Query;
  getRawMany(): Promise<readonly unknown[]>;
  getRawAndEntities(): Promise<Loaded>;
  update(): Query;
  set(set: Row): Query;
  insert(): Query;
  values(row: Row): Query;
  execute(): Promise<unknown>;
}
