import { isObject } from '../config/object';
import type { RowVersion } from './row-version';
import type { Row } from './rows';

/** The effect of a statement. */
export interface Written {
  /** The number of rows that matched its condition. */
  readonly count: number;
  /** The row after the write, if the statement returned it. */
  readonly row?: Row;
}

/**
 * The properties in which drivers and ORMs return row counts. Those that count matched rows come before those
 * that count changed ones.
 */
const counters = [
  'count', // Prisma, postgres.js
  'rowCount', // pg
  'numUpdatedRows', // Kysely
  'numDeletedRows',
  'affectedRows', // mysql2
  'rowsAffected', // libsql, PlanetScale
  'changes', // better-sqlite3, node:sqlite
  'affected', // TypeORM
  'matchedCount', // MongoDB
  'deletedCount',
] as const;

/**
 * Reads the result that an ORM returns for an UPDATE, an INSERT or a DELETE.
 *
 * @param version - a column that every row has
 * @returns undefined if the result has no row count
 */
export function readWritten(result: unknown, version: string): Written | undefined {
  // findOneAndUpdate that found nothing.
  if (result === null) return { count: 0 };
  if (typeof result === 'number' || typeof result === 'bigint') return { count: Number(result) };
  if (!isObject(result)) return undefined;
  if (Array.isArray(result)) return ofList(result, version);
  if (isRow(result, version)) return { count: 1, row: result };
  const rows: unknown = Reflect.get(result, 'rows');
  // pg with RETURNING
  if (Array.isArray(rows) && isRow(rows[0], version)) return ofList(rows, version);
  const count = findCounter(result);
  if (count !== undefined) return { count };
  const meta: unknown = Reflect.get(result, 'meta'); // Cloudflare D1
  return isObject(meta) ? readWritten(meta, version) : undefined;
}

/** A list of rows, or the lists of Sequelize (`[count]`) and Drizzle over mysql2 (`[header, fields]`). */
function ofList(list: readonly unknown[], version: string): Written | undefined {
  const [first] = list;
  if (isRow(first, version)) {
    return list.length === 1 ? { count: 1, row: first } : { count: list.length };
  }
  if (first !== undefined) return readWritten(first, version);
  return { count: findCounter(list) ?? 0 };
}

/** Without that column, it can be anything that an ORM returns. */
function isRow(value: unknown, version: string): value is Row {
  return isObject(value) && Object.hasOwn(value, version);
}

function findCounter(result: object): number | undefined {
  for (const name of counters) {
    const value: unknown = Reflect.get(result, name);
    if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  }
  return undefined;
}

/**
 * The effect of a statement whose condition matches at most one row.
 *
 * @throws TypeError if the result has no row count, or more than one row matched
 */
export function writtenRow(call: 'update' | 'delete', result: unknown, version: RowVersion): Written {
  const written = readWritten(result, version.columns[0]);
  if (written === undefined) {
    throw new TypeError(
      `${call}() returned no row count. Return the result of the ORM, such as a count, ` +
        `or the row with its column ${version.columns[0]}.`,
    );
  }
  if (written.count > 1) {
    throw new TypeError(
      `${call}() matched ${written.count} rows, but the key and the version identify one. ` +
        'Use every column of where in the condition.',
    );
  }
  if (call === 'update' && version.isGenerated && written.count === 1 && written.row === undefined) {
    throw new TypeError(
      'update() must return the row, because only the database knows the generated version. ' +
        'Return it, or use a text column for the version.',
    );
  }
  return written;
}
