import { isArray, isEqualJson, isJsonObject } from '../json/value';
import type { Document } from './model';

/** `$` and dots are operators and paths, and `_bsontype` would make the driver take an object for a type of its own. */
export function isStorableName(name: string): boolean {
  return !/[$.\0\p{Surrogate}]/u.test(name) && name !== '_bsontype';
}

/** What is stored at a path, without getters. */
export function readStored(doc: Document, path: string): unknown {
  const stored = doc.get(path, null, { getters: false });
  if (stored instanceof Map) return Object.fromEntries(stored);
  const elements = isArray(stored) ? [...stored] : [stored];
  const plain = elements.map((element) => (isDocument(element) ? element.toObject(asStored) : element));
  return isArray(stored) ? plain : plain[0];
}

const asStored = { getters: false, virtuals: false, transform: false, depopulate: true, flattenMaps: true };

function isDocument(value: unknown): value is Document {
  return typeof (Object(value) as Partial<Document>).toObject === 'function' && 'schema' in Object(value);
}

export function toJson(value: unknown): unknown {
  const text = JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member,
  ) as string | undefined;
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

/** Mongoose leaves out empty objects (`minimize`), as stored and as shown. */
export function isSame(one: unknown, other: unknown): boolean {
  const [a, b] = [one, other].map((value) =>
    isJsonObject(value) && Object.keys(value).length === 0 ? undefined : value,
  );
  return isEqualJson(a, b);
}

/** Whether a value consists of what JSON has, so that a client can write all of it. */
export function isPlain(value: unknown): boolean {
  if (isArray(value)) return value.every(isPlain);
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isPlain);
}

/** A text of 12 characters would become the 12 bytes of an ObjectId. */
export function isCast(sent: unknown, seen: unknown): boolean {
  const isScalar = (value: unknown) => typeof value !== 'object' && value !== undefined;
  const isBytes = typeof sent === 'string' && sent.length === 12 && /^[0-9a-f]{24}$/.test(String(seen));
  return sent === null ? seen === null : isScalar(sent) && isScalar(seen) && !isBytes;
}
