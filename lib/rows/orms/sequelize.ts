import { anything, typed } from '../../config/expectation';
import { hasMethods, isObject } from '../../config/object';
import { OptionsCheck } from '../../config/options-check';
import { type Kind, toColumnKind } from '../columns/kind';
import { keepRows, libraryRows } from '../library-rows';
import type { ColumnKinds, DeclaredForms, EntityRows, Row, SchemaColumn } from '../rows';
import { notOnSqlite, relationsNamed } from './arguments';
import type { JsonOfRow } from './json-of';

/** The static methods of a Sequelize model that `sequelizeRows` calls. */
export interface SequelizeModel {
  readonly name: string;
  getAttributes(): object;
  findOne(options: never): PromiseLike<unknown>;
  create(values: never, options: never): PromiseLike<unknown>;
}

/** The JSON of each attribute of a model. */
type SequelizeJson<M> = M extends new (...values: never) => { _attributes: infer Attributes }
  ? JsonOfRow<Attributes>
  : unknown;

/** Options of `sequelizeRows`. */
export interface SequelizeRowsOptions {
  /** The transaction in which the statements run. Default: none, or the transaction of CLS. */
  readonly transaction?: object;
}

/**
 * Accesses a table through Sequelize, for `rowStore`, on PostgreSQL, MySQL or MariaDB. It reads an instance with
 * `Model.findOne`, sets what has changed, and saves it with `save`, as your app does; it deletes with `destroy`.
 *
 * Columns have the names of the model's attributes. Validators, setters, getters, hooks and the default scope of the
 * model apply. Soft-deleted rows of a paranoid model are not found, and `delete` soft-deletes.
 *
 * ```ts
 * const notes = rowStore({
 *   ...sequelizeRows(Note),
 *   columns: { title: 'string' },
 *   key: 'slug',
 * });
 * ```
 *
 * @throws ConfigurationError
 */
export function sequelizeRows<M extends SequelizeModel>(
  model: M,
  options?: SequelizeRowsOptions,
): EntityRows<SequelizeJson<M>> {
  // Before Model.init(), the dialect cannot be checked.
  const isInitialized = hasMethods(model, []) && Reflect.get(model, 'sequelize') !== undefined;
  return options === undefined && isInitialized
    ? keptRows(model, undefined)
    : checkedRows(model, options ?? {});
}

const keptRows = keepRows((model: SequelizeModel) => checkedRows(model, {}));

function checkedRows(model: SequelizeModel, options: SequelizeRowsOptions): EntityRows<never> {
  const check = new OptionsCheck('sequelizeRows()');
  const { transaction } = check.options(options, { transaction: anything });
  check.value(
    'model',
    model,
    typed(
      () => hasMethods(model, ['findOne', 'create', 'getAttributes']),
      'Pass the class, as in sequelizeRows(Note).',
      'is not a model of Sequelize 6.12 or later',
    ),
  );
  const modelClass = model as unknown as Model;
  check.value(
    'model',
    model,
    notOnSqlite(() => readDialect(modelClass)),
  );
  check.done();
  return createRows(modelClass, transaction);
}

