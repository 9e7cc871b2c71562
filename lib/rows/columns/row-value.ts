import { formatPointer } from '../../json/pointer';
import { isEqualJson, isJsonObject, type JsonObject, ownMember, setMember } from '../../json/value';
import { invalidResult, type InvalidMember } from '../../stores/contract/invalid-result';
import type { Row } from '../rows';
import { CodecResultError, ColumnValueError } from './codec';
import type { Column } from './column';

/** Converts rows to the values that clients see, and back. */
export class RowValues {
  readonly #columns: readonly Column[];
  readonly #members: ReadonlySet<string>;
  /** The members that could not be read of a row, for the value that was made of it. */
  readonly #unreadable = new WeakMap<object, ReadonlyMap<string, Error>>();

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
    this.#members = new Set(columns.map(({ member }) => member));
  }

  get names(): readonly string[] {
    return this.#columns.map(({ name }) => name);
  }

  /** What clients see of a row, without the members that cannot be read: see `unreadable`. */
  read(row: Row): JsonObject {
    const value: JsonObject = {};
    const unreadable = new Map<string, Error>();
    for (const { member, name, codec } of this.#columns) {
      const inside = row[name];
      try {
        setMember(value, member, inside === null || inside === undefined ? null : codec.read(inside));
      } catch (error) {
        unreadable.set(member, columnError(name, inside, error));
      }
    }
    if (unreadable.size > 0) this.#unreadable.set(value, unreadable);
    return value;
  }

  /**
   * The members that are missing in a value that `read` returned, because their columns could not be read.
   */
  unreadable(value: JsonObject | undefined): ReadonlyMap<string, Error> {
    return (value && this.#unreadable.get(value)) ?? none;
  }

  /**
   * `next` with the members that it lacks: null if the column is nullable, so that a member that a merge
   * patch has removed is null again; and the columns of the key in a new row.
   */
  complete(next: JsonObject, before: JsonObject | undefined, where: Row): JsonObject {
    const value = { ...next };
    const unreadable = this.unreadable(before);
    for (const column of this.#columns) {
      const { member, isNullable } = column;
      if ((ownMember(next, member) ?? null) !== null || unreadable.has(member)) continue;
      const missing = before === undefined ? readEarlier(column, before, where) : null;
      if (missing !== null || isNullable) setMember(value, member, missing);
    }
    return value;
  }

  /**
   * What would be stored of `next`, completed.
   *
   * @param before - the current value of the row; undefined if it is being created, with the table's defaults
   *   for what is left out
   * @param where - the key columns, which cannot change
   * @throws ProblemError 422 with a pointer to each member that is unknown, invalid or read-only
   */
  fit(next: unknown, before: JsonObject | undefined, where: Row): JsonObject {
    if (!isJsonObject(next)) throw invalidResult([{ pointer: '', detail: 'must be an object' }]);
    const faults: InvalidMember[] = Object.keys(next)
      .filter((member) => !this.#members.has(member))
      .map((member) => ({ pointer: formatPointer([member]), detail: 'unknown member' }));
    const unreadable = this.unreadable(before);
    const completed = this.complete(next, before, where);
    const value: JsonObject = {};
    for (const column of this.#columns) {
      const { member, isNullable } = column;
      const mustBeSent = unreadable.has(member) && !column.isReadOnly;
      const earlier = mustBeSent ? undefined : readEarlier(column, before, where);
      const memberValue = ownMember(completed, member) ?? null;
      const isMissing = mustBeSent && ownMember(next, member) === undefined;
      const detail = isMissing ? unreadableDetail : findFault(column, memberValue, earlier, where);
      if (detail !== undefined) faults.push({ pointer: formatPointer([member]), detail });
      const isKept = unreadable.has(member) && column.isReadOnly;
      if (!isKept && (memberValue !== null || mustBeSent || isNullable))
        setMember(value, member, memberValue);
    }
    if (faults.length > 0) throw invalidResult(faults);
    return value;
  }

  /** The columns that an UPDATE or INSERT sets: those whose members differ from `before`. */
  changes(next: JsonObject, before: JsonObject | undefined): Row {
    const unreadable = this.unreadable(before);
    const set: Record<string, unknown> = {};
    for (const { member, name, codec, isReadOnly } of this.#columns) {
      const memberValue = ownMember(next, member) ?? null;
      const earlier = (before && ownMember(before, member)) ?? null;
      if (unreadable.has(member) ? isReadOnly : isEqualJson(memberValue, earlier)) continue;
      setMember(set, name, memberValue === null ? null : codec.write(memberValue));
    }
    return set;
  }

  /** The values that set columns back to what the row contained. */
  toEarlierColumns(before: JsonObject, row: Row, names: readonly string[]): Row {
    const columns = this.#columns.filter(({ name }) => names.includes(name));
    const earlier = columns.map(({ member, name, codec }) => {
      const memberValue = ownMember(before, member) ?? null;
      return [name, memberValue === null ? (row[name] ?? null) : codec.write(memberValue)] as const;
    });
    return Object.fromEntries(earlier);
  }

  /**
   * The changes that cannot be read back, or are read back as other values than were sent.
   *
   * @param next - what was to be stored
   * @param changes - what `changes` returned for it
   * @param stored - what `read` returned of the row after the write
   */
  findMisread(next: JsonObject, changes: Row, stored: JsonObject): InvalidMember[] {
    const unreadable = this.unreadable(stored);
    return this.#columns.flatMap(({ member, name, codec }) => {
      const sent = Object.hasOwn(changes, name) ? (ownMember(next, member) ?? null) : null;
      const read = ownMember(stored, member) ?? null;
      const isUnreadable = Object.hasOwn(changes, name) && unreadable.has(member);
      if (!isUnreadable && (sent === null || codec.isKept?.(sent, read) !== false)) return [];
      const detail = isUnreadable
        ? 'would be stored in a form that cannot be read back'
        : 'would be read back as another value, because the driver, the ORM or a time zone changes it';
      return [{ pointer: formatPointer([member]), detail }];
    });
  }

  /**
   * A column that an UPDATE can set to its present value, because no column changes: undefined if none is
   * surely written as it is stored.
   */
  chooseUnchanged(before: JsonObject): Row | undefined {
    const column = this.#columns.find(({ isReadOnly, isExact }) => !isReadOnly && isExact);
    if (column === undefined) return undefined;
    const { member, name, codec } = column;
    const memberValue = ownMember(before, member) ?? null;
    return { [name]: memberValue === null ? null : codec.write(memberValue) };
  }
}

const none: ReadonlyMap<string, Error> = new Map();

/** A member that is left out would become null, or stay as it is: neither is what the client can see. */
const unreadableDetail = 'must be sent, because its present value cannot be read';

/** @throws CodecResultError, which no other value in the row would mend */
function columnError(name: string, inside: unknown, error: unknown): Error {
  if (error instanceof CodecResultError) throw error;
  if (error instanceof ColumnValueError) return error.nameColumn(name);
  const codecError = new ColumnValueError(
    inside,
    'a codec that throws for it',
    'Correct the value, or the codec.',
  );
  return Object.assign(codecError.nameColumn(name), { cause: error });
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

function findFault(
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
