import { expected, typed } from '../../config/expectation';
import { hasMethods, isObject } from '../../config/object';
import { OptionsCheck } from '../../config/options-check';
import { type Kind, toColumnKind } from '../columns/kind';
import { keepRows, libraryRows } from '../library-rows';
import { assertNoReserved, GeneratedColumnError, type IsReserved } from '../refusals';
import type { EntityRows, Row, SchemaColumn } from '../rows';
import type { Statement } from '../sql/statement';
import { isName, notOnSqlite } from './arguments';
import type { JsonOfRow } from './json-of';
import { sqlKinds } from './sql-types';

/** The methods of a MikroORM `EntityManager` that `mikroormRows` calls. */
export interface MikroormEntityManager {
  fork(options?: never): unknown;
}

/** The JSON of each member of an entity, by its class or its `EntitySchema`. */
type MikroormJson<E> = E extends { prototype: infer Entity } | { meta: { prototype: infer Entity } }
  ? JsonOfRow<Entity>
  : unknown;

/**
 * Accesses a table through MikroORM, for `rowStore`, on PostgreSQL, MySQL or MariaDB. It reads an entity with
 * `em.findOne`, sets what has changed, and flushes, as your app does; it creates with `em.create`, and
 * deletes with `em.remove`. It works in a fork of the entity manager, so that it reads nothing from an
 * identity map, which could be stale, and flushes no other entity of your app.
 *
 * Columns have the names of the entity's properties. Hooks, subscribers, `onUpdate`, version properties,
 * custom types and filters that are enabled by default apply.
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
export function mikroormRows<E extends object | string>(
  em: MikroormEntityManager,
  entity: E,
): EntityRows<MikroormJson<E>> {
  return keptRows(em, entity);
}

const keptRows = keepRows((em: MikroormEntityManager, entity: object | string) => {
  const check = new OptionsCheck('mikroormRows()');
  check.value(
    'em',
    em,
    typed(
      // Only SQL drivers have `execute`; `upsertMany` is new in 5.6.
      () => hasMethods(em, ['fork', 'execute', 'upsertMany']),
      'Pass orm.em, or the em of a transaction.',
      'is not an EntityManager of MikroORM 5.9 or later with a SQL driver',
    ),
  );
  check.value(
    'em',
    em,
    expected(() => !isObject(em) || Reflect.get(em, 'disableTransactions') !== true, {
      code: 'option-value',
      reason: 'begins no transactions, so a row cannot be locked until it is written',
      fix: 'Leave out disableTransactions in MikroORM.init(), and ignoreNestedTransactions in em.transactional().',
    }),
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
});

/** An entity, and the fork that manages it. */
interface Managed {
  readonly entity: Entity;
  readonly em: EntityManager;
}

