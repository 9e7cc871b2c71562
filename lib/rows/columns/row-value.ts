import { formatPointer } from '../../json/pointer';
import {
  changeMembers,
  isEqualJson,
  isJsonObject,
  type JsonObject,
  ownMember,
  setMember,
} from '../../json/value';
import { type InvalidMember, invalidResult } from '../../stores/contract/invalid-result';
import type { Row } from '../rows';
import { CodecResultError, ColumnValueError } from './codec';
import type { Column } from './column';

/** Converts rows to the values that clients see, and back. */
export class RowValues {
  readonly #columns: readonly Column[];
  readonly #members: ReadonlySet<string>;

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
    this.#members = new Set(columns.map(({ member }) => member));
  }

  get names(): readonly string[] {
    return this.#columns.map(({ name }) => name);
  }

  /**
   * The value of a row, as clients see it.
   *
   * @throws ColumnValueError for a column whose value cannot be shown
   */
  read(row: Row): JsonObject {
    const value: JsonObject = {};
    for (const column of this.#columns) setMember(value, column.member, readColumn(column, row));
    return value;
  }

  /** The name of a column whose value, as clients see it, differs in `other`; undefined if there is none. */
  findDifference(row: Row, other: Row): string | undefined {
    const differs = (column: Column): boolean =>
      row[column.name] !== other[column.name] &&
      !isEqualJson(readColumn(column, row), readColumn(column, other));
    return this.#columns.find(differs)?.name;
  }

  /**
   * `next` with the members that it lacks: null if the column is nullable, so that a member that a merge
   * patch has removed is null again; and the columns of the key in a new row.
   */
  complete(next: JsonObject, before: JsonObject | undefined, where: Row): JsonObject {
    const value = { ...next };
    for (const column of this.#columns) {
      const { member, isNullable } = column;
      if ((ownMember(next, member) ?? null) !== null) continue;
      const missing = before === undefined ? readEarlier(column, before, where) : null;
      if (missing !== null || isNullable) setMember(value, member, missing);
    }
    return value;
  }

  /** `next` without unknown members, and with the read-only members of `before`. */
  accept(next: JsonObject, before: JsonObject | undefined, where: Row): JsonObject {
    const columns = new Map(this.#columns.map((column) => [column.member, column]));
    return changeMembers(next, Object.keys(next), (member, value) => {
      const column = columns.get(member);
      if (column === undefined) return undefined;
      const isWritable = !column.isReadOnly && !Object.hasOwn(where, column.name);
      return isWritable ? value : before && ownMember(before, member);
    });
  }

  /**
   * `next` as it would be stored, with missing members completed.
   *
   * @param before - the current value of the row; undefined if it is being created; the table then has
   *   defaults for columns that are left out
   * @param where - the key columns, which cannot change
   * @throws ProblemError 422 with a pointer to each member that is unknown, invalid or read-only
   */
  fit(next: unknown, before: JsonObject | undefined, where: Row): JsonObject {
    if (!isJsonObject(next)) throw invalidResult([{ pointer: '', detail: 'must be an object' }]);
    const faults: InvalidMember[] = Object.keys(next)
      .filter((member) => !this.#members.has(member))
      .map((member) => ({ pointer: formatPointer([member]), detail: 'unknown member' }));
    const completed = this.complete(next, before, where);
    const value: JsonObject = {};
    for (const column of this.#columns) {
      const { member, isNullable } = column;
      const memberValue = ownMember(completed, member) ?? null;
      const detail = findMemberIssue(column, memberValue, readEarlier(column, before, where), where);
      if (detail !== undefined) faults.push({ pointer: formatPointer([member]), detail });
      if (memberValue !== null || isNullable) setMember(value, member, memberValue);
    }
    if (faults.length > 0) throw invalidResult(faults);
    return value;
  }

  /** The columns that an UPDATE or INSERT sets: those whose members differ from `before`. */
  changes(next: JsonObject, before: JsonObject | undefined): Row {
    const set: Record<string, unknown> = {};
    for (const { member, name, codec } of this.#columns) {
      const memberValue = ownMember(next, member) ?? null;
      const earlier = (before && ownMember(before, member)) ?? null;
      if (isEqualJson(memberValue, earlier)) continue;
      setMember(set, name, memberValue === null ? null : codec.write(memberValue));
    }
    return set;
  }

  /**
   * Whether the row lacks a value with which an entity was saved, as if the database had dropped the write.
   * Only columns that are read back as they were written are compared: a different decimal text can be the
   * same number.
   *
   * @param saved - the entity that the ORM has saved; a column that it lacks is not compared
   */
  lacks(changes: Row, saved: Row, row: Row): boolean {
    const isMissing = (column: Column): boolean =>
      column.isExact &&
      Object.hasOwn(changes, column.name) &&
      saved[column.name] !== undefined &&
      !isEqualJson(readSaved(column, saved, null), readColumn(column, row));
    return this.#columns.some(isMissing);
  }

  /**
   * The value of a row after a write, as clients will see it.
   *
   * @param next - the value to store
   * @param changes - the result of `changes` for it
   * @param row - the row after the write
   * @param saved - the entity that the ORM has saved, whose setters and hooks may have changed the values that
   *   were sent. A column that it lacks must have the value that was sent
   * @throws ProblemError 422 if a column can no longer be shown, or is read back with another value
   */
  readWritten(next: JsonObject, changes: Row, row: Row, saved: Row = {}): JsonObject {
    const value: JsonObject = {};
    const faults: InvalidMember[] = [];
    let cause: unknown;
    for (const column of this.#columns) {
      const { member, name, codec } = column;
      const sent = Object.hasOwn(changes, name) ? (ownMember(next, member) ?? null) : null;
      try {
        const stored = readColumn(column, row);
        setMember(value, member, stored);
        const written = sent === null ? null : readSaved(column, saved, sent);
        if (written !== null && codec.isKept?.(written, stored) === false)
          faults.push({ pointer: formatPointer([member]), detail: misread });
      } catch (error) {
        if (error instanceof CodecResultError) throw error;
        cause ??= error;
        faults.push({ pointer: formatPointer([member]), detail: cannotBeShown });
      }
    }
    if (faults.length > 0) throw Object.assign(invalidResult(faults), { cause });
    return value;
  }

  /** A column for an UPDATE that changes nothing, which sets the column to itself. */
  chooseWritable(): string | undefined {
    return this.#columns.find(({ isReadOnly }) => !isReadOnly)?.name;
  }
}

const cannotBeShown = 'would be stored in a form that cannot be read back';
const misread = 'would be read back as another value, because the driver, the ORM or a time zone changes it';

/** @throws ColumnValueError, or CodecResultError for a mistake in the codec */
function readColumn({ name, codec }: Column, row: Row): unknown {
  const inside = row[name] ?? null;
  try {
    return inside === null ? null : codec.read(inside);
  } catch (error) {
    if (error instanceof CodecResultError) throw error;
    if (error instanceof ColumnValueError) throw error.nameColumn(name);
    const fix = 'Correct the value, or the codec.';
    const codecError = new ColumnValueError(inside, 'a codec that throws for it', fix);
    throw Object.assign(codecError.nameColumn(name), { cause: error });
  }
}

/** The value in the entity that was saved, if the codec can read it; otherwise the value that was sent. */
function readSaved(column: Column, saved: Row, sent: unknown): unknown {
  if (saved[column.name] === undefined) return sent;
  try {
    return readColumn(column, saved);
  } catch {
    return sent;
  }
}

/** The current value of the member, null if there is none. */
function readEarlier({ member, name, codec }: Column, before: JsonObject | undefined, where: Row): unknown {
  if (before !== undefined) return ownMember(before, member) ?? null;
  const key = where[name] ?? null;
  try {
    return key === null ? null : codec.read(key);
  } catch {
    return null; // The database will refuse the key.
  }
}

function findMemberIssue(
  { name, codec, isNullable, isReadOnly }: Column,
  memberValue: unknown,
  earlier: unknown,
  where: Row,
): string | undefined {
  // The current value need not be valid: it is not written again.
  if (isEqualJson(memberValue, earlier)) return undefined;
  if (isReadOnly || Object.hasOwn(where, name)) return 'is read-only';
  if (memberValue !== null) return codec.fault(memberValue);
  return isNullable ? undefined : 'must not be null or missing';
}
