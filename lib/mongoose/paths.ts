import { readChild } from '../json/pointer';
import { changeMembers, isArray, isJsonObject } from '../json/value';
import type { Model, Schema, SchemaPath } from './model';

/** Whether only Mongoose writes a path: an id, the version, a discriminator key, a timestamp. */
function isKeptByMongoose(schema: Schema, path: string): boolean {
  const { versionKey, discriminatorKey } = schema.options;
  return ['_id', versionKey, discriminatorKey, ...readTimestamps(schema)].includes(path);
}

/** The paths of the times of creation and of the last write, if Mongoose keeps them. */
export function readTimestamps({ options: { timestamps } }: Schema): readonly unknown[] {
  if (!timestamps) return [];
  const { createdAt = true, updatedAt = true } = Object(timestamps) as Readonly<Record<string, unknown>>;
  return [createdAt === true ? 'createdAt' : createdAt, updatedAt === true ? 'updatedAt' : updatedAt];
}

/**
 * Whether a path in the options leads into the elements of a list; undefined if the schema does not have it.
 */
export function findPath(schema: Schema, path: string): 'outer' | 'element' | undefined {
  const isVirtual = (within: Schema | undefined, name: string) => within?.pathType(name) === 'virtual';
  const isThere = ({ option, inner }: SchemaMember) =>
    `${option}.`.startsWith(`${path}.`) ||
    (path.startsWith(`${option}.`) && isVirtual(inner, path.slice(option.length + 1)));
  if (isVirtual(schema, path) || walkPaths(schema, false).some(isThere)) return 'outer';
  return walkPaths(schema).some(isThere) ? 'element' : undefined;
}

/** Whether clients can never write a path, whatever its value. */
export function isClosedPath(schema: Schema, path: string, type: SchemaPath, isNew: boolean): boolean {
  const { select, immutable } = type.options;
  const isClosed = select === false || (Boolean(immutable) && !isNew) || isKeptByMongoose(schema, path);
  return isClosed || (type.schema === undefined && holdsDocuments(type));
}

/** Whether a map, or a list of lists, contains documents. */
function holdsDocuments(type: SchemaPath): boolean {
  const inner = type.getEmbeddedSchemaType?.() ?? type.$__schemaType;
  return inner !== undefined && (inner.schema !== undefined || holdsDocuments(inner));
}

/** Whether a subdocument has paths that clients cannot write, except for its id. */
export function hasClosedPath(schema: Schema, prefix: string, readOnly: ReadonlySet<string>): boolean {
  return (
    [...readOnly].some((path) => path.startsWith(prefix)) ||
    walkPaths(schema).some(
      ({ within, path, type }) => path !== '_id' && isClosedPath(within, path, type, false),
    )
  );
}

/** Whether a schema has paths that are not loaded, including its subdocuments. */
export function hasUnselected(schema: Schema): boolean {
  return walkPaths(schema).some(({ type }) => type.options['select'] === false);
}

/**
 * The paths of a schema, of its subdocuments and of its elements. A schema is not entered again within
 * itself.
 */
export function walkPaths(
  schema: Schema,
  entersLists = true,
  prefix = '',
  above: readonly Schema[] = [],
): readonly SchemaMember[] {
  return Object.entries(schema.paths).flatMap(([path, type]) => {
    const option = prefix + path;
    const isEntered = type.instance === 'Embedded' || entersLists;
    const schemas = [...above, schema];
    const inner = isEntered && type.schema && !schemas.includes(type.schema) ? type.schema : undefined;
    const below = inner === undefined ? [] : walkPaths(inner, entersLists, `${option}.`, schemas);
    return [{ within: schema, path, option, type, inner }, ...below];
  });
}

/** The shown value of a document, without members that come from defaults at this reading. */
export function withoutDefaults(shown: unknown, raw: unknown, schema: Schema, prefix = ''): unknown {
  if (isArray(shown) && isArray(raw) && shown.length === raw.length)
    return shown.map((element, i) => withoutDefaults(element, raw[i], schema));
  if (!isJsonObject(shown)) return shown;
  const members = Object.entries(shown).flatMap(([name, value]) => {
    const path = prefix + (name === 'id' && !Object.hasOwn(schema.paths, `${prefix}id`) ? '_id' : name);
    const type = Object.hasOwn(schema.paths, path) ? schema.paths[path] : undefined;
    const isNested = type === undefined && schema.pathType(path) === 'nested';
    const stored = readChild(raw, path.slice(prefix.length));
    if (stored === undefined && (isNested || type !== undefined)) return [];
    if (isNested) return [[name, withoutDefaults(value, stored, schema, `${path}.`)]];
    return [[name, type?.schema === undefined ? value : withoutDefaults(value, stored, type.schema)]];
  });
  return Object.fromEntries(members) as unknown;
}

/**
 * A new value without members that the schema does not have: in documents, these are as in `current`, or left
 * out.
 */
export function withoutUnknown(
  { model, writeOnly }: { readonly model: Model; readonly writeOnly: ReadonlySet<string> },
  next: unknown,
  current: unknown,
): unknown {
  const kind = readChild(current ?? next, String(model.schema.options['discriminatorKey']));
  const kinds = model.discriminators ?? {};
  const { schema } = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? (kinds[kind] ?? model) : model;

  function known(value: unknown, old: unknown, within: Schema, prefix: string, above: string): unknown {
    if (!isJsonObject(value)) return value;
    return changeMembers(value, Object.keys(value), (name, member) => {
      const [path, option] = [prefix + name, above + name];
      const type = Object.hasOwn(within.paths, path) ? within.paths[path] : undefined;
      const earlier = readChild(old, name);
      if (within.pathType(path) === 'nested') return known(member, earlier, within, `${path}.`, `${option}.`);
      if (type?.instance === 'Embedded' && type.schema)
        return known(member, earlier, type.schema, '', `${option}.`);
      return type === undefined && !writeOnly.has(option) ? earlier : member;
    });
  }
  return known(next, current, schema, '', '');
}

interface SchemaMember {
  /** The schema that has this path, and the path as the options name it. */
  readonly within: Schema;
  readonly path: string;
  readonly option: string;
  readonly type: SchemaPath;
  /** The schema of its subdocuments, if the walk has entered it. */
  readonly inner: Schema | undefined;
}
