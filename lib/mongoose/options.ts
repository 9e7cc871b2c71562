import { types } from 'node:util';
import { isShowable } from '../config/inspect';
import { flag, typed, valued } from '../config/expectation';
import { isFunction } from '../config/object';
import type { OptionsCheck } from '../config/options-check';
import type { Expectations } from '../config/read-options';
import { formatPointer } from '../json/pointer';
import { isModel, type Document, type Model, type Schema } from './model';
import { findPath, isClosedPath, readTimestamps, walkPaths } from './paths';

/** Options of `mongooseStore`. */
export interface MongooseStoreOptions<D = unknown> {
  /**
   * The path that identifies a document, or a list of paths, such as `['owner', '_id']`, in the order in
   * which the option `key` of `patchHandler` joins their values. It needs a unique index. Default `'_id'`.
   */
  readonly key?: string | readonly string[];
  /**
   * Returns the value that clients see of a document, as your GET does. Clients can change the members that
   * it shows exactly as they are stored. Default: `(doc) => doc.toJSON()`.
   */
  readonly show?: (doc: D) => unknown;
  /**
   * Paths that clients can set but not see, such as `['password']`, or virtuals with a setter. Default none.
   */
  readonly writeOnly?: readonly string[];
  /** Paths that clients cannot change, such as `['role', 'items.price']`. Default none. */
  readonly readOnly?: readonly string[];
  /** Whether PUT and PATCH can create documents; not with the key `'_id'`. Default false. */
  readonly creates?: boolean;
  /** Whether the store has a `delete` method. Default true. */
  readonly deletes?: boolean;
}

/** The compiled options of a store. */
export interface MongooseSettings {
  readonly model: Model;
  readonly key: readonly string[];
  readonly show: (doc: Document) => unknown;
  readonly writeOnly: ReadonlySet<string>;
  readonly readOnly: ReadonlySet<string>;
  /** JSON Pointers of the members outside of lists that clients cannot change. */
  readonly kept: readonly string[];
  /** The names on the path of the time of the last write; empty if Mongoose does not keep it. */
  readonly updatedAt: readonly string[];
  readonly creates: boolean;
  readonly deletes: boolean;
}

const pathList = typed(
  (value) => Array.isArray(value) && value.every((path) => typeof path === 'string'),
  "Write a list of paths, such as ['role'].",
  'must be a list of paths',
);

const expectations: Expectations<keyof MongooseStoreOptions> = {
  key: valued(
    (value) => [value].flat().length > 0 && [value].flat().every((path) => typeof path === 'string'),
    "Write a path, such as 'slug', or a list of paths, such as ['owner', '_id'].",
    'must be a path or a list of paths',
  ),
  show: typed(
    (value) => isFunction(value) && !types.isAsyncFunction(value),
    'Write (doc) => doc.toJSON().',
    'must be a synchronous function',
  ),
  writeOnly: pathList,
  readOnly: pathList,
  creates: flag,
  deletes: flag,
};

const aModel = typed(
  isModel,
  "Pass the model, such as mongoose.model('Note', schema).",
  'must be a model of Mongoose 8 or 9',
);

export function compileMongooseStore(
  model: unknown,
  options: MongooseStoreOptions<never>,
  check: OptionsCheck,
): MongooseSettings {
  check.value('Model', model, aModel);
  const checked = check.options(options, expectations);
  check.done();
  const { key = '_id', show, writeOnly = [], readOnly = [], creates = false } = checked;
  if (!isModel(model)) throw new TypeError('must be a model');
  const { schema } = model;
  const [, updatedAt] = readTimestamps(schema);
  const keys = [key].flat() as readonly string[];
  checkPaths(check, schema, { key: keys, readOnly, writeOnly });
  checkKey(check, schema, keys, creates);
  check.done();
  return {
    model,
    key: keys,
    updatedAt: typeof updatedAt === 'string' ? updatedAt.split('.') : [],
    show: isFunction(show) ? (show as (doc: Document) => unknown) : (doc) => doc.toJSON(),
    writeOnly: new Set(writeOnly),
    readOnly: new Set([...readOnly, ...keys]),
    kept: [
      ...walkPaths(schema, false).flatMap(({ within, path, option, type }) =>
        isClosedPath(within, path, type, creates) && !option.endsWith('._id') ? option : [],
      ),
      ...Object.keys(schema.virtuals),
      ...keys,
      ...readOnly.filter((path) => schema.pathType(path) !== 'adhocOrUndefined'),
    ].map((path) => formatPointer(path.split('.'))),
    creates,
    deletes: checked.deletes ?? true,
  };
}

function checkPaths(
  check: OptionsCheck,
  schema: Schema,
  paths: Readonly<Record<string, readonly string[]>>,
): void {
  for (const [option, list] of Object.entries(paths)) {
    for (const path of list) {
      const found = findPath(schema, path);
      if (found !== undefined && (found === 'outer' || option === 'readOnly')) continue;
      check.mistake(option, path, {
        code: 'path-unknown',
        reason: found === undefined ? 'is not a path of the schema' : 'is in the elements of a list',
        fix: 'Write the path as in the schema, with dots: address.zip.',
      });
    }
  }
}

function checkKey(check: OptionsCheck, schema: Schema, keys: readonly string[], creates: boolean): void {
  const isUnique =
    keys.includes('_id') ||
    schema
      .indexes()
      .some(
        ([fields, options]) =>
          Boolean(options?.unique) && Object.keys(fields).every((field) => keys.includes(field)),
      );
  if (!isUnique) {
    const members = keys.map((name) => `${isShowable(name) ? name : '…'}: 1`);
    check.mistake('key', keys.join(), {
      code: 'key-not-unique',
      reason: 'has no unique index, so it can lead to several documents',
      fix: `Declare it: schema.index({ ${members.join(', ')} }, { unique: true }).`,
    });
  }
  if (creates && keys.includes('_id')) {
    check.mistake('creates', creates, {
      code: 'option-conflict',
      reason: 'cannot be combined with the key _id, which MongoDB or Mongoose creates',
      fix: 'Leave creates out, and create documents with POST, or use another key.',
    });
  }
}
