import { formatPointer } from '../../../parsers/json/pointer';
import { isEqualJson, isJsonObject, type JsonObject, memberOf, setMember } from '../../../parsers/json/value';
import { invalidResult, type InvalidMember } from '../../contract/invalid-result';
import type { Row } from '../rows';
import { type ColumnCodec, ColumnValueError } from './codec';
import type { Column } from './column';

/** How clients see NULL: as null, or not at all. */
export type Nulls = 'null' | 'omit';

/** Converts rows to the values that clients see, and back. */
export class RowValues {
  readonly #columns: readonly Column[];
  readonly #nulls: Nulls;
  readonly #members: ReadonlySet<string>;

  constructor(columns: readonly Column[], nulls: Nulls) {
    this.#columns = columns;
    this.#nulls = nulls;
    this.#members = new Set(columns.map(({ member }) => member));
  }

  get names(): readonly string[] {
    return this.#columns.map(({ name }) => name);
  }

  /** @throws ColumnValueError for a value that the column's kind cannot represent */
  read(row: Row): JsonObject {
    const value: JsonObject = {};
    for (const { member, name, codec } of this.#columns) {
      const inside = row[name];
      if (inside !== null && inside !== undefined) setMember(value, member, readColumn(name, codec, inside));
      else if (this.#nulls === 'null') setMember(value, member, null);
    }
    return value;
  }

  /**
   * What would be stored of `next`. A member that a merge patch removed becomes null again if its column is nullable.
   *
   * @param before - the current value of the row; undefined if it is being created, with the table's defaults for
   *   what is left out
   * @param where - the key columns, which cannot change
   * @throws ProblemError 422 with a pointer to each member that is unknown, invalid or read-only
   */
  fit(next: unknown, before: JsonObject | undefined, where: Row): JsonObject {
    if (!isJsonObject(next)) throw invalidResult([{ pointer: '', detail: 'must be an object' }]);
    const faults: InvalidMember[] = Object.keys(next)
      .filter((member) => !this.#members.has(member))
      .map((member) => ({ pointer: formatPointer([member]), detail: 'unknown member' }));
    const value: JsonObject = {};
    for (const column of this.#columns) {
      const { member, isNullable } = column;
      const earlier = earlierOf(column, before, where);
      const given = memberOf(next, member) ?? (before === undefined ? earlier : null);
      const detail = faultOf(column, given, earlier, where);
      if (detail !== undefined) faults.push({ pointer: formatPointer([member]), detail });
      if (given !== null || (this.#nulls === 'null' && isNullable)) setMember(value, member, given);
    }
    if (faults.length > 0) throw invalidResult(faults);
    return value;
  }

  /**
   * The columns that an UPDATE or INSERT sets: those whose members differ from `before`.
   *
   * @param row - the current row; undefined if it is being created
   */
  changes(next: JsonObject, before: JsonObject | undefined, row: Row | undefined): Row {
    const set: Record<string, unknown> = {};
    for (const { member, name, codec } of this.#columns) {
      const given = memberOf(next, member) ?? null;
      const earlier = (before && memberOf(before, member)) ?? null;
      if (isEqualJson(given, earlier)) continue;
      setMember(set, name, given === null ? null : codec.write(given, row?.[name]));
    }
    return set;
  }

  /** A column that an UPDATE can set to its present value, because no column changes: undefined if all are read-only. */
  unchanged(before: JsonObject, row: Row): Row | undefined {
    const column = this.#columns.find(({ isReadOnly }) => !isReadOnly);
    if (column === undefined) return undefined;
    const { member, name, codec } = column;
    const given = memberOf(before, member) ?? null;
    return { [name]: given === null ? null : codec.write(given, row[name]) };
  }
}

function readColumn(name: string, codec: ColumnCodec, inside: unknown): unknown {
  try {
    return codec.read(inside);
  } catch (error) {
    throw error instanceof ColumnValueError ? error.of(name) : error;
  }
}

/** The current value of the member, null if there is none. */
function earlierOf({ member, name, codec }: Column, before: JsonObject | undefined, where: Row): unknown {
  if (before !== undefined) return memberOf(before, member) ?? null;
  const key = where[name] ?? null;
  return key === null ? null : codec.read(key);
}

function faultOf(
  { name, codec, isNullable, isReadOnly }: Column,
  given: unknown,
  earlier: unknown,
  where: Row,
): string | undefined {
  // The current value need not be valid: it is not written again.
  if (isEqualJson(given, earlier)) return undefined;
  if (isReadOnly || Object.hasOwn(where, name)) return 'is read-only';
  if (given !== null) return codec.fault(given);
  return isNullable ? undefined : 'must not be null or missing';
}