function createRows(
  entityManager: EntityManager,
  entityName: object | string,
  isJoined = false,
): EntityRows<never> {
  const readMetadata = () => entityManager.getMetadata(entityName);
  const findProperties = (names: readonly string[]) => {
    const metadata = readMetadata();
    return names.map((name) => findProperty(metadata, name));
  };
  /** A fork without the entities that the app has changed but not flushed. */
  const fork = (): EntityManager => {
    const own = entityManager.fork();
    const ctx = entityManager.getTransactionContext();
    // Not every release has the option keepTransactionContext.
    if (ctx !== undefined) own.setTransactionContext(ctx);
    return own;
  };
  const findManaged = async (where: Row, options: object = {}): Promise<Managed | undefined> => {
    const em = fork();
    // A cached state can be stale, and an entity without an identity map would not be saved.
    const current = { cache: false, disableIdentityMap: false };
    // MikroORM modifies its arguments.
    const entity = await em.findOne(entityName, { ...where }, { ...options, ...current });
    return entity === null ? undefined : { entity, em };
  };
  /** The entity that each row was read from, for the write in the same transaction. */
  const managedEntities = new WeakMap<Row, Managed>();
  // An EntityManager itself finds the transaction that it is in.
  const origin = {
    handle: undefined,
    get joins() {
      return entityManager.getTransactionContext() !== undefined;
    },
    fixMissing: 'The convertToJSValue of a custom type must not return undefined.',
  };
  return libraryRows(origin, {
    find: async (where, columns, _casts, isLocked) => {
      const properties = findProperties(columns);
      // A transaction of the app may be at REPEATABLE READ, and have read an older state of the row.
      const isOld = isLocked === true && isJoined && isMysql(entityManager);
      const options = isOld ? { lockMode: pessimisticWrite } : {};
      const managed = await findManaged(where, options);
      // An entity must not have lazy properties when it is saved, because a hook could hash a hash.
      const fields = properties.filter(({ property }) => property.lazy === true).map(({ name }) => name);
      const others = fields.length === 0 ? managed : await findManaged(where, { ...options, fields });
      if (managed === undefined || others === undefined) return undefined;
      const values = properties.map((one) => readProperty(fields.includes(one.name) ? others : managed, one));
      const row = Object.fromEntries(columns.map((name, index) => [name, values[index]]));
      managedEntities.set(row, managed);
      return row;
    },
    // Locked by SQL, because findOne would also lock eager relations, and in PostgreSQL the key against
    // references.
    lock: (where) => {
      const { text, values } = createLock(entityManager, readMetadata(), where);
      return entityManager.execute(text, values);
    },
    save: async (where, set, row) => {
      const data = toData(set);
      const properties = findProperties(Object.keys(data));
      for (const property of properties) assertWritten(readMetadata(), property);
      const managed = managedEntities.get(row) ?? (await findManaged(where));
      if (managed === undefined) return undefined;
      let setting: string | undefined;
      try {
        for (const one of properties) {
          setting = one.name;
          // MikroORM itself increments a version, and compares it with the version of the entity.
          if (one.property.version !== true) setProperty(managed, one, data[one.name]);
        }
        await managed.em.flush();
      } catch (error) {
        throw nameColumn(error, readMetadata(), setting);
      }
      return Object.fromEntries(properties.map((one) => [one.name, readProperty(managed, one)]));
    },
    insert: async (row) => {
      const data = toData(row);
      findProperties(Object.keys(data));
      const em = fork();
      try {
        em.persist(em.create(entityName, data));
        await em.flush();
      } catch (error) {
        throw nameColumn(error, readMetadata());
      }
    },
    delete: async (where, row) => {
      const managed = managedEntities.get(row) ?? (await findManaged(where));
      if (managed === undefined) return 0;
      managed.em.remove(managed.entity);
      await managed.em.flush();
      return 1;
    },
    // In a fork, whose commit flushes no other entities of the app.
    transaction: (run) => {
      const ctx = entityManager.getTransactionContext();
      const options =
        ctx === undefined && isMysql(entityManager) ? { isolationLevel: 'read committed' } : { ctx };
      const act = (inner: EntityManager) => run(createRows(inner, entityName, ctx !== undefined), inner);
      return entityManager.fork().transactional(act, options);
    },
    get columnNames() {
      const columns = Object.entries(readMetadata().properties).filter(([, property]) => isColumn(property));
      return Object.fromEntries(columns.map(([name, { fieldNames: [field = name] = [] }]) => [name, field]));
    },
    get columnForms() {
      const texts = Object.entries(readMetadata().properties).filter(([, property]) =>
        isTextProperty(property),
      );
      return Object.fromEntries(texts.map(([name]) => [name, 'iso' as const]));
    },
    get columnKinds() {
      const properties = Object.entries(readMetadata().properties);
      return Object.fromEntries(properties.map(([name, property]) => [name, toSchemaColumn(property)]));
    },
  });
}

/** MikroORM would read a name that is not a property as NULL. */
function findProperty({ className, properties }: Metadata, name: string): Named {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (property !== undefined && isColumn(property)) return { name, property };
  throw new TypeError(
    `mikroormRows(): the entity ${className} has no property ${JSON.stringify(name)} with a column of its own. ` +
      'Name it as the entity does; for an embeddable, set object: true.',
  );
}

function isMysql(em: EntityManager): boolean {
  return em.getPlatform?.().quoteIdentifier('a') === '`a`';
}

/** `LockMode.PESSIMISTIC_WRITE` */
const pessimisticWrite = 4;

