import { formatPointer } from '../../parsers/json/pointer';
import { isArray, isContainer, type JsonObject } from '../../parsers/json/value';

/** What differs between two JSON values, as JSON Pointers. */
export interface Changes {
  /** Of all pointers together, in UTF-8. */
  readonly bytes: number;
  /** The deepest that say it, in document order; made when they are first read. */
  readonly pointers: readonly string[];
}

/**
 * What differs between two JSON values; undefined where its pointers have more than `limit` bytes together. They are
 * counted before any is made, because they may be far larger than the values: each repeats the names on its way.
 *
 * What the two share, as a patch leaves it, is not looked into.
 */
export function changesWithin(before: unknown, after: unknown, limit: number): Changes | undefined {
  const counter = new PointerCounter(limit);
  if (!walk(before, after, 0, counter)) return undefined;
  let pointers: readonly string[] | undefined;
  return {
    bytes: counter.bytes,
    get pointers() {
      return (pointers ??= changedPointers(before, after));
    },
  };
}

/** The pointers of `Changes`, however many bytes they have. */
export function changedPointers(before: unknown, after: unknown): readonly string[] {
  const list = new PointerList();
  walk(before, after, '', list);
  return list.pointers;
}

/** What a walk does with the pointers that it meets: counts them, or writes them. */
interface Visitor<Pointer> {
  /** The pointer of a member, or of an element, of what `pointer` leads to. */
  child(pointer: Pointer, token: string | number): Pointer;
  /** @returns whether to walk on */
  changed(pointer: Pointer): boolean;
}

class PointerCounter implements Visitor<number> {
  bytes = 0;

  constructor(private readonly limit: number) {}

  child(pointer: number, token: string | number): number {
    return pointer + 1 + (typeof token === 'number' ? String(token).length : tokenBytes(token));
  }

  changed(pointer: number): boolean {
    this.bytes += pointer;
    return this.bytes <= this.limit;
  }
}

class PointerList implements Visitor<string> {
  readonly pointers: string[] = [];

  child(pointer: string, token: string | number): string {
    return pointer + formatPointer([String(token)]);
  }

  changed(pointer: string): boolean {
    this.pointers.push(pointer);
    return true;
  }
}

/** @returns false where the visitor has ended it */
function walk<P>(before: unknown, after: unknown, pointer: P, visitor: Visitor<P>): boolean {
  if (before === after) return true;
  if (!isContainer(before) || !isContainer(after)) return visitor.changed(pointer);
  if (isArray(before)) {
    return isArray(after) ? walkArrays(before, after, pointer, visitor) : visitor.changed(pointer);
  }
  return isArray(after) ? visitor.changed(pointer) : walkObjects(before, after, pointer, visitor);
}

function walkArrays<P>(
  before: readonly unknown[],
  after: readonly unknown[],
  pointer: P,
  visitor: Visitor<P>,
): boolean {
  const common = Math.min(before.length, after.length);
  for (let index = 0; index < common; index++) {
    if (before[index] === after[index]) continue;
    if (!walk(before[index], after[index], visitor.child(pointer, index), visitor)) return false;
  }
  const length = Math.max(before.length, after.length);
  for (let index = common; index < length; index++) {
    if (!visitor.changed(visitor.child(pointer, index))) return false;
  }
  return true;
}

/** Looks names up in the objects themselves: a Map of half a million names costs more than all else that is done here. */
function walkObjects<P>(before: JsonObject, after: JsonObject, pointer: P, visitor: Visitor<P>): boolean {
  let kept = 0;
  for (const name of Object.keys(before)) {
    if (!Object.hasOwn(after, name)) {
      if (!visitor.changed(visitor.child(pointer, name))) return false;
      continue;
    }
    kept++;
    if (before[name] === after[name]) continue;
    if (!walk(before[name], after[name], visitor.child(pointer, name), visitor)) return false;
  }
  const names = Object.keys(after);
  if (names.length === kept) return true;
  for (const name of names) {
    if (Object.hasOwn(before, name)) continue;
    if (!visitor.changed(visitor.child(pointer, name))) return false;
  }
  return true;
}

/** The bytes of a reference token in UTF-8, in which `~` and `/` are written as two characters (RFC 6901 3). */
function tokenBytes(token: string): number {
  let bytes = Buffer.byteLength(token);
  for (const escaped of ['~', '/']) {
    for (let at = token.indexOf(escaped); at >= 0; at = token.indexOf(escaped, at + 1)) bytes++;
  }
  return bytes;
}
