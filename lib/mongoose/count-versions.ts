import { AsyncLocalStorage } from 'node:async_hooks';
import { randomInt } from 'node:crypto';
import { isArray } from '../json/value';
import { toJson } from './stored-value';

/** A schema of Mongoose 8 or 9. */
export interface VersionedSchema {
  static(...parameters: never[]): unknown;
  pre(...parameters: never[]): unknown;
}

/**
 * A plugin of Mongoose by which every write of a model counts the version of its document, `__v`, and not only
 * the changes of lists that Mongoose counts by itself.
 *
 * ```ts
 * noteSchema.plugin(countVersions); // after the hooks of the schema
 * mongoose.plugin(countVersions); // or once, for all models
 * ```
 *
 * Counted are `save`, `bulkSave`, `updateOne`, `updateMany`, `findOneAndUpdate`, `replaceOne`,
 * `findOneAndReplace` and `bulkWrite`; not what goes past the hooks of Mongoose, such as `Model.collection`.
 * Add it before the model is made: a model that exists gets no hooks.
 */
export function countVersions(schema: VersionedSchema): void;
export function countVersions(schema: HookedSchema): void {
  schema.static(countedMark, true);
  // To a hook that takes parameters, Mongoose 8 passes `next` first, which an async one need not call.
  schema.pre('save', async function (this: SavedDocument, first?: SaveOptions | Next, second?: SaveOptions) {
    countSave(this, typeof first === 'function' ? second : first);
    await Promise.resolve();
  });
  schema.pre(['updateOne', 'updateMany', 'findOneAndUpdate'], function (this: UpdateQuery) {
    const key = readVersionKey(this.model);
    if (key === undefined) return;
    hookUpdates.getStore()?.push(sayUpdate(this.model, this.getFilter()));
    this.setUpdate(toCountedUpdate(this.getUpdate() ?? {}, key));
  });
  schema.pre(['replaceOne', 'findOneAndReplace'], function (this: UpdateQuery) {
    const key = readVersionKey(this.model);
    if (key !== undefined) this.setUpdate(Object.assign({}, this.getUpdate(), { [key]: createVersion() }));
  });
  schema.pre(
    'bulkWrite',
    async function (this: VersionedModel, first: Operations | Next, second: Operations) {
      const key = readVersionKey(this);
      if (key !== undefined) countOperations(typeof first === 'function' ? second : first, key);
      await Promise.resolve();
    },
  );
}

/**
 * The property of a model that says that its versions are counted. A model gets its statics when it is made, as it
 * gets its hooks: so a plugin that comes later shows in neither.
 */
export const countedMark = 'countsVersions';

/** The updates that hooks make while a store saves a document: see `sayUpdate`. */
export const hookUpdates = new AsyncLocalStorage<string[]>();

/** Which documents an update writes. */
export function sayUpdate({ collection }: Pick<VersionedModel, 'collection'>, filter: object): string {
  return `${collection.name} ${JSON.stringify(toJson(filter))}`;
}

interface HookedSchema {
  static(name: string, value: unknown): unknown;
  pre(events: string | readonly string[], hook: (this: never, ...parameters: never[]) => unknown): unknown;
}

type Next = () => void;

interface SaveOptions {
  readonly pathsToSave?: readonly string[];
}

interface VersionedModel {
  readonly collection: { readonly name: string };
  readonly schema: { get(option: string): unknown };
}

interface UpdateQuery {
  readonly model: VersionedModel;
  getFilter(): object;
  getUpdate(): Update | null;
  setUpdate(update: Update): void;
}

interface SavedDocument extends VersionedModel {
  readonly isNew: boolean;
  readonly $isSubdocument?: boolean;
  readonly $where?: object;
  /** Not documented. The bits of `version`: 1 makes the save depend on the version, 2 counts it. */
  readonly $__: { version?: number };
  isModified(path: string): boolean;
  isSelected(path: string): boolean;
  unmarkModified(path: string): void;
  /** Mongoose 8 has it without the dollar sign, and Mongoose 9 warns of that. */
  $getChanges?(): Changes;
  getChanges(): Changes;
  $inc(path: string, by: number): unknown;
}

interface Changes {
  readonly $set?: object;
  readonly $inc?: object;
}

type Update = Readonly<Record<string, unknown>> | readonly unknown[];
type Operations = readonly Readonly<Record<string, { update?: Update; replacement?: object }>>[];

/** Subdocuments have no version, and models with `versionKey: false` neither. */
function readVersionKey({ schema }: VersionedModel): string | undefined {
  const key = schema.get('versionKey');
  return typeof key === 'string' ? key : undefined;
}

function countSave(document: SavedDocument, options: SaveOptions | undefined): void {
  const key = readVersionKey(document);
  if (document.isNew || document.$isSubdocument === true || key === undefined) return;
  // Whoever saves on the condition of a version counts it, too.
  if (has(document.$where, key)) return;
  // The app's own value, as of a client's document that was assigned, is not written: versions would repeat.
  if (has(readChanges(document).$set, key)) document.unmarkModified(key);
  const changes = readChanges(document);
  if (Object.keys(changes).length === 0 || has(changes.$inc, key)) return;
  // Mongoose 9 fails where a version is to be counted and nothing else is to be written.
  if (options?.pathsToSave?.some((path) => document.isModified(path)) === false) return;
  // `increment()` would make the save depend on the version as well, and `$inc` does so wrongly where Mongoose
  // adds the condition.
  if (document.isSelected(key)) document.$__.version = (document.$__.version ?? 0) | 2;
  else document.$inc(key, 1);
}

function readChanges(document: SavedDocument): Changes {
  return document.$getChanges?.() ?? document.getChanges();
}

function countOperations(operations: Operations, key: string): void {
  for (const operation of operations.flatMap((each) => Object.values(each))) {
    if (operation.update !== undefined) operation.update = toCountedUpdate(operation.update, key);
    else if (operation.replacement !== undefined) {
      operation.replacement = { ...toPlain(operation.replacement), [key]: createVersion() };
    }
  }
}

/**
 * The update without what it says of the version itself, which is counted as `$inc`: so is that of a hook of the
 * app, and both together count once.
 */
function toCountedUpdate(update: Update, key: string): Update {
  if (isArray(update)) return [...update, { $set: { [key]: createVersion() } }];
  const operators = Object.entries(without(update, key))
    .map(([name, value]): [string, unknown] => [name, name.startsWith('$') ? without(value, key) : value])
    .filter(([name, value]) => !name.startsWith('$') || Object.keys(value as object).length > 0);
  const rest = Object.fromEntries(operators);
  return { ...rest, $inc: { ...(rest['$inc'] as object | undefined), [key]: 1 } };
}

/** A version that the document has never had, for a write that cannot count, as it does not know the one it replaces. */
function createVersion(): number {
  return randomInt(2 ** 48 - 1);
}

function has(value: unknown, key: string): value is object {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}

function without(members: unknown, key: string): object {
  return Object.fromEntries(
    Object.entries(Object(toPlain(members)) as object).filter(([name]) => name !== key),
  );
}

/** Apps pass documents of Mongoose, too. */
function toPlain<T>(value: T): T {
  const { toObject } = Object(value) as { toObject?: (options: object) => T };
  return (
    toObject?.call(value, { depopulate: true, getters: false, transform: false, virtuals: false }) ?? value
  );
}
