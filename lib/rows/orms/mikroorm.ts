import { typed } from '../../config/expectation';
import { OptionsCheck } from '../../config/options-check';
import { libraryRows } from '../library-rows';
import type { OrmRows, Row } from '../rows';
import { assertNoReserved, type IsReserved } from '../unstorable-value';
import type { Statement } from '../sql/statement';
import { hasMethods, isName, notOnSqlite } from './arguments';

/** The methods of a MikroORM `EntityManager` that `mikroormRows` calls. */
export interface MikroormEntityManager {
  fork(options?: never): unknown;
}

/**
 * Accesses a table through MikroORM, for `rowStore`, on PostgreSQL, MySQL or MariaDB. It writes with `nativeUpdate` on a
 * fork of the entity manager, so that nothing is read from an identity map, which could be stale.
 *
 * Columns have the names of the entity's properties. Filters that are enabled by default apply.
 *
 * ```ts
 * const notes = rowStore({
 *   ...mikroormRows(orm.em, Note),
 *   columns: { title: 'string' },
 *   key: 'slug',
 * });
 * ```
 *
 * @param em - `orm.em`, or the `em` of a transaction
 * @param entity - the class, its `EntitySchema` or its name
 * @throws ConfigurationError
 */
export function mikroormRows(em: MikroormEntityManager, entity: object | string): OrmRows {
  const check = new OptionsCheck('mikroormRows()');
  check.value(
    'em',
    em,
    typed(
      () => hasMethods(em, ['fork', 'nativeUpdate', 'getTransactionContext']),
      'Pass orm.em, or the em of a transaction.',
      'is not an EntityManager of MikroORM with a SQL driver',
    ),
  );
  check.value(
    'entity',
    entity,
    typed(
      () => isName(entity) || hasMethods(entity, []),
      'Pass the class, its EntitySchema or its name, as in mikroormRows(orm.em, Note).',
      'must be an entity',
    ),
  );
  const entityManager = em as unknown as EntityManager;
  check.value(
    'em',
    em,
    notOnSqlite(() => entityManager.getPlatform?.().constructor.name),
  );
  check.done();
  return createRows(entityManager, entity);
}

function createRows(entityManager: EntityManager, entity: object | string): OrmRows {
  // A fork leaves the transaction: its option keepTransactionContext is not in every release.
  const fork = () => entityManager.fork();
  const inTransaction = () => ({ ctx: entityManager.getTransactionContext() });
  // MikroORM would write undefined as NULL.
  const toData = (row: Row): Row => {
    return Object.fromEntries(
      Object.entries(row)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => {
          findProperty(entityManager, entity, name);
          assertNoReserved(name, value, isReserved);
          return [name, value];
        }),
    );
  };
  // An EntityManager finds the transaction that it is in by itself.
  const origin = {
    handle: undefined,
    get joins() {
      return entityManager.getTransactionContext() !== undefined;
    },
    fixMissing: 'The convertToJSValue of a custom type must not return undefined.',
  };
  return libraryRows(origin, {
    find: async (where, columns, _casts, isLocked) => {
      for (const name of columns) findProperty(entityManager, entity, name);
      // MikroORM modifies its arguments.
      const lock = isLocked === true && isMysql(entityManager) ? { lockMode: pessimisticWrite } : {};
      const options = { fields: [...columns], ...lock, ...inTransaction() };
      const row = await fork().findOne(entity, { ...where }, options);
      const read = row && Object.fromEntries(columns.map((name) => [name, row[name]]));
      return read && entityManager.config?.get('forceUndefined') === true ? withNulls(read) : read;
    },
    // By SQL, because findOne would lock eager relations, too, and a key of PostgreSQL for references.
    lock: (where) => {
      const { text, values } = createLock(entityManager, entity, where);
      return entityManager.execute(text, values);
    },
    update: (where, set) => fork().nativeUpdate(entity, { ...where }, toData(set), inTransaction()),
    insert: async (row) => {
      await fork().insert(entity, toData(row), inTransaction());
    },
    delete: (where) => fork().nativeDelete(entity, { ...where }, inTransaction()),
    // In a fork, whose commit flushes no other entities of the app.
    transaction: (run) => {
      const ctx = entityManager.getTransactionContext();
      const options =
        ctx === undefined && isMysql(entityManager) ? { isolationLevel: 'read committed' } : { ctx };
      const act = (inner: EntityManager) => run(createRows(inner, entity), inner);
      return fork().transactional(act, options);
    },
    get columnNames() {
      const properties = Object.entries(entityManager.getMetadata(entity).properties);
      const columns = properties.filter(([, property]) => isColumn(property));
      return Object.fromEntries(columns.map(([name, { fieldNames: [field = name] = [] }]) => [name, field]));
    },
    get columnForms() {
      const properties = Object.entries(entityManager.getMetadata(entity).properties);
      const texts = properties.filter(([, property]) => isTextProperty(property));
      return Object.fromEntries(texts.map(([name]) => [name, 'iso' as const]));
    },
  });
}

