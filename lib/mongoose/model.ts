/**
 * The parts of Mongoose 8 and 9 that the store uses, declared here so that nothing is imported from Mongoose.
 * All are documented, except `instance` and `$__schemaType` of a path.
 */

/** A document, or a subdocument: an element of a list, or the value of a path with a schema of its own. */
export interface Document {
  readonly schema: Schema;
  readonly isNew: boolean;
  $where?: object;
  get(path: string, type?: null, options?: { getters: boolean }): unknown;
  set(path: string, value: unknown): unknown;
  toJSON(): unknown;
  toObject(options: object): unknown;
  depopulate(): unknown;
  isSelected(path: string): boolean;
  $once(event: 'save', listener: () => void): unknown;
  validate(): Promise<void>;
  save(options?: object): Promise<unknown>;
  deleteOne(): PromiseLike<unknown>;
}

/** A list of subdocuments. An object that is added becomes one. */
export interface DocumentList extends ReadonlyArray<Document> {
  push(...elements: readonly object[]): unknown;
  pull(...elements: readonly Document[]): unknown;
  splice(start: number, count: number, ...elements: readonly object[]): unknown;
}

export interface Schema {
  readonly options: Readonly<Record<string, unknown>>;
  readonly paths: Readonly<Record<string, SchemaPath>>;
  readonly virtuals: Readonly<Record<string, unknown>>;
  path(path: string): SchemaPath | undefined;
  pathType(path: string): string;
  indexes(): readonly (readonly [fields: object, options?: { readonly unique?: unknown }])[];
}

/** A path of a schema: Mongoose's SchemaType. */
export interface SchemaPath {
  /** Such as `String`, `Array`, `DocumentArray`, `Embedded` (`Subdocument`), `Map`, `Mixed`. */
  readonly instance: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** The schema of the subdocuments at this path. */
  readonly schema?: Schema;
  /** Returns the type of the elements of a list, or of the values of a map. */
  getEmbeddedSchemaType?(): SchemaPath | undefined;
  /** The type of the values of a map, for releases of Mongoose 8 without the method. */
  readonly $__schemaType?: SchemaPath;
  cast(value: unknown): unknown;
  getDefault(scope: Document, init: boolean): unknown;
}

export interface Model {
  new (value?: object): Document;
  readonly modelName: string;
  readonly schema: Schema;
  /** By the value of the discriminator key. */
  readonly discriminators?: Readonly<Record<string, Model>>;
  /** The collection of the driver, without casts and hooks. */
  readonly collection: {
    readonly name: string;
    findOne(where: object, options: object): Promise<object | null>;
  };
  readonly db: NodeJS.EventEmitter;
  findOne(where: object): { read(preference: 'primary'): PromiseLike<Document | null> };
}

/** A call of the driver, as a connection of Mongoose reports it when it starts and ends. */
export interface DriverOperation {
  readonly _id: unknown;
  readonly collectionName: string;
  readonly method: string;
  readonly params?: readonly unknown[];
  readonly result?: { readonly modifiedCount?: number } | null;
}

/** For values from the app, whose types differ between releases of Mongoose. */
export function isModel(value: unknown): value is Model {
  if (typeof value !== 'function') return false;
  const { findOne, schema } = value as Partial<Model>;
  return typeof findOne === 'function' && typeof schema?.pathType === 'function';
}
