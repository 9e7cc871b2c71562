import { isArray, isContainer, isEqualJson, isJsonObject, type JsonObject, ownMember } from '../json/value';
import type { Document } from './model';

/**
 * Names with `$` and dots would be operators and paths, and `_bsontype` would make the driver take an object
 * for one of its own types.
 */
export function isStorableName(name: string): boolean {
  return /^[^$.\0\p{Surrogate}]+$/u.test(name) && !['_bsontype', '__proto__'].includes(name);
}

/** The stored value of a path, without getters. */
export function readStored(doc: Document, path: string): unknown {
  return toStored(doc.get(path, null, { getters: false }));
}

function toStored(value: unknown): unknown {
  if (value instanceof Map)
    return Object.fromEntries(Array.from(value, ([name, inner]) => [name, toStored(inner)]));
  if (isArray(value)) return Array.from(value, toStored);
  return isDocument(value) ? value.toObject(asStored) : value;
}

const asStored = { getters: false, virtuals: false, transform: false, depopulate: true, flattenMaps: true };

function isDocument(value: unknown): value is Document {
  return typeof (Object(value) as Partial<Document>).toObject === 'function' && 'schema' in Object(value);
}

/** The value as JSON, with a BigInt as a text. */
export function toPlainJson(value: unknown): unknown {
  const text = JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member,
  ) as string | undefined;
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

/**
 * Whether two values are equal. An empty object equals undefined, because Mongoose leaves it out (`minimize`)
 * when it stores and shows a document.
 */
export function isSame(one: unknown, other: unknown): boolean {
  const [a, b] = [one, other].map((value) =>
    isJsonObject(value) && Object.keys(value).length === 0 ? undefined : value,
  );
  return isEqualJson(a, b);
}

/**
 * Whether a saved document is shown like the document that is read again, apart from paths that reading
 * leaves out (`select: false`).
 */
export function isShownAs(saved: unknown, read: unknown, doc: Document, path = ''): boolean {
  if (isArray(saved) && isArray(read))
    return (
      saved.length === read.length && saved.every((element, i) => isShownAs(element, read[i], doc, path))
    );
  if (!isJsonObject(saved) || !isJsonObject(read)) return isSame(saved, read);
  return [...new Set([...Object.keys(saved), ...Object.keys(read)])].every((name) => {
    const [before, after, at] = [ownMember(saved, name), ownMember(read, name), path + name];
    return (after === undefined && !doc.isSelected(at)) || isShownAs(before, after, doc, `${at}.`);
  });
}

/** Whether the value that Mongoose holds or writes contains the whole stored value, including its types. */
export function isKept(stored: unknown, held: unknown): boolean {
  if (isArray(held)) {
    // Mongoose reads a single value as a list of one.
    const list = isArray(stored) ? stored : [stored];
    return list.length === held.length && list.every((element, i) => isKept(element, held[i]));
  }
  if (typeof held === 'bigint') return String(stored) === String(held);
  if (!isContainer(stored)) return stored === held;
  const bytes = readBytes(held);
  if (bytes !== undefined) return readBytes(stored)?.equals(bytes) ?? false;
  const prototype: unknown = Object.getPrototypeOf(stored);
  if (prototype === Object.prototype) {
    const entries = Object.entries(stored);
    return entries.every(([name, inner]) => isKept(inner, ownMember(Object(held) as JsonObject, name)));
  }
  return (
    prototype === Object.getPrototypeOf(Object(held)) && isEqualJson(toPlainJson(stored), toPlainJson(held))
  );
}

/** The bytes of a Buffer, or of a Binary of the driver, such as a UUID. */
function readBytes(value: unknown): Buffer | undefined {
  if (Buffer.isBuffer(value)) return value;
  const { _bsontype, buffer } = Object(value) as { _bsontype?: unknown; buffer?: Uint8Array };
  return _bsontype === 'Binary' && buffer !== undefined ? Buffer.from(buffer) : undefined;
}

/** Whether a cast is acceptable: a text of 12 characters would become the 12 bytes of an ObjectId. */
export function isCast(sent: unknown, seen: unknown): boolean {
  const isScalar = (value: unknown) => typeof value !== 'object' && value !== undefined;
  const isBytes = typeof sent === 'string' && sent.length === 12 && /^[0-9a-f]{24}$/.test(String(seen));
  return sent === null ? seen === null : isScalar(sent) && isScalar(seen) && !isBytes;
}
