import type { Schema } from './model';

/** Whether only Mongoose writes a path: the id, the version, a discriminator key, a timestamp. */
export function isKeptByMongoose({ options }: Schema, path: string): boolean {
  const { versionKey, discriminatorKey, timestamps } = options;
  return ['_id', versionKey, discriminatorKey, ...readTimestamps(timestamps)].includes(path);
}

function readTimestamps(timestamps: unknown): readonly unknown[] {
  if (!timestamps) return [];
  const { createdAt = true, updatedAt = true } = Object(timestamps) as Readonly<Record<string, unknown>>;
  return [createdAt === true ? 'createdAt' : createdAt, updatedAt === true ? 'updatedAt' : updatedAt];
}

/** Where a path without places in lists leads to: into the elements of one, or not; undefined if to nothing. */
export function findPath(schema: Schema, path: string): 'outer' | 'element' | undefined {
  if (schema.pathType(path) === 'virtual' || schema.pathType(path) === 'nested') return 'outer';
  if (Object.hasOwn(schema.paths, path)) return 'outer';
  const names = path.split('.');
  for (let count = names.length - 1; count > 0; count--) {
    const [above, below] = [names.slice(0, count).join('.'), names.slice(count).join('.')];
    const inner = Object.hasOwn(schema.paths, above) ? schema.paths[above] : undefined;
    if (inner?.schema === undefined) continue;
    const found = findPath(inner.schema, below);
    return found === undefined || inner.instance === 'Embedded' ? found : 'element';
  }
  return undefined;
}

/** Whether a schema has paths that are not loaded, in its subdocuments too. */
export function hasUnselected(schema: Schema, seen = new Set<Schema>()): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  return Object.values(schema.paths).some(
    ({ options, schema: inner }) =>
      options['select'] === false || (inner !== undefined && hasUnselected(inner, seen)),
  );
}
