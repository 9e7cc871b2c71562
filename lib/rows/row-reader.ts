import { formatPointer } from '../json/pointer';
import type { JsonObject } from '../json/value';
import { OutcomeList } from '../stores/contract/outcome-list';
import type { Stored } from '../stores/contract/resource-store';
import { type Meaning, readMeaning } from '../stores/engine-error';
import type { RowSettings } from './compile-row-store';
import { fixMissingColumn } from './library-rows';
import { isSameColumn } from './refused-member';
import type { Row, Rows } from './rows';

/**
 * Thrown if the table of a store does not exist, or if a row, or the table, has not all of the columns that
 * the options of the store name.
 */
export class MissingColumnError extends TypeError {
  override readonly name = 'MissingColumnError';
  readonly code = 'PATCH_OPTIONS_MISSING_COLUMN';
}

/** @param cause - the error of the engine, which names the column */
function missingInTable(columns: readonly string[], cause: unknown): MissingColumnError {
  return new MissingColumnError(
    `The table of the store does not exist, or does not have all of the columns ${columns.join(', ')}. ` +
      'Correct the names in the options, or add the missing column; its name is in the cause.',
    { cause },
  );
}

/** Finds the row of a key, and converts it to a resource. */
export class RowReader {
  readonly #settings: RowSettings;
  /** The row of each state. */
  readonly #rows = new WeakMap<object, Row>();

  constructor(settings: RowSettings) {
    this.#settings = settings;
  }

  /** The row whose key has this spelling. */
  async find(rows: Rows, where: Row): Promise<Row | undefined> {
    const row = await this.findOfAnySpelling(rows, where);
    return row && this.#settings.key.isSpelledAs(where, row) ? row : undefined;
  }

  /** The row that the database finds, as its collation and its types compare keys. */
  async findOfAnySpelling(rows: Rows, where: Row): Promise<Row | undefined> {
    let result: unknown;
    try {
      result = await rows.find(where, this.columnsWith(where), this.#settings.casts);
    } catch (error) {
      const meaning = readMeaning(error);
      // The column cannot hold the key, such as letters for a UUID, or é in ascii.
      if (unknownKeys.includes(meaning)) return undefined;
      if (meaning === 'table') throw missingInTable(this.columnsWith(where), error);
      throw error;
    }
    const row = ((Array.isArray(result) ? result[0] : result) as Row | null | undefined) ?? undefined;
    return row && this.checkRow(rows, 'find', row, where);
  }

  /**
   * The row, if it has every column that was asked for. One that is missing, or undefined, is not NULL: it
   * would be shown as null, and written as that.
   *
   * @throws MissingColumnError
   */
  checkRow(rows: Rows, call: 'find' | 'update' | 'insert', row: Row, where: Row): Row {
    assertColumns(row, this.columnsWith(where), `${call}() returned`, fixMissingColumn(rows, call));
    return row;
  }

  /** All columns to read. The key columns need not be members of the resource. */
  columnsWith(where: Row): readonly string[] {
    const { names } = this.#settings;
    const others = Object.keys(where).filter((name) => !names.includes(name));
    return others.length === 0 ? names : [...names, ...others];
  }

  toStored(row: Row, outcomeId?: string): Stored<JsonObject> {
    const { values, version, modified, outcomes } = this.#settings;
    const outcome =
      outcomes !== undefined && outcomeId !== undefined
        ? OutcomeList.parse(`the column ${outcomes}`, row[outcomes]).find(outcomeId)
        : undefined;
    const value = values.read(row);
    const unreadable = [...values.unreadable(value)].map(([member, reason]) => {
      return { pointer: formatPointer([member]), reason };
    });
    const stored = {
      value,
      version: version.read(row),
      ...modified?.read(row),
      ...(outcome !== undefined && { outcome }),
      ...(unreadable.length > 0 && { unreadable }),
    };
    this.#rows.set(stored, row);
    return stored;
  }

  /**
   * The state of a row that a query of the app has read, without what clients cannot see.
   *
   * @throws MissingColumnError if the query left out a column, which would be shown as NULL
   * @throws ColumnValueError for a value that cannot be shown
   */
  toShown(row: Row): Stored<JsonObject> {
    const { shown, version, modified } = this.#settings;
    const names = [...version.columns, ...(modified ? [modified.name] : []), ...shown.names];
    const fix = 'Select them, by the names that the options of the store have.';
    assertColumns(row, names, 'was passed to show()', fix);
    const value = shown.read(row);
    const [fault] = shown.unreadable(value).values();
    if (fault !== undefined) throw fault;
    return { value, version: version.read(row), ...modified?.read(row) };
  }

  /** The row of a state, if it was read by this object. */
  findRow(stored: Stored<unknown>): Row | undefined {
    return this.#rows.get(stored);
  }
}

/** @param source - the rest of "the row that" */
function assertColumns(row: Row, names: readonly string[], source: string, fix: string): void {
  const missing = names.filter((name) => row[name] === undefined);
  if (missing.length === 0) return;
  const renamed = (name: string) => Object.keys(row).find((other) => isSameColumn(name, other));
  const list = missing.map((name) => {
    const other = renamed(name);
    return other === undefined || other === name ? name : `${name} (it has ${other})`;
  });
  throw new MissingColumnError(
    `The row that ${source} does not have the column${list.length > 1 ? 's' : ''} ${list.join(', ')}. ${fix}`,
  );
}

const unknownKeys: readonly (Meaning | undefined)[] = ['value', 'too-long', 'out-of-range', 'collation'];
