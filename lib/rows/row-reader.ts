import type { JsonObject } from '../json/value';
import { OutcomeList } from '../stores/contract/outcome-list';
import type { Stored } from '../stores/contract/resource-store';
import { type Meaning, readMeaning } from '../stores/engine-error';
import type { RowSettings } from './row-store-options';
import type { Steps } from './in-transaction';
import { fixMissingColumn } from './library-rows';
import { isSameColumn } from './refusals';
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

/** Reads rows, and makes resources of them. */
export class RowReader {
  readonly #settings: RowSettings;

  constructor(settings: RowSettings) {
    this.#settings = settings;
  }

  /**
   * The row of a key. One that the database finds because its collation or its types take another key for the same
   * is the row of that other key.
   *
   * @param isLocked - whether the row has been locked in this transaction
   */
  *find(rows: Rows, where: Row, isLocked = false): Steps<Row | undefined> {
    try {
      const result = yield rows.find(where, this.columnsWith(where), this.#settings.casts, isLocked);
      const row = this.check('find', where, result, rows);
      return row && this.#settings.key.isSpelledAs(where, row) ? row : undefined;
    } catch (error) {
      if (isUnknownKey(error)) return undefined;
      throw this.explain(error, where);
    }
  }

  /**
   * The row that a function returned, which has every column that was asked for. One that is missing, or
   * undefined, is not NULL: it would be shown as null, and written as that.
   *
   * @throws MissingColumnError
   */
  check(call: 'find' | 'updateReturning', where: Row, result: unknown, rows: Rows): Row | undefined {
    const row = ((Array.isArray(result) ? result[0] : result) as Row | null | undefined) ?? undefined;
    if (row !== undefined)
      assertColumns(row, this.columnsWith(where), `${call}() returned`, fixMissingColumn(rows, call));
    return row;
  }

  /** The error of a statement that reads, with the names of the columns if the table does not have all of them. */
  explain(error: unknown, where: Row): unknown {
    return readMeaning(error) === 'table' ? missingInTable(this.columnsWith(where), error) : error;
  }

  /** All columns to read. The key columns need not be members of the resource. */
  columnsWith(where: Row): readonly string[] {
    const { names } = this.#settings;
    const others = Object.keys(where).filter((name) => !names.includes(name));
    return others.length === 0 ? names : [...names, ...others];
  }

  /**
   * @param value - what clients see of the row, if it has been read
   * @throws ColumnValueError for a column whose value cannot be shown
   */
  toStored(row: Row, outcomeId?: string, value?: JsonObject): Stored<JsonObject> {
    const { values, modified, outcomes } = this.#settings;
    const outcome =
      outcomes !== undefined && outcomeId !== undefined
        ? OutcomeList.parse(`the column ${outcomes}`, row[outcomes]).find(outcomeId)
        : undefined;
    return {
      value: value ?? values.read(row),
      ...this.readVersion(row),
      ...modified?.read(row),
      ...(outcome !== undefined && { outcome }),
      handle: row,
    };
  }

  /**
   * The state of a row that a query of the app has read, without what clients cannot see.
   *
   * @throws MissingColumnError if the query left out a column, which would be shown as NULL
   * @throws ColumnValueError for a value that cannot be shown
   */
  toShown(row: Row): Stored<JsonObject> {
    const { shown, version, modified } = this.#settings;
    const names = [version, modified?.name, ...shown.names].filter((name) => name !== undefined);
    const fix = 'Select them, by the names that the options of the store have.';
    assertColumns(row, names, 'was passed to show()', fix);
    return { value: shown.read(row), ...this.readVersion(row), ...modified?.read(row) };
  }

  /** The version of the row, if states have one. */
  readVersion(row: Row): { readonly version?: string } {
    const { version } = this.#settings;
    return version === undefined ? {} : { version: String(row[version]) };
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

/** Whether a column of the key cannot hold the key, such as letters for a UUID, or é in ascii. */
export function isUnknownKey(error: unknown): boolean {
  return unknownKeys.includes(readMeaning(error));
}

const unknownKeys: readonly (Meaning | undefined)[] = ['value', 'too-long', 'out-of-range', 'collation'];
