import { formatPointer } from '../../json/pointer';
import { differingNames, isArray, isContainer, ownMember, type JsonObject } from '../../json/value';

/** The differences between two JSON values. */
export interface Changes {
  /** The total size of the pointers in UTF-8. */
  readonly bytes: number;
  /** The JSON Pointers, each as deep as possible, in document order. Computed on first use. */
  readonly pointers: readonly string[];
}

/**
 * The differences between two JSON values; undefined if their pointers exceed `limit` bytes. Their size is
 * counted before they are created, because each pointer repeats the names on its path, so that all of them
 * can be far larger than the values.
 *
 * Parts that both values share, because the patch did not touch them, are skipped.
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

/** The JSON Pointers of all differences, without a limit. */
export function changedPointers(before: unknown, after: unknown): readonly string[] {
  const list = new PointerList();
  walk(before, after, '', list);
  return list.pointers;
}

/** Counts or collects the pointers that a walk finds. */
interface Visitor<Pointer> {
  /** The pointer of a member or element of the container at `pointer`. */
  child(pointer: Pointer, token: string | number): Pointer;
  /** @returns whether to continue */
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

/** @returns false if the visitor has stopped the walk */
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

function walkObjects<P>(before: JsonObject, after: JsonObject, pointer: P, visitor: Visitor<P>): boolean {
  return differingNames(before, after).every((name) =>
    walk(ownMember(before, name), ownMember(after, name), visitor.child(pointer, name), visitor),
  );
}

/** The size of a reference token in UTF-8; `~` and `/` are escaped as two characters (RFC 6901 3). */
function tokenBytes(token: string): number {
  let bytes = Buffer.byteLength(token);
  for (const escaped of ['~', '/']) {
    for (let at = token.indexOf(escaped); at >= 0; at = token.indexOf(escaped, at + 1)) bytes++;
  }
  return bytes;
}