function createRows(modelClass: Model, transaction?: unknown, isJoined = false): EntityRows<never> {
  const inside = transaction === undefined ? {} : { transaction };
  const findParent = (): unknown =>
    transaction ?? modelClass.sequelize.constructor._cls?.get('transaction') ?? undefined;
  const origin = {
    // The transaction can also come from CLS.
    handle: undefined,
    get joins() {
      return findParent() !== undefined;
    },
    fixMissing,
  };
  /** The instance that each row was read from, for the write in the same transaction. */
  const instances = new WeakMap<Row, Instance>();
  return libraryRows(origin, {
    find: async (where, columns, _casts, isLocked) => {
      checkAttributes(modelClass, columns);
      // A transaction of the app can be at REPEATABLE READ, and have read an older state of the row.
      const isOld = isLocked === true && isJoined && readDialect(modelClass) !== 'postgres';
      const options = { where, ...(isOld && { lock: 'UPDATE' }), ...inside };
      const instance = await modelClass.findOne(options);
      if (instance === null) return undefined;
      // Attributes that are not in the default scope must not be in an instance that is saved, because a hook
      // could hash a hash.
      const attributes = columns.filter((name) => !isLoaded(modelClass, instance, name));
      const others =
        attributes.length > 0 ? await modelClass.unscoped().findOne({ ...options, attributes }) : instance;
      if (others === null) return undefined;
      const row = Object.fromEntries(
        columns.map((name) => [name, readAttribute(attributes.includes(name) ? others : instance, name)]),
      );
      instances.set(row, instance);
      return row;
    },
    // Without the default scope, whose joins would be locked, too.
    lock: async (where) => {
      const lock = readDialect(modelClass) === 'postgres' ? 'NO KEY UPDATE' : 'UPDATE';
      const attributes = Object.keys(where);
      const options = { where, attributes, lock, raw: true, hooks: false, paranoid: false, ...inside };
      const row = await modelClass.unscoped().findOne(options);
      return row === null ? 0 : 1;
    },
    save: async (where, set, row) => {
      const names = Object.keys(set);
      checkAttributes(modelClass, names);
      const instance = instances.get(row) ?? (await modelClass.findOne({ where, ...inside }));
      if (instance === null) return undefined;
      for (const name of names) setAttribute(modelClass, instance, name, set[name]);
      await instance.save(inside);
      return Object.fromEntries(names.map((name) => [name, readAttribute(instance, name)]));
    },
    insert: async (row) => {
      checkAttributes(modelClass, Object.keys(row));
      await modelClass.create({ ...row }, inside);
    },
    delete: async (where, row) => {
      const instance = instances.get(row) ?? (await modelClass.findOne({ where, ...inside }));
      if (instance === null) return 0;
      await instance.destroy(inside);
      return 1;
    },
    transaction: (run) => {
      const parent = findParent();
      // A savepoint has no isolation level.
      const isolationLevel = readDialect(modelClass) === 'postgres' ? undefined : 'READ COMMITTED';
      const options = parent === undefined ? { isolationLevel } : { transaction: parent };
      return modelClass.sequelize.transaction(options, (own) =>
        run(createRows(modelClass, own, parent !== undefined), own),
      );
    },
    get columnNames() {
      return readColumnNames(modelClass);
    },
    get columnForms() {
      return readForms(modelClass);
    },
    get columnKinds() {
      return readKinds(modelClass);
    },
  });
}

const fixMissing =
  'Name an attribute that is stored in a column, and whose getter does not return undefined.';

/** Undefined before `Model.init`. */
function readDialect({ sequelize }: Model): string | undefined {
  return (sequelize as Model['sequelize'] | undefined)?.getDialect();
}

/** Unknown attributes are an error here, because Sequelize silently omits them from an UPDATE. */
function checkAttributes(model: Model, names: readonly string[]): void {
  const attributes = model.getAttributes();
  const missing = names.find((name) => !Object.hasOwn(attributes, name));
  if (missing === undefined) return;
  throw new TypeError(
    `sequelizeRows(): the model ${model.name} has no attribute ${JSON.stringify(missing)}. ` +
      'Name it as the model does.',
  );
}

/** Whether the default scope reads the attribute, or the attribute has no column. */
function isLoaded(model: Model, { dataValues }: Instance, name: string): boolean {
  return Object.hasOwn(dataValues, name) || readElementKey(model.getAttributes()[name]?.type) === 'VIRTUAL';
}

/** A getter can return undefined for NULL, as `value?.trim()` does. */
function readAttribute(instance: Instance, name: string): unknown {
  const value = instance.get(name);
  return value === undefined && instance.getDataValue(name) === null ? null : value;
}

/** `set` ignores attributes that Sequelize sets itself, such as the time of a soft delete. */
function setAttribute(model: Model, instance: Instance, name: string, value: unknown): void {
  const isTimestamp = model._readOnlyAttributes?.has(name) === true && name !== model._versionAttribute;
  if (isTimestamp) instance.setDataValue(name, value);
  else instance.set(name, value);
}

/** Undefined before `Model.init`. */
function readColumnNames(model: Model): Readonly<Record<string, string>> | undefined {
  const attributes = model.getAttributes() as ReturnType<Model['getAttributes']> | undefined;
  if (attributes === undefined) return undefined;
  return Object.fromEntries(Object.entries(attributes).map(([name, { field = name }]) => [name, field]));
}

/** Sequelize reads days and times as text, and would write the day of a Date in the process's time zone. */
function readForms(model: Model): DeclaredForms['columnForms'] {
  const attributes = model.getAttributes() as ReturnType<Model['getAttributes']> | undefined;
  if (attributes === undefined) return undefined;
  const texts = Object.entries(attributes).filter(([, { type }]) => isTextType(type));
  return Object.fromEntries(texts.map(([name]) => [name, 'iso']));
}

