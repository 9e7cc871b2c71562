import { AsyncLocalStorage } from 'node:async_hooks';
import { isDeepStrictEqual, types } from 'node:util';
import { isThenable } from '../config/object';
import { OptionsCheck } from '../config/options-check';
import { ignoreRejection } from '../config/unawaited';
import { ProblemError } from '../http/problem';
import { readChild, valueAt } from '../json/pointer';
import { isContainer, type JsonObject } from '../json/value';
import { invalidResult } from '../stores/contract/invalid-result';
import { isStorableKey, splitKey } from '../stores/contract/key';
import {
  type DeleteContext,
  type FoundState,
  noContext,
  type ReadContext,
  type ResourceStore,
  type Stored,
  throwIfAborted,
  type WriteContext,
} from '../stores/contract/resource-store';
import { toJsonText } from '../stores/contract/serialize';
import { DocumentChanges } from './document-changes';
import type { Document, DriverOperation } from './model';
import { compileMongooseStore, type MongooseSettings, type MongooseStoreOptions } from './options';
import { withoutDefaults, withoutUnknown } from './paths';
import { findInvalidPaths, hasName, invalidDocument, readDuplicate, toDuplicateRefusal } from './refusals';
import { isShownAs } from './stored-value';

/** The store that `mongooseStore` returns, with a `delete` method unless the option `deletes` is false. */
export type MongooseStore<O> = Omit<ResourceStore<JsonObject>, 'delete'> &
  (O extends { readonly deletes: false } ? unknown : Required<Pick<ResourceStore<JsonObject>, 'delete'>>);

/**
 * Creates a store over a model of Mongoose 8 or 9: each document is a resource. Clients see the result of
 * `toJSON()`, and can change the members that it shows exactly as they are stored. A change sets the paths
 * that differ, and saves the document with all validators and hooks, on the condition that the database still
 * has the content that was read.
 *
 * ```ts
 * const notes = mongooseStore(mongoose.model('Note', noteSchema), { writeOnly: ['password'] });
 * ```
 *
 * @throws ConfigurationError with every mistake
 */
export function mongooseStore<
  M extends abstract new (...args: never[]) => unknown,
  const O extends MongooseStoreOptions<InstanceType<M>>,
>(Model: M, options?: O & MongooseStoreOptions<InstanceType<M>>): MongooseStore<O>;
export function mongooseStore(Model: unknown, options: MongooseStoreOptions<never> = {}): unknown {
  const settings = compileMongooseStore(Model, options, new OptionsCheck('mongooseStore()'));
  const store = new DocumentStore(settings);
  return {
    get: store.get.bind(store),
    replace: store.replace.bind(store),
    accept: (_key: string, next: unknown, current?: unknown) => withoutUnknown(settings, next, current),
    versions: false,
    readOnly: settings.kept,
    writeOnly: [...settings.writeOnly].map((path) => `/${path.replaceAll('.', '/')}`),
    ...(settings.deletes ? { delete: store.delete.bind(store) } : {}),
    ...(settings.creates ? {} : { creates: false }),
  };
}

/** The result of one `get`, which becomes the handle of its state. */
class Reading {
  /** Whether a change has modified the document, so that no other change can use it. */
  isUsed = false;

  /** @param raw - the content of the database, without the casts and defaults of Mongoose */
  constructor(
    readonly key: string,
    readonly raw: object,
    readonly doc: Document,
  ) {}
}

/** The save whose hooks are watched. */
const watching = new AsyncLocalStorage<Condition>();

class DocumentStore {
  readonly #settings: MongooseSettings;
  /** The requests that have lost a race. */
  readonly #losers = new WeakSet();

  constructor(settings: MongooseSettings) {
    this.#settings = settings;
  }

  async get(key: string, context: ReadContext = noContext): Promise<Stored<JsonObject> | undefined> {
    throwIfAborted(context);
    const reading = await this.#load(key);
    return reading && this.#toState(reading);
  }

