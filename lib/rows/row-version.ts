import { hasNames } from '../config/object';
import { shownType } from '../config/shown-value';
import type { OptionsCheck } from '../config/options-check';
import { newVersion } from '../stores/contract/version';
import type { Row } from './rows';

/**
 * Which column shows that a row has changed: a text column, a counter, or a value that the database
 * generates.
 */
export type VersionOption = string | VersionCounter | GeneratedVersion;

/** A version made of a whole number, which every write increments, and the id of the row. */
export interface VersionCounter {
  /** The column of the whole number, which your app's own writes must increment too. */
  readonly counter: string;
  /**
   * A column of ids that are never reused, even after a row is deleted: `AUTOINCREMENT` in SQLite, a sequence
   * or identity in PostgreSQL, a UUID. With reused ids, a row that is deleted and created again would repeat
   * its versions.
   */
  readonly id: string;
}

/** A version that the database generates on each write: by a trigger, or `xmin` of PostgreSQL. */
export interface GeneratedVersion {
  /** The column of the generated value: text or a whole number. */
  readonly generated: string;
}

/** The version of the next write. */
export interface NextVersion {
  readonly set: Row;
  /** Undefined if only the database knows it. */
  readonly version: string | undefined;
}

export interface RowVersion {
  /** The columns to read it from; the first exists in every row. */
  readonly columns: readonly [string, ...string[]];
  /** @throws TypeError if the row has none */
  readonly read: (row: Row) => string;
  /** The condition that the row still has its version. */
  readonly condition: (row: Row) => Row;
  /** @param row - undefined if it is being created */
  readonly next: (row: Row | undefined) => NextVersion;
  readonly isGenerated: boolean;
  /** Whether the version of a new row is known before it is inserted. */
  readonly isKnownBefore: boolean;
}

/** A random text of 122 bits, so that no row ever repeats a version. */
function textVersion(column: string): RowVersion {
  return {
    columns: [column],
    read: (row) => {
      const version = row[column];
      if (typeof version === 'string' && version !== '') return version;
      if ((version ?? '') !== '') throw noText(column, version);
      throw new TypeError(
        `A row has no version in the column ${column}. ` +
          'Set one in every row, and a default for new rows: versionTrigger() returns SQL for both.',
      );
    },
    condition: (row) => ({ [column]: row[column] }),
    next: () => {
      const version = newVersion();
      return { set: { [column]: version }, version };
    },
    isGenerated: false,
    isKnownBefore: true,
  };
}

/** A date cannot tell two writes of one millisecond apart, and numbers are for counters. */
function noText(column: string, version: unknown): TypeError {
  const counter = `, or { counter: '${column}', id: 'id' } for a number that every write increments`;
  return new TypeError(
    `The column ${column} contains ${shownType(version)}, but the version must be a text column. ` +
      'Add one, which versionTrigger() fills' +
      `${['number', 'bigint'].includes(typeof version) ? counter : ''}.`,
  );
}

function countedVersion({ counter, id }: VersionCounter): RowVersion {
  const toVersion = (row: Row, count: number) => `${String(row[id])}.${count}`;
  return {
    columns: [counter, id],
    read: (row) => toVersion(row, readCount(row, counter)),
    condition: (row) => ({ [id]: row[id], [counter]: row[counter] }),
    next: (row) => {
      const count = row === undefined ? 1 : readCount(row, counter) + 1;
      return { set: { [counter]: count }, version: row && toVersion(row, count) };
    },
    isGenerated: false,
    isKnownBefore: false,
  };
}

function readCount(row: Row, counter: string): number {
  const count = Number(row[counter] ?? NaN);
  if (Number.isSafeInteger(count)) return count;
  throw new TypeError(
    `A row has no whole number in the column ${counter}. Declare the column NOT NULL DEFAULT 1.`,
  );
}

function generatedVersion({ generated: column }: GeneratedVersion): RowVersion {
  return {
    columns: [column],
    read: (row) => {
      const version = row[column];
      if (typeof version === 'string' || typeof version === 'number' || typeof version === 'bigint') {
        return String(version);
      }
      // A Date, for example, has lost the microseconds that distinguish two writes.
      throw new TypeError(
        `The version in the column ${column} must be text or a whole number. Use another column.`,
      );
    },
    condition: (row) => ({ [column]: row[column] }),
    next: () => ({ set: {}, version: undefined }),
    isGenerated: true,
    isKnownBefore: false,
  };
}

/** Compiles the option, and reports every mistake in it. */
export function compileVersion(check: OptionsCheck, option: unknown): RowVersion {
  const names: Readonly<Record<string, unknown>> = hasNames(option) ? { ...option } : { column: option };
  for (const [name, column] of Object.entries(names)) {
    if (typeof column === 'string' && column !== '') continue;
    check.mistake(name === 'column' ? 'version' : `version.${name}`, column, {
      code: column === '' ? 'option-empty' : 'option-type',
      reason: 'must be a column name',
      fix:
        "Write the name of a text column for the store, such as 'version', " +
        "or { counter: 'revision', id: 'id' }.",
    });
  }
  const { column, counter, id, generated } = names;
  if (typeof column === 'string') return textVersion(column);
  if (typeof generated === 'string') return generatedVersion({ generated });
  if (typeof counter === 'string' && typeof id === 'string') return countedVersion({ counter, id });
  if (hasNames(option)) {
    check.mistake('version', option, {
      code: 'option-value',
      reason: 'must name a column, or a counter together with an id',
      fix: "Write { counter: 'revision', id: 'id' }, or { generated: 'xmin' }.",
    });
  }
  return textVersion('version');
}
