import { isObject } from '../../configuration';
import type { RowVersion } from './row-version';
import type { Row } from './rows';

/** What a statement did. */
export interface Written {
  /** How many rows met its condition. */
  readonly count: number;
  /** The one row as it now reads, where the statement gave it back. */
  readonly row?: Row;
}

/** The members by which drivers and ORMs tell how many rows a statement met, before those that tell how many it changed. */
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
 * Reads what an ORM gives back of an UPDATE, an INSERT or a DELETE.
 *
 * @param version - a column that every row has
 * @returns undefined where it does not tell the number of rows
 */
export function readWritten(result: unknown, version: string): Written | undefined {
  // findOneAndUpdate, where nothing was found.
  if (result === null) return { count: 0 };
  if (typeof result === 'number' || typeof result === 'bigint') return { count: Number(result) };
  if (!isObject(result)) return undefined;
  if (Array.isArray(result)) return ofList(result, version);
  if (Object.hasOwn(result, version)) return { count: 1, row: result as Row };
  const rows: unknown = Reflect.get(result, 'rows');
  // pg with RETURNING: the count is that of the rows.
  if (Array.isArray(rows) && rows.length > 0) return ofList(rows, version);
  const count = counterOf(result);
  if (count !== undefined) return { count };
  const meta: unknown = Reflect.get(result, 'meta'); // Cloudflare D1
  return isObject(meta) ? readWritten(meta, version) : undefined;
}

/** Rows, or what Sequelize (`[count]`) and Drizzle over mysql2 (`[header, fields]`) put into a list. */
function ofList(list: readonly unknown[], version: string): Written | undefined {
  const [first] = list;
  if (isObject(first) && Object.hasOwn(first, version)) {
    return list.length === 1 ? { count: 1, row: first as Row } : { count: list.length };
  }
  if (first !== undefined) return readWritten(first, version);
  return { count: counterOf(list) ?? 0 };
}

function counterOf(result: object): number | undefined {
  for (const name of counters) {
    const value: unknown = Reflect.get(result, name);
    if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  }
  return undefined;
}

/**
 * The same of a statement whose condition names one row.
 *
 * @throws TypeError where the ORM does not tell what it did, or has done more
 */
export function writtenRow(call: 'update' | 'delete', result: unknown, version: RowVersion): Written {
  const written = readWritten(result, version.columns[0]);
  if (written === undefined) {
    throw new TypeError(
      `${call}() gave nothing that tells how many rows it met. Return what the ORM gives back, such as a count, or the row.`,
    );
  }
  if (written.count > 1) {
    throw new TypeError(
      `${call}() met ${written.count} rows, where the key and the version name one. Let the condition name all that is in where.`,
    );
  }
  if (call === 'update' && version.isGenerated && written.count === 1 && written.row === undefined) {
    throw new TypeError(
      'update() gave no row, and the version is one that only the database knows. Return the row, or take a text column as version.',
    );
  }
  return written;
}