/** With the option forceUndefined, MikroORM returns undefined for NULL. */
function readProperty({ entity, em }: Managed, { name, property }: Named): unknown {
  const held = entity[name];
  const value = isScalar(property) && isReference(held) ? held.unwrap() : held;
  if (value === undefined && em.config?.get('forceUndefined') === true) return null;
  return readKind(property) === 'embedded' ? toJson(value) : value;
}

/**
 * An embeddable as JSON, in which dates can be compared, and without members that its class declares but that
 * have no value. Its toJSON would also leave out hidden members, so that a write would lose them.
 */
function toJson(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, toJson(member)]));
}

function createLock(em: EntityManager, metadata: Metadata, where: Row): Statement {
  const { tableName, schema } = metadata;
  const platform = em.getPlatform?.();
  const quote = (name: string) => platform?.quoteIdentifier(name) ?? name;
  const columns = Object.entries(where).map(([name, value]) => {
    const { fieldNames: [field = name] = [], customType } = findProperty(metadata, name).property;
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

/** MikroORM would write undefined as NULL. */
function toData(row: Row): Row {
  const entries = Object.entries(row).filter(([, value]) => value !== undefined);
  for (const [name, value] of entries) assertNoReserved(name, value, isReserved);
  return Object.fromEntries(entries);
}

/** MikroORM takes the value of such a member for a class, and throws if it has no name. */
const isReserved: IsReserved = (name) => name === 'constructor';

/** @throws GeneratedColumnError or TypeError for a property that MikroORM silently leaves out of an UPDATE */
function assertWritten(
  { className, readonly, root, discriminatorColumn = root?.discriminatorColumn }: Metadata,
  { name, property }: Named,
): void {
  if (property.generated !== undefined || property.persist === false) throw new GeneratedColumnError([name]);
  if (readonly !== true && name !== discriminatorColumn) return;
  throw new TypeError(
    `mikroormRows(): MikroORM does not write the property ${JSON.stringify(name)} of ${className}. ` +
      'Declare it as { kind, readOnly: true }.',
  );
}

function setProperty({ entity, em }: Managed, { name, property }: Named, value: unknown): void {
  const held = entity[name];
  if (isScalar(property) && isReference(held)) held.set(value);
  else if (isScalar(property) || value === null) entity[name] = value;
  // `assign` makes an instance of the class of an embeddable, and a reference of a key.
  else em.assign(entity, { [name]: value }, { mergeEmbeddedProperties: false, mergeObjects: false });
}

/** The value of a lazy property with `ref: true`. */
interface ScalarReference {
  unwrap(): unknown;
  set(value: unknown): void;
}

function isReference(value: unknown): value is ScalarReference {
  return hasMethods(value, ['unwrap', 'set']);
}

function isScalar(property: Property): boolean {
  return readKind(property) === 'scalar';
}

function readKind({ reference, kind = reference ?? 'scalar' }: Property): string {
  return kind;
}

/**
 * MikroORM's own errors about an entity, which it throws before it sends anything, each with the SQLSTATE of
 * a database.
 */
const ownIssues: readonly (readonly [pattern: RegExp, code: string])[] = [
  [/^Value for [^.]+\.(\S+) is required/, '23502'],
  [/^Trying to set [^.]+\.(\S+) of type/, '22000'],
  [/^You must pass a non-(?:null|undefined) value to the property (\S+) of/, '22000'],
];

/** Adds the code and the column of a database error to an error of MikroORM. */
function nameColumn(error: unknown, { properties }: Metadata, setting = ''): unknown {
  const message = error instanceof Error ? error.message : '';
  for (const [pattern, code] of ownIssues) {
    const [, name] = pattern.exec(message) ?? [];
    if (name === undefined) continue;
    const property = Object.hasOwn(properties, name) ? properties[name] : properties[setting];
    return Object.assign(Object(error) as object, { code, column: property?.fieldNames?.[0] ?? name });
  }
  return error;
}

/**
 * False for a path of an embeddable, such as `address_city`, and for a property that MikroORM does not read.
 */
function isColumn({ embedded, persist, formula }: Property): boolean {
  return embedded === undefined && (persist !== false || formula !== undefined);
}

/** MikroORM converts each element of an array to text. */
function isTextProperty({ type, runtimeType = '' }: Property): boolean {
  return type === 'JsonType' || ['string', 'string[]'].includes(runtimeType);
}

function toSchemaColumn(property: Property): SchemaColumn {
  const {
    kind = property.reference ?? 'scalar',
    type = '',
    columnTypes: [columnType = ''] = [],
    customType,
    nullable = false,
  } = property;
  const isScalar = kind === 'scalar';
  const isOwn = customType === undefined || ownTypes.includes(customType.constructor.name);
  const values = property.items?.filter((value) => typeof value === 'string') ?? [];
  const isList = columnType.endsWith('[]') || customType?.constructor.name === 'ArrayType';
  const base = isScalar && isOwn ? findKind(property, columnType) : undefined;
  return {
    type: isScalar ? columnType : `${kind} ${type}`,
    kind: base && toColumnKind(base, isList, nullable),
    values: base === 'string' && values.length > 0 ? values : undefined,
    readOnly: isSetBySchema(property),
    convertedBy:
      isScalar && !isOwn && !/^(?:Uint8Array|Blob|Interval)Type$/.test(type) ? 'a custom type' : undefined,
  };
}

/** The types of MikroORM itself that convert values. */
const ownTypes: readonly string[] = [
  ...['ArrayType', 'BigIntType', 'BooleanType', 'DateType', 'DecimalType', 'DoubleType', 'EnumArrayType'],
  ...['EnumType', 'FloatType', 'IntegerType', 'JsonType', 'StringType', 'TextType', 'TimeType', 'UuidType'],
];

/** The kind of a value or an element that MikroORM reads. */
function findKind({ type, runtimeType, items }: Property, columnType: string): Kind | undefined {
  if (items !== undefined) return items.every((item) => typeof item === 'string') ? 'string' : 'integer';
  // MikroORM does not convert the elements of a text column.
  if (type === 'number[]') return undefined;
  const sqlType = columnType
    .toLowerCase()
    .replace(/\(.*?\)/, '')
    .replace(/ unsigned$|\[\]$/g, '');
  const base = sqlKinds.get(sqlType);
  if (columnType.endsWith('[]') || type === 'ArrayType') return base;
  if (type === 'uuid') return 'uuid';
  if (runtimeType === 'boolean') return 'boolean';
  if (runtimeType !== 'number') return base;
  return base === 'bigint' ? 'integer' : base === 'decimal' ? 'number' : base;
}

function isSetBySchema(property: Property): boolean {
  const { primary, autoincrement, generated, formula, version, onUpdate } = property;
  const isCounted = primary === true || autoincrement === true || version === true;
  return isCounted || [generated, formula, onUpdate].some((way) => way !== undefined);
}

type Entity = Record<string, unknown>;

interface Named {
  readonly name: string;
  readonly property: Property;
}

interface Property {
  /** `scalar`, a relation such as `m:1`, or `embedded`, of MikroORM 6 and later. */
  readonly kind?: string;
  /** The same in MikroORM 5. */
  readonly reference?: string;
  readonly type?: string;
  readonly runtimeType?: string;
  readonly columnTypes?: readonly string[];
  readonly nullable?: boolean;
  readonly items?: readonly unknown[];
  readonly primary?: boolean;
  readonly autoincrement?: boolean;
  readonly generated?: unknown;
  readonly formula?: unknown;
  readonly version?: boolean;
  readonly onUpdate?: unknown;
  readonly fieldNames?: readonly string[];
  readonly lazy?: boolean;
  readonly embedded?: unknown;
  readonly persist?: boolean;
  readonly customType?: {
    convertToDatabaseValue(value: unknown, platform: unknown, context: object): unknown;
  };
}

interface Metadata {
  readonly className: string;
  readonly tableName: string;
  readonly schema?: string;
  readonly readonly?: boolean;
  readonly discriminatorColumn?: string;
  readonly root?: { readonly discriminatorColumn?: string };
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
  setTransactionContext(ctx: unknown): void;
  getMetadata(entity: object | string): Metadata;
  findOne(entity: object | string, where: Row, options: object): PromiseLike<Entity | null>;
  create(entity: object | string, row: Row): Entity;
  assign(entity: Entity, set: Row, options: object): unknown;
  persist(entity: Entity): unknown;
  remove(entity: Entity): unknown;
  flush(): Promise<void>;
}
