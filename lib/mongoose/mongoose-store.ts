import { isThenable } from '../config/object';
import { OptionsCheck } from '../config/options-check';
import { notAwaited } from '../config/unawaited';
import { ProblemError } from '../http/problem';
import { isContainer, type JsonObject } from '../json/value';
import { invalidResult } from '../stores/contract/invalid-result';
import { isStorableKey, splitKey } from '../stores/contract/key';
import {
  noContext,
  type ReadContext,
  type ResourceStore,
  type StoreContext,
  type Stored,
  type VersionedState,
  throwIfAborted,
  type WriteContext,
} from '../stores/contract/resource-store';
import { toJsonText } from '../stores/contract/serialize';
import { hookUpdates, sayUpdate } from './count-versions';
import { DocumentChanges } from './document-changes';
import type { Document } from './model';
import { compileMongooseStore, type MongooseSettings, type MongooseStoreOptions } from './options';
import { findInvalidPaths, hasName, invalidDocument, readDuplicate, toDuplicateRefusal } from './refusals';
import { readStored } from './stored-value';

/** The store that `mongooseStore` returns, with a `delete` method unless the option `deletes` is false. */
export type MongooseStore<O> = Omit<ResourceStore<JsonObject>, 'get' | 'replace' | 'delete'> & {
  get(key: string, context?: ReadContext): Promise<VersionedState<JsonObject> | undefined>;
  replace(
    key: string,
    expected: string | null,
    next: JsonObject,
    context?: WriteContext,
  ): Promise<VersionedState<JsonObject> | undefined>;
} & (O extends { readonly deletes: false }
    ? unknown
    : { delete(key: string, expected?: string, context?: StoreContext): Promise<boolean> });

