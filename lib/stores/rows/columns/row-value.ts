import { formatPointer } from '../../../parsers/json/pointer';
import { isEqualJson, isJsonObject, type JsonObject, memberOf, setMember } from '../../../parsers/json/value';
import { invalidResult, type InvalidMember } from '../../contract/invalid-result';
import type { Row } from '../rows';
import { type ColumnCodec, ColumnValueError } from './codec';
import type { Column } from './column';

/** How NULL stands outside: as null, or not at all. */
export type Nulls = 'null' | 'omit';

/** Rows as the values that clients see, and back. */
export class RowValues {
  readonly #columns: readonly Column[];
  readonly #nulls: Nulls;
  readonly #members: ReadonlySet<string>;

  constructor(columns: readonly Column[], nulls: Nulls) {
    this.#columns = columns;
    this.#nulls = nulls;
    this.#members = new Set(columns.map(({ member }) => member));
  }

  /** The names of the columns. */
  get names(): readonly string[] {
    return this.#columns.map(({ name }) => name);
  }

  /** @throws ColumnValueError for a column that holds what its kind has no value for */
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
   * What would be stored of `next`: a member that a merge patch has cleared is null again where NULL is.
   *
   * @param before - what the row is now; undefined where it is to be made, with the defaults of the table for what is left out
   * @param where - the columns that are the key, which stay as they are
   * @throws ProblemError 422 with a pointer to each member that is no column, does not fit it, or is not to be changed
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
   * What an UPDATE sets, or an INSERT: the columns whose members differ from those before.
   *
   * @param row - as it stands; undefined where it is to be made
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
}

function readColumn(name: string, codec: ColumnCodec, inside: unknown): unknown {
  try {
    return codec.read(inside);
  } catch (error) {
    throw error instanceof ColumnValueError ? error.of(name) : error;
  }
}

/** What the member is now, null where nothing is. */
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
  // What stands there already need not fit, and is not written again.
  if (isEqualJson(given, earlier)) return undefined;
  if (isReadOnly || Object.hasOwn(where, name)) return 'is read-only';
  if (given !== null) return codec.fault(given);
  return isNullable ? undefined : 'must not be null or missing';
}
