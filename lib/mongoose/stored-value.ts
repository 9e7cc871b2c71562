import { isArray, isContainer, isEqualJson, isJsonObject, type JsonObject, ownMember } from '../json/value';
import type { Document } from './model';

/** `$` and dots are operators and paths, and `_bsontype` would make the driver take an object for a type of its own. */
export function isStorableName(name: string): boolean {
  return /^[^$.\0\p{Surrogate}]+$/u.test(name) && !['_bsontype', '__proto__'].includes(name);
}

/** What is stored at a path, without getters. */
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

/** Whether two values are stored as the same, their types included. */
export function isSameStored(one: unknown, other: unknown): boolean {
  if (!isContainer(one) || !isContainer(other)) return one === other;
  if (isArray(one)) {
    const isLong = isArray(other) && one.length === other.length;
    return isLong && one.every((element, i) => isSameStored(element, other[i]));
  }
  const prototype: unknown = Object.getPrototypeOf(one);
  if (prototype !== Object.getPrototypeOf(other)) return false;
  if (prototype !== Object.prototype) return isEqualJson(toJson(one), toJson(other));
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => isSameStored(ownMember(one, name), ownMember(other as JsonObject, name)))
  );
}

/** A text of 12 characters would become the 12 bytes of an ObjectId. */
export function isCast(sent: unknown, seen: unknown): boolean {
  const isScalar = (value: unknown) => typeof value !== 'object' && value !== undefined;
  const isBytes = typeof sent === 'string' && sent.length === 12 && /^[0-9a-f]{24}$/.test(String(seen));
  return sent === null ? seen === null : isScalar(sent) && isScalar(seen) && !isBytes;
}