/** `LockMode.PESSIMISTIC_WRITE` */
const pessimisticWrite = 4;

function isMysql(em: EntityManager): boolean {
  return em.getPlatform?.().quoteIdentifier('a') === '`a`';
}

function createLock(em: EntityManager, entity: object | string, where: Row): Statement {
  const { tableName, schema } = em.getMetadata(entity);
  const platform = em.getPlatform?.();
  const quote = (name: string) => platform?.quoteIdentifier(name) ?? name;
  const columns = Object.entries(where).map(([name, value]) => {
    const { fieldNames: [field = name] = [], customType } = findProperty(em, entity, name);
    const inside = customType === undefined ? value : customType.convertToDatabaseValue(value, platform, {});
    return { condition: `${quote(field)} = ?`, value: inside };
  });
  const table = [...(schema === undefined || schema === '*' ? [] : [schema]), tableName].map(quote).join('.');
  const conditions = columns.map(({ condition }) => condition).join(' and ');
  const clause = isMysql(em) ? 'for update' : 'for no key update';
  return {
    text: `select 1 from ${table} where ${conditions} ${clause}`,
    values: columns.map(({ value }) => value),
  };
}

/** With that option, MikroORM returns undefined for NULL. */
function withNulls(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? null]));
}

/** MikroORM reads the name of such a member as that of a class, and throws if it has none. */
const isReserved: IsReserved = (name) => name === 'constructor';

/** MikroORM converts each element of an array to text. */
function isTextProperty({ type, runtimeType = '' }: Property): boolean {
  return type === 'JsonType' || ['string', 'string[]'].includes(runtimeType);
}

/** Not a path of an embeddable, such as `address_city`, nor a property that MikroORM does not read. */
function isColumn({ embedded, persist, formula }: Property): boolean {
  return embedded === undefined && (persist !== false || formula !== undefined);
}

interface Property {
  readonly fieldNames?: readonly string[];
  readonly type?: string;
  readonly runtimeType?: string;
  readonly embedded?: unknown;
  readonly persist?: boolean;
  readonly formula?: unknown;
  readonly customType?: {
    convertToDatabaseValue(value: unknown, platform: unknown, context: object): unknown;
  };
}

interface Metadata {
  readonly className: string;
  readonly tableName: string;
  readonly schema?: string;
  readonly properties: Readonly<Record<string, Property>>;
}

interface EntityManager {
  /** Not in a mock. */
  readonly config?: { get(name: string): unknown };
  getPlatform?(): { quoteIdentifier(name: string): string };
  fork(): EntityManager;
  transactional(act: (em: EntityManager) => Promise<void>, options: object): Promise<void>;
  execute(sql: string, values: readonly unknown[]): Promise<readonly unknown[]>;
  getTransactionContext(): unknown;
  getMetadata(entity: object | string): Metadata;
  findOne(entity: object | string, where: Row, options: object): PromiseLike<Row | null>;
  nativeUpdate(entity: object | string, where: Row, set: Row, options: object): PromiseLike<number>;
  insert(entity: object | string, row: Row, options: object): PromiseLike<unknown>;
  nativeDelete(entity: object | string, where: Row, options: object): PromiseLike<number>;
}

/** MikroORM would read a name that is not a property as NULL. */
function findProperty(em: EntityManager, entity: object | string, name: string): Property {
  const { className, properties } = em.getMetadata(entity);
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (property !== undefined && isColumn(property)) return property;
  throw new TypeError(
    `mikroormRows(): the entity ${className} has no property ${JSON.stringify(name)} with a column of its own. ` +
      'Name it as the entity does; an embeddable has one with object: true.',
  );
}
