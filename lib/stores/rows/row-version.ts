import { hasNames, type OptionsCheck } from '../../configuration';
import { newVersion } from '../contract/version';
import type { Row } from './rows';

/** Which column tells that somebody has written to the row since it was read. */
export type VersionOption = string | VersionCounter | GeneratedVersion;

/** A whole number that the app's own writes count up too, with the id beside it. */
export interface VersionCounter {
  readonly counter: string;
  /**
   * A column of ids that are never given twice, also not after the row was deleted: `AUTOINCREMENT` in SQLite, a sequence or an
   * identity in PostgreSQL, a UUID. A row that is deleted and made again begins to count anew, and would repeat its versions.
   */
  readonly id: string;
}

/** A value that the database makes on each write: by a trigger, or `xmin` of PostgreSQL. */
export interface GeneratedVersion {
  readonly generated: string;
}

/** A version that is about to be written. */
export interface NextVersion {
  readonly set: Row;
  /** Undefined where only the database knows it. */
  readonly version: string | undefined;
}

export interface RowVersion {
  /** The columns that it is read of; the first is one that every row has. */
  readonly columns: readonly [string, ...string[]];
  /** @throws TypeError where the row has none */
  readonly of: (row: Row) => string;
  /** That the row is still at its version, as a condition. */
  readonly condition: (row: Row) => Row;
  /** @param row - undefined where it is to be made */
  readonly next: (row: Row | undefined) => NextVersion;
  readonly isGenerated: boolean;
  /** Whether the version of a row that is to be made is known before. */
  readonly isKnownBefore: boolean;
}

/** A text that the store writes: 122 random bits, so that no row ever has one again. */
function textVersion(column: string): RowVersion {
  return {
    columns: [column],
    of: (row) => {
      const version = row[column];
      if (typeof version === 'string' && version !== '') return version;
      throw new TypeError(
        `A row has no version in the column ${column}. Give each row one, and the column a default: versionTrigger prints SQL that does.`,
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

function countedVersion({ counter, id }: VersionCounter): RowVersion {
  const versionOf = (row: Row, count: number) => `${String(row[id])}.${count}`;
  return {
    columns: [counter, id],
    of: (row) => versionOf(row, countOf(row, counter)),
    condition: (row) => ({ [id]: row[id], [counter]: row[counter] }),
    next: (row) => {
      const count = row === undefined ? 1 : countOf(row, counter) + 1;
      return { set: { [counter]: count }, version: row && versionOf(row, count) };
    },
    isGenerated: false,
    isKnownBefore: false,
  };
}

function countOf(row: Row, counter: string): number {
  const count = Number(row[counter] ?? NaN);
  if (Number.isSafeInteger(count)) return count;
  throw new TypeError(`A row has no whole number in the column ${counter}. Make it NOT NULL DEFAULT 1.`);
}

function generatedVersion({ generated: column }: GeneratedVersion): RowVersion {
  return {
    columns: [column],
    of: (row) => {
      const version = row[column];
      if (typeof version === 'string' || typeof version === 'number' || typeof version === 'bigint') {
        return String(version);
      }
      // A Date, for one, has lost the microseconds that told two writes apart.
      throw new TypeError(
        `The version in the column ${column} is neither text nor a whole number. Take a column that is.`,
      );
    },
    condition: (row) => ({ [column]: row[column] }),
    next: () => ({ set: {}, version: undefined }),
    isGenerated: true,
    isKnownBefore: false,
  };
}

/** Makes the option ready, and notes every mistake in it. */
export function compileVersion(check: OptionsCheck, option: unknown): RowVersion {
  const names: Readonly<Record<string, unknown>> = hasNames(option) ? { ...option } : { column: option };
  for (const [name, column] of Object.entries(names)) {
    if (typeof column === 'string' && column !== '') continue;
    check.mistake(name === 'column' ? 'version' : `version.${name}`, column, {
      code: column === '' ? 'option-empty' : 'option-type',
      reason: 'must be a column name',
      fix: "Name a text column that the store writes, as 'version', or { counter: 'revision', id: 'id' }.",
    });
  }
  const { column, counter, id, generated } = names;
  if (typeof column === 'string') return textVersion(column);
  if (typeof generated === 'string') return generatedVersion({ generated });
  if (typeof counter === 'string' && typeof id === 'string') return countedVersion({ counter, id });
  if (hasNames(option)) {
    check.mistake('version', option, {
      code: 'option-value',
      reason: 'names no column, or a counter without the id beside it',
      fix: "Write { counter: 'revision', id: 'id' }, or { generated: 'xmin' }.",
    });
  }
  return textVersion('version');
}