const textTypes: readonly unknown[] = [
  ...['DATEONLY', 'TIME', 'STRING', 'CHAR', 'TEXT', 'CITEXT', 'JSON', 'JSONB'],
];

function isTextType(type: unknown): boolean {
  return textTypes.includes(readElementKey(type));
}

/** Sequelize's key of a type, or of the element type of an ARRAY. */
function readElementKey(type: unknown): unknown {
  if (!isObject(type)) return undefined;
  const key: unknown = Reflect.get(type, 'key');
  return key === 'ARRAY' ? readElementKey(Reflect.get(type, 'type')) : key;
}

/** Undefined before `Model.init`. */
function readKinds(model: Model): ColumnKinds<never> | undefined {
  const attributes = model.getAttributes() as ReturnType<Model['getAttributes']> | undefined;
  if (attributes === undefined) return undefined;
  const isReadOnly = (name: string) => model._readOnlyAttributes?.has(name) === true;
  const columns = Object.entries(attributes).map(
    ([name, attribute]) => [name, toSchemaColumn(attribute, isReadOnly(name))] as const,
  );
  return { ...relationsNamed(Object.keys(model.associations ?? {})), ...Object.fromEntries(columns) };
}

/** @param isReadOnly - whether Sequelize sets it itself: a date of its own, or the version */
function toSchemaColumn(attribute: Attribute, isReadOnly: boolean): SchemaColumn {
  const { type, allowNull = true, primaryKey = false, autoIncrement = false } = attribute;
  const isList = readMember(type, 'key') === 'ARRAY';
  const element = isList ? readMember(type, 'type') : type;
  const key = String(readMember(element, 'key'));
  const values = readMember(element, 'values');
  const isBinary = readMember(element, '_binary') === true;
  const base = isBinary || attribute.get !== undefined ? undefined : sequelizeKinds.get(key);
  return {
    type: `${key}${isBinary ? '.BINARY' : ''}${isList ? '[]' : ''}`,
    kind: base && toColumnKind(base, isList, allowNull && !primaryKey),
    values: base === 'string' && Array.isArray(values) && values.length > 0 ? values.map(String) : undefined,
    readOnly: primaryKey || autoIncrement || isReadOnly,
    convertedBy: attribute.get === undefined ? undefined : 'a getter',
  };
}

/** The kinds of Sequelize's types, by their keys. */
export const sequelizeKinds: ReadonlyMap<string, Kind> = new Map([
  ...(['STRING', 'CHAR', 'TEXT', 'CITEXT', 'ENUM', 'INET', 'CIDR', 'MACADDR'] as const).map(
    (type) => [type, 'string'] as const,
  ),
  ...(['TINYINT', 'SMALLINT', 'MEDIUMINT', 'INTEGER'] as const).map((type) => [type, 'integer'] as const),
  ['BIGINT', 'bigint'],
  ...(['FLOAT', 'REAL', 'DOUBLE PRECISION'] as const).map((type) => [type, 'number'] as const),
  ['DECIMAL', 'decimal'],
  ['BOOLEAN', 'boolean'],
  ['DATE', 'date'],
  ['DATEONLY', 'day'],
  ['TIME', 'time'],
  ['UUID', 'uuid'],
  ...(['JSON', 'JSONB'] as const).map((type) => [type, 'json'] as const),
]);

function readMember(object: unknown, name: string): unknown {
  return isObject(object) ? Reflect.get(object, name) : undefined;
}

interface Attribute {
  readonly field?: string;
  readonly type?: unknown;
  readonly allowNull?: boolean;
  readonly primaryKey?: boolean;
  readonly autoIncrement?: boolean;
  readonly get?: unknown;
}

interface Instance {
  readonly dataValues: object;
  get(name: string): unknown;
  getDataValue(name: string): unknown;
  set(name: string, value: unknown): void;
  setDataValue(name: string, value: unknown): void;
  save(options: object): PromiseLike<unknown>;
  destroy(options: object): PromiseLike<unknown>;
}

interface Model {
  readonly name: string;
  readonly _readOnlyAttributes?: ReadonlySet<string>;
  readonly _versionAttribute?: string;
  readonly sequelize: {
    readonly constructor: { readonly _cls?: { get(name: string): unknown } };
    getDialect(): string;
    transaction(options: object, act: (transaction: object) => Promise<void>): Promise<void>;
  };
  unscoped(): Model;
  readonly associations?: object;
  getAttributes(): Readonly<Record<string, Attribute>>;
  findOne(options: object): PromiseLike<Instance | null>;
  create(values: Row, options: object): PromiseLike<unknown>;
}
