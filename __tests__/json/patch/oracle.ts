import { applyPatch, type Operation } from 'rfc6902';
import type { PatchOperation } from './operation-arbitraries';

/**
 * JSON Patch by another hand: npm's rfc6902, which writes into what it is given, and so gets copies. It has no
 * operations on the root, so the document goes into an object of one member with an empty name. Its `move` looks
 * up the target before the value is removed, and so is put together as RFC 6902 4.4 defines it: from its
 * `remove` and its `add`.
 *
 * @throws whatever it refuses with
 */
export function oracle(document: unknown, patch: readonly PatchOperation[]): unknown {
  const holder = { '': copyOf(document) };
  for (const operation of patch) {
    for (const step of operation.op === 'move' ? removeAndAdd(holder[''], operation) : [operation]) {
      const from = step.from !== undefined && { from: `/${step.from}` };
      const [error] = applyPatch(holder, [copyOf({ ...step, ...from, path: `/${step.path}` }) as Operation]);
      if (error != null) throw error;
    }
  }
  if (!('' in holder)) throw new Error('no document is left');
  return holder[''];
}

function removeAndAdd(document: unknown, { from = '', path }: PatchOperation): PatchOperation[] {
  if (path.startsWith(`${from}/`)) throw new Error('a value cannot be moved into itself');
  return [
    { op: 'remove', path: from },
    { op: 'add', path, value: locate(document, from) },
  ];
}

/**
 * Not structuredClone, whose objects rfc6902 takes for none inside Jest: they have the constructors of another
 * realm.
 */
function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/**
 * The faults of rfc6902 5.4.0 that take what RFC 6902 refuses, by name; undefined where it is to be trusted.
 * Another, that it walks past `__proto__`, `constructor` and `prototype` as if they were not there, is kept out
 * by never asking for those names.
 */
export function knownFault(document: unknown, { op, path, from = '' }: PatchOperation): string | undefined {
  if ([...prefixes(path), ...prefixes(from)].some((prefix) => typeof locate(document, prefix) === 'string')) {
    return 'a token into a string finds its characters and its length';
  }
  const container = locate(document, path.slice(0, path.lastIndexOf('/')));
  if ((op !== 'replace' && op !== 'copy') || !Array.isArray(container)) return undefined;
  const indices = op === 'replace' ? [...container.keys()] : ['-', ...container.keys(), container.length];
  const isIndex = indices.map(String).includes(path.slice(path.lastIndexOf('/') + 1));
  return isIndex ? undefined : 'replace and copy take any token for an array index';
}

/** The pointers to all that is on the way to a place. */
function prefixes(pointer: string): string[] {
  return [...pointer.matchAll(/\//g)].map(({ index }) => pointer.slice(0, index));
}

/** The value at a pointer, found in the plainest way; undefined where there is none. */
function locate(document: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replace(/~1/g, '/').replace(/~0/g, '~'))
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined,
      document,
    );
}
