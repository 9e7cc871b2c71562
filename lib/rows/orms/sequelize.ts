import { anything, typed } from '../../config/expectation';
import { isObject } from '../../config/object';
import { OptionsCheck } from '../../config/options-check';
import { libraryRows } from '../library-rows';
import type { DeclaredForms, OrmRows, Row } from '../rows';
import { hasMethods, notOnSqlite } from './arguments';

/** The static methods of a Sequelize model that `sequelizeRows` calls. */
export interface SequelizeModel {
  readonly name: string;
  getAttributes(): object;
  findOne(options: never): PromiseLike<unknown>;
  update(values: never, options: never): PromiseLike<unknown>;
  create(values: never, options: never): PromiseLike<unknown>;
  destroy(options: never): PromiseLike<unknown>;
}

/** Options of `sequelizeRows`. */
export interface SequelizeRowsOptions {
  /** The transaction in which the statements run. Default: none, or that of CLS. */
  readonly transaction?: object;
}

/**
 * Accesses a table through Sequelize, for `rowStore`, on PostgreSQL, MySQL or MariaDB. It writes with `Model.update`.
 *
 * Columns have the names of the model's attributes. Validators, setters, getters, the default scope and bulk
 * hooks of the model apply. Soft-deleted rows of a paranoid model are not found, and `delete` soft-deletes.
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
export function sequelizeRows(model: SequelizeModel, options: SequelizeRowsOptions = {}): OrmRows {
  const check = new OptionsCheck('sequelizeRows()');
  const { transaction } = check.options(options, { transaction: anything });
  check.value(
    'model',
    model,
    typed(
      () => hasMethods(model, ['findOne', 'update', 'create', 'destroy', 'getAttributes']),
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

function createRows(modelClass: Model, transaction?: unknown): OrmRows {
  const inside = transaction === undefined ? {} : { transaction };
  const findParent = (): unknown =>
    transaction ?? modelClass.sequelize.constructor._cls?.get('transaction') ?? undefined;
  const origin = {
    // The transaction can also be that of CLS.
    handle: undefined,
    get joins() {
      return findParent() !== undefined;
    },
    fixMissing,
  };
  return libraryRows(origin, {
    find: async (where, columns, _casts, isLocked) => {
      checkAttributes(modelClass, columns);
      const lock = isLocked === true && readDialect(modelClass) !== 'postgres' ? { lock: 'UPDATE' } : {};
      const instance = await modelClass.findOne({ where, attributes: [...columns], ...lock, ...inside });
      return instance && Object.fromEntries(columns.map((name) => [name, readAttribute(instance, name)]));
    },
    // Without the default scope, which can contain joins: they would be locked, too.
    lock: async (where) => {
      const lock = readDialect(modelClass) === 'postgres' ? 'NO KEY UPDATE' : 'UPDATE';
      const attributes = Object.keys(where);
      const row = await modelClass
        .unscoped()
        .findOne({ where, attributes, lock, raw: true, hooks: false, ...inside });
      return row === null ? 0 : 1;
    },
    update: async (where, set) => {
      checkAttributes(modelClass, Object.keys(set));
      const [count] = await modelClass.update({ ...set }, { where, ...inside });
      return count;
    },
    insert: async (row) => {
      checkAttributes(modelClass, Object.keys(row));
      await modelClass.create({ ...row }, inside);
    },
    delete: (where) => modelClass.destroy({ where, ...inside }),
    transaction: (run) => {
      const parent = findParent();
      // A savepoint has no isolation level.
      const isolationLevel = readDialect(modelClass) === 'postgres' ? undefined : 'READ COMMITTED';
      const options = parent === undefined ? { isolationLevel } : { transaction: parent };
      return modelClass.sequelize.transaction(options, (own) => run(createRows(modelClass, own), own));
    },
    get columnNames() {
      return readNames(modelClass);
    },
    get columnForms() {
      return readForms(modelClass);
    },
  });
}

const fixMissing =
  'Name an attribute that is stored in a column, and whose getter does not return undefined.';

/** Undefined before `Model.init`. */
function readDialect({ sequelize }: Model): string | undefined {
  return (sequelize as Model['sequelize'] | undefined)?.getDialect();
}

interface Instance {
  get(name: string): unknown;
  getDataValue(name: string): unknown;
}

interface Model {
  readonly name: string;
  readonly sequelize: {
    readonly constructor: { readonly _cls?: { get(name: string): unknown } };
    getDialect(): string;
    transaction(options: object, act: (transaction: object) => Promise<void>): Promise<void>;
  };
  unscoped(): Model;
  getAttributes(): Readonly<Record<string, { readonly field?: string; readonly type?: unknown }>>;
  findOne(options: object): PromiseLike<Instance | null>;
  update(values: Row, options: object): PromiseLike<readonly unknown[]>;
  create(values: Row, options: object): PromiseLike<unknown>;
  destroy(options: object): PromiseLike<unknown>;
}

/** A getter can return undefined for NULL, as `value?.trim()` does. */
function readAttribute(instance: Instance, name: string): unknown {
  const value = instance.get(name);
  return value === undefined && instance.getDataValue(name) === null ? null : value;
}

/** Undefined before `Model.init`. */
function readNames(model: Model): Readonly<Record<string, string>> | undefined {
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

/** Sequelize's key of a type, or of the type of the elements of an ARRAY. */
function readElementKey(type: unknown): unknown {
  if (!isObject(type)) return undefined;
  const key: unknown = Reflect.get(type, 'key');
  return key === 'ARRAY' ? readElementKey(Reflect.get(type, 'type')) : key;
}

/**
 * Sequelize silently omits unknown attributes from an UPDATE: if it were the version, updates would be lost.
 */
function checkAttributes(model: Model, names: readonly string[]): void {
  const attributes = model.getAttributes();
  const missing = names.find((name) => !Object.hasOwn(attributes, name));
  if (missing === undefined) return;
  throw new TypeError(
    `sequelizeRows(): the model ${model.name} has no attribute ${JSON.stringify(missing)}. ` +
      'Name it as the model does.',
  );
}