/**
 * Creates a store over a model of Mongoose 8 or 9: each document is a resource. Clients see what `toJSON()`
 * shows, and can change what it shows as it is stored. A change sets the paths that differ, and saves the
 * document with all validators and hooks, on the condition that it is still at the version that was read.
 *
 * ```ts
 * noteSchema.plugin(countVersions);
 * const notes = mongooseStore(mongoose.model('Note', noteSchema), { writeOnly: ['password'] });
 * ```
 *
 * @param Model - needs the plugin `countVersions`, or the option `version`
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
    readOnly: settings.kept,
    writeOnly: [...settings.writeOnly].map((path) => `/${path.replaceAll('.', '/')}`),
    ...(settings.deletes ? { delete: store.delete.bind(store) } : {}),
    ...(settings.creates ? {} : { creates: false }),
  };
}

class DocumentStore {
  readonly #settings: MongooseSettings;
  /** By the value that was made of each, so that a change need not read it again. */
  readonly #documents = new WeakMap<object, Document>();
  /** The requests whose save a hook has overtaken. */
  readonly #overtaken = new WeakSet();

  constructor(settings: MongooseSettings) {
    this.#settings = settings;
  }

  async get(key: string, context: ReadContext = noContext): Promise<Stored<JsonObject> | undefined> {
    throwIfAborted(context);
    const doc = await this.#find(key);
    if (doc === undefined) return undefined;
    const value = this.#show(doc);
    this.#documents.set(value, doc);
    return { value, version: this.#readVersion(doc) };
  }

  async replace(
    key: string,
    expected: string | null,
    next: unknown,
    context: WriteContext = noContext,
  ): Promise<Stored<JsonObject> | undefined> {
    throwIfAborted(context);
    // A copy, because the caller can modify the value while the write is under way.
    const value: unknown = JSON.parse(toJsonText(next, context.maxBytes));
    const doc = expected === null ? this.#create(key) : await this.#take(key, expected, context);
    if (doc === undefined || (expected !== null && this.#readVersion(doc) !== expected)) return undefined;
    const shown = this.#show(doc);
    const raw = await this.#readRaw(doc, shown, value);
    if (raw === null) return undefined;
    const changes = new DocumentChanges(this.#settings);
    changes.set(doc, raw, shown, value);
    const faults = changes.findFaults(this.#show(doc));
    if (faults.length > 0) throw invalidResult(faults);
    await this.#validate(key, doc, value, changes);
    throwIfAborted(context);
    const isWritten = doc.isNew
      ? await this.#insert(key, doc, changes)
      : await this.#save(key, doc, changes, context);
    return isWritten ? this.#readWritten(key, doc) : undefined;
  }

  /** @returns whether a document was deleted */
  async delete(key: string, expected?: string, context: StoreContext = noContext): Promise<boolean> {
    throwIfAborted(context);
    const doc = await this.#find(key);
    if (doc === undefined || (expected !== undefined && this.#readVersion(doc) !== expected)) return false;
    const { versionKey } = this.#settings;
    if (expected !== undefined) doc.$where = { [versionKey]: doc.get(versionKey) ?? null };
    throwIfAborted(context);
    const result = (await doc.deleteOne()) as { deletedCount?: number };
    return result.deletedCount === 1;
  }

  /** What a get has read serves one change. */
  async #take(key: string, expected: string, { current }: WriteContext): Promise<Document | undefined> {
    const value: unknown = current?.version === expected ? current.value : undefined;
    const read = value === undefined ? undefined : this.#documents.get(value as object);
    if (read === undefined) return this.#find(key);
    this.#documents.delete(value as object);
    return read;
  }

  /**
   * What the database has of a document, without the casts of Mongoose; null if another write came first. It is
   * read only if lists or objects change.
   */
  async #readRaw(doc: Document, old: unknown, next: unknown): Promise<object | null> {
    const { model, versionKey } = this.#settings;
    const parts = (value: unknown) =>
      JSON.stringify(Object.entries(Object(value) as object).filter(([, member]) => isContainer(member)));
    if (doc.isNew || parts(old) === parts(next)) return {};
    const _id = readStored(doc, '_id');
    return model.collection.findOne({ _id, [versionKey]: doc.get(versionKey) ?? null });
  }

  async #find(key: string): Promise<Document | undefined> {
    const where = this.#toWhere(key);
    const doc = where && (await this.#settings.model.findOne(where));
    if (!doc || !this.#isAt(doc, where)) return undefined;
    doc.depopulate();
    return doc;
  }

  /** Only texts, so that no key is an operator; undefined if one cannot be cast, such as a malformed id. */
  #toWhere(key: string): Readonly<Record<string, string>> | undefined {
    const { key: paths, model } = this.#settings;
    const parts = isStorableKey(key) ? (paths.length === 1 ? [key] : splitKey(key, paths.length)) : undefined;
    // Mongoose takes an empty text for a missing value, and refuses it at a required path.
    if (parts === undefined || parts.includes('')) return undefined;
    try {
      paths.forEach((path, index) => model.schema.path(path)?.cast(parts[index]));
    } catch {
      return undefined;
    }
    return Object.fromEntries(paths.map((path, index) => [path, parts[index] ?? '']));
  }

  /**
   * An id in upper case, or a key that a setter changes, has another spelling, which is another key. Mongoose 8
   * has UUIDs as bytes, and a getter that spells them.
   */
  #isAt(doc: Document, where: Readonly<Record<string, string>>): boolean {
    return Object.entries(where).every(([path, part]) => {
      const stored = doc.get(path, null, { getters: false });
      return String(Buffer.isBuffer(stored) ? doc.get(path) : stored) === part;
    });
  }

  #create(key: string): Document | undefined {
    const { creates, model } = this.#settings;
    const where = this.#toWhere(key);
    if (!creates || where === undefined) return undefined;
    const doc = new model();
    for (const [path, part] of Object.entries(where)) doc.set(path, part);
    if (this.#isAt(doc, where)) return doc;
    const detail =
      `The key ${JSON.stringify(key.slice(0, 200))} would be stored in another spelling. ` +
      'Write it as the app does, such as in lower case.';
    throw new ProblemError(422, 'invalid-key', detail);
  }

  /** What was invalid before, at a path that nobody touches, is no reason to refuse. */
  async #validate(key: string, doc: Document, value: unknown, changes: DocumentChanges): Promise<void> {
    const faults = await findInvalidPaths(doc);
    if (faults.size === 0) return;
    const stored = doc.isNew ? undefined : await this.#find(key);
    const earlier = stored && (await findInvalidPaths(stored));
    const fresh = [...faults].filter(([path]) => changes.touches(path) || !earlier?.has(path));
    if (fresh.length > 0) throw invalidDocument(fresh, value, changes);
  }

  async #insert(key: string, doc: Document, changes: DocumentChanges): Promise<boolean> {
    try {
      await doc.save({ validateBeforeSave: false });
      if (doc.isNew) throw this.#wroteNothing();
      return true;
    } catch (error) {
      // Another request created it first, or another unique path has the value already.
      if (readDuplicate(error) !== undefined && (await this.#find(key)) !== undefined) return false;
      throw toDuplicateRefusal(error, doc, changes);
    }
  }

  /** @returns whether it was saved; false if another write came first */
  async #save(
    key: string,
    doc: Document,
    changes: DocumentChanges,
    { request }: WriteContext,
  ): Promise<boolean> {
    const { versionKey, model } = this.#settings;
    const version: unknown = doc.get(versionKey);
    doc.$where = { [versionKey]: version ?? null };
    doc.set(versionKey, version ?? 0);
    doc.markModified(versionKey);
    doc.increment();
    const before = this.#readVersion(doc);
    const updates: string[] = [];
    try {
      await hookUpdates.run(updates, () => doc.save({ validateBeforeSave: false }));
      if (this.#readVersion(doc) === before) throw this.#wroteNothing();
      return true;
    } catch (error) {
      // Hooks of the app can throw the same for documents of their own.
      if (hasName(error, 'VersionError', 'DocumentNotFoundError')) {
        const current = await this.#find(key);
        if (current === undefined || this.#readVersion(current) !== before) {
          if (updates.includes(sayUpdate(model, { _id: doc.get('_id') }))) this.#noteOvertaken(request);
          return false;
        }
      }
      throw toDuplicateRefusal(error, doc, changes);
    }
  }

  /** @throws Error the second time that a hook makes a save of a request lose its race */
  #noteOvertaken(request: object = {}): void {
    if (this.#overtaken.has(request))
      throw new Error(
        `A hook of ${this.#settings.model.modelName} updates the document while save() runs, so that save() finds ` +
          "another version. Set the members on the document in pre('save'), or update it in post('save').",
      );
    this.#overtaken.add(request);
  }

  #wroteNothing(): Error {
    const { modelName } = this.#settings.model;
    return new Error(
      `save() of ${modelName} wrote nothing, as if a hook had thrown undefined. Throw an Error.`,
    );
  }

  /**
   * The document as `get` shows it: what was saved can have paths that are not selected. If another write
   * came in between, nobody can show this state any more.
   */
  async #readWritten(key: string, doc: Document): Promise<Stored<JsonObject>> {
    const version = this.#readVersion(doc);
    const stored = await this.get(key);
    if (stored?.version === version) return stored;
    return {
      get value(): JsonObject {
        throw new Error('Another write came before the document was read again.');
      },
      version,
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
    const text = JSON.stringify(shown, (name, member: unknown) => {
      if (typeof member === 'bigint') refuse(`an object with a BigInt at ${name}, which JSON lacks`);
      return isThenable(notAwaited(member)) ? refuse('a promise, or as an object with one') : member;
    });
    return JSON.parse(text) as JsonObject;
  }

  /** With the id, so that no version repeats where a key is created again. */
  #readVersion(doc: Document): string {
    const version: unknown = doc.get(this.#settings.versionKey);
    return `${String(doc.get('_id'))}-${String((version as number | undefined) ?? 'none')}`;
  }
}