  async replace(
    key: string,
    expected: string | null,
    next: unknown,
    context: WriteContext = noContext,
  ): Promise<Stored<JsonObject> | FoundState<JsonObject> | undefined> {
    throwIfAborted(context);
    // A copy, because the caller can modify the value while the write is under way.
    const value: unknown = JSON.parse(toJsonText(next, context.maxBytes));
    const reading = expected === null ? this.#create(key) : await this.#take(key, expected, context);
    if (reading === undefined || 'current' in reading) return reading;
    const { raw, doc } = reading;
    const changes = new DocumentChanges(this.#settings);
    changes.set(doc, raw, this.#show(doc), value);
    const invalid = changes.findInvalidMembers(this.#show(doc));
    // If another write came between the two readings, the stored content differs from Mongoose's document.
    if (invalid.length > 0 && !(await this.#isStored(reading))) return { current: await this.get(key) };
    if (invalid.length > 0) throw invalidResult(invalid);
    await this.#validate(key, doc, value, changes);
    throwIfAborted(context);
    return this.#write(reading, changes, context);
  }

  /** @returns whether a document was deleted */
  async delete(
    key: string,
    expected?: string,
    context: DeleteContext = noContext,
  ): Promise<boolean | FoundState<JsonObject>> {
    throwIfAborted(context);
    const reading = await (expected === undefined ? this.#load(key) : this.#take(key, expected, context));
    if (reading === undefined || 'current' in reading) return reading ?? false;
    if (expected !== undefined) setCondition(reading);
    throwIfAborted(context);
    const { deletedCount } = (await reading.doc.deleteOne()) as { deletedCount?: number };
    return deletedCount === 1 || { current: await this.get(key) };
  }

  /**
   * The document of the state that a write is conditional on.
   *
   * @returns `{ current }`, if it is in another state; undefined if the state is not one of this store's
   */
  async #take(
    key: string,
    expected: string,
    { current }: WriteContext,
  ): Promise<Reading | FoundState<JsonObject> | undefined> {
    const reading = current?.handle;
    if (expected !== '' || !(reading instanceof Reading) || reading.key !== key) return undefined;
    if (!reading.isUsed) return Object.assign(reading, { isUsed: true });
    const again = await this.#load(key);
    const isSame = again !== undefined && isDeepStrictEqual(again.raw, reading.raw);
    // The value to write was made from the earlier document, so this one must not contain a later write.
    if (isSame && (await this.#isStored(again))) return again;
    return { current: await this.get(key) };
  }

  /**
   * Reads the content of the database, and then the document as the app reads it. If another write comes in
   * between, the condition that is made from the first reading no longer holds. So the second reading must
   * not come from a replica that lags.
   */
  async #load(key: string): Promise<Reading | undefined> {
    const raw = await this.#readRaw(key);
    const doc = raw && (await this.#find(key));
    return doc && new Reading(key, raw, doc);
  }

  async #isStored({ key, raw, doc }: Reading): Promise<boolean> {
    return doc.isNew || isDeepStrictEqual(await this.#readRaw(key), raw);
  }

  async #readRaw(key: string): Promise<object | undefined> {
    const where = this.#toWhere(key)?.stored;
    const { collection } = this.#settings.model;
    // Otherwise a regular expression loses flags that JavaScript lacks.
    return (where && (await collection.findOne(where, { bsonRegExp: true }))) ?? undefined;
  }

  async #find(key: string): Promise<Document | undefined> {
    const where = this.#toWhere(key)?.written;
    const doc = where && (await this.#settings.model.findOne(where).read('primary'));
    if (!doc || !this.#isAt(doc, where)) return undefined;
    doc.depopulate();
    return doc;
  }

  /**
   * The condition for a key. Its values are texts, so that no key is an operator; undefined if one cannot be
   * cast, such as a malformed id.
   */
  #toWhere(key: string) {
    const { key: paths, model } = this.#settings;
    const parts = isStorableKey(key) ? (paths.length === 1 ? [key] : splitKey(key, paths.length)) : undefined;
    // Mongoose takes an empty text for a missing value, and refuses it at a required path.
    if (parts === undefined || parts.includes('')) return undefined;
    const toPaths = <T>(values: readonly T[]) =>
      Object.fromEntries(paths.map((path, index) => [path, values[index] as T]));
    try {
      const stored = toPaths(paths.map((path, index) => model.schema.path(path)?.cast(parts[index])));
      return { written: toPaths(parts), stored };
    } catch {
      return undefined;
    }
  }

  /**
   * Whether the document has the key in the same spelling. An id in upper case, or a key that a setter
   * changes, is another key. Mongoose 8 has UUIDs as bytes, and a getter that makes texts of them.
   */
  #isAt(doc: Document, where: Readonly<Record<string, string>>): boolean {
    return Object.entries(where).every(([path, part]) => {
      const stored = doc.get(path, null, { getters: false });
      return String(Buffer.isBuffer(stored) ? doc.get(path) : stored) === part;
    });
  }

  #create(key: string): Reading | undefined {
    const { creates, model } = this.#settings;
    const where = this.#toWhere(key)?.written;
    if (!creates || where === undefined) return undefined;
    const doc = new model();
    for (const [path, part] of Object.entries(where)) doc.set(path, part);
    if (this.#isAt(doc, where)) return new Reading(key, {}, doc);
    const detail =
      `The key ${JSON.stringify(key.slice(0, 200))} would be stored in another spelling. ` +
      'Write it as the app does, such as in lower case.';
    throw new ProblemError(422, 'invalid-key', detail);
  }

  /** Refuses an invalid document, unless the path was invalid before, and the client does not change it. */
  async #validate(key: string, doc: Document, value: unknown, { touches }: DocumentChanges): Promise<void> {
    const errors = await findInvalidPaths(doc);
    if (errors.size === 0) return;
    const stored = doc.isNew ? undefined : await this.#find(key);
    const earlier = stored && (await findInvalidPaths(stored));
    const fresh = [...errors].filter(([path]) => touches(path) || !earlier?.has(path));
    if (fresh.length > 0) throw invalidDocument(fresh, value, touches);
  }

  async #write(
    reading: Reading,
    changes: DocumentChanges,
    context: WriteContext,
  ): Promise<Stored<JsonObject> | FoundState<JsonObject>> {
    const { key, doc } = reading;
    const { isNew } = doc;
    const condition = setCondition(reading);
    const request: object = context.request ?? {};
    try {
      await (this.#losers.has(request) ? this.#watch(doc, condition) : this.#save(doc, condition));
      return await this.#readWritten(key, doc, condition);
    } catch (error) {
      // Hooks of the app can throw the same error for other documents, before this one is sent and
      // afterwards.
      const isOurs = condition.isSent && condition.shown === undefined;
      const isLost = isOurs && hasName(error, 'VersionError', 'DocumentNotFoundError');
      const current = isLost || (isNew && readDuplicate(error)) ? await this.get(key) : undefined;
      // If the document is new, another document can already have the value of a unique path.
      if (!isLost && current === undefined) throw toDuplicateRefusal(error, doc, changes.touches);
      if (condition.isBroken)
        throw new Error(
          `A hook of ${this.#settings.model.modelName} updates the document while save() runs, so save() ` +
            "finds another state. Set the members on the document in pre('save'), or update it in post('save').",
          { cause: error },
        );
      this.#losers.add(request);
      return { current };
    }
  }

  /** @throws Error if nothing was sent although nothing was thrown */
  async #save(doc: Document, condition: Condition): Promise<void> {
    doc.$once('save', () => {
      condition.shown = this.#show(doc);
    });
    await doc.save({ validateBeforeSave: false });
    if (condition.shown !== undefined) return;
    const { modelName } = this.#settings.model;
    throw new Error(
      `save() of ${modelName} wrote nothing, as if a hook had thrown undefined. Throw an Error.`,
    );
  }

  /**
   * Saves a document, and watches whether its hooks update it in the database: otherwise, another process is
   * the cause of a lost race.
   */
  async #watch(doc: Document, condition: Condition): Promise<void> {
    const { db, collection } = this.#settings.model;
    const id = String(doc.get('_id'));
    const begun = new Set<unknown>();
    const start = ({ _id, collectionName, method, params = [] }: DriverOperation) => {
      const isOfHook = watching.getStore() === condition && !condition.isSent;
      const isUpdate = /^(?:update|replace|findOneAnd)/.test(method) && collectionName === collection.name;
      if (isOfHook && isUpdate && String(readChild(params[0], '_id')) === id) begun.add(_id);
    };
    const end = ({ _id, result }: DriverOperation) => {
      if (begun.has(_id) && (result ?? { modifiedCount: 0 }).modifiedCount !== 0) condition.isBroken = true;
    };
    db.on('operation-start', start).on('operation-end', end);
    try {
      await watching.run(condition, () => this.#save(doc, condition));
    } finally {
      db.off('operation-start', start).off('operation-end', end);
    }
  }

  /**
   * The document as `get` shows it, because the saved document can have paths that are not selected. If
   * another write came in between, this state can no longer be shown.
   */
  async #readWritten(key: string, doc: Document, { shown }: Condition): Promise<Stored<JsonObject>> {
    const stored = await this.get(key);
    if (stored !== undefined && isShownAs(shown, stored.value, doc)) return stored;
    return {
      get value(): JsonObject {
        throw new Error('Another write came before the document was read again.');
      },
    };
  }

  #toState(reading: Reading): Stored<JsonObject> {
    const { raw, doc } = reading;
    const value = this.#show(doc);
    const modified = valueAt(raw, this.#settings.updatedAt);
    return {
      value,
      stable: withoutDefaults(value, raw, doc.schema),
      handle: reading,
      ...(types.isDate(modified) && { modified }),
    };
  }

  #show(doc: Document): JsonObject {
    const { model, show } = this.#settings;
    const refuse = (what: string): never => {
      throw new TypeError(
        `${model.modelName} is shown as ${what}. Return an object of JSON values from show or toJSON().`,
      );
    };
    const shown = show(doc);
    if (!isContainer(shown)) refuse('something that is not an object');
    const paths = new Map<unknown, string>();
    const text = JSON.stringify(shown, function (this: unknown, name, member: unknown) {
      const above = paths.get(this);
      const path = above === undefined ? '' : `${above}/${name}`;
      if (isContainer(member)) paths.set(member, path);
      if (typeof member === 'bigint') refuse(`an object with a BigInt at ${path}, which JSON lacks`);
      return isThenable(ignoreRejection(member)) ? refuse('a promise, or as an object with one') : member;
    });
    return JSON.parse(text) as JsonObject;
  }
}

interface Condition {
  /** Whether Mongoose has read the condition, which it does after the hooks, when it sends the write. */
  isSent: boolean;
  /** Whether a hook was seen to update the document before that. */
  isBroken: boolean;
  /**
   * The shown value of the document when it was written; afterwards, hooks can modify it, and save it again.
   */
  shown?: JsonObject;
}

/**
 * Makes a write of a document depend on its content in the database. Apps can also set `$where` in hooks;
 * then both conditions apply.
 *
 * `$eq` in a query takes `['t']` and 't' for equal, and Mongoose casts its value. `$cmp` compares values and
 * order, including NaN.
 */
function setCondition({ doc, raw }: Reading): Condition {
  const isUnchanged = { $expr: { $eq: [{ $cmp: ['$$ROOT', { $literal: raw }] }, 0] } };
  let theirs: object | undefined = doc.$where;
  const condition: Condition = { isSent: false, isBroken: false };
  Object.defineProperty(doc, '$where', {
    get() {
      condition.isSent = true;
      if (condition.shown !== undefined) return theirs;
      return theirs === undefined ? isUnchanged : { $and: [theirs, isUnchanged] };
    },
    set(where: object | undefined) {
      theirs = where;
    },
  });
  return condition;
}
