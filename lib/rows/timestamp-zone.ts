import { isText, parseInstant } from './columns/date';
import { findOrigin, type TimestampSource } from './library-rows';
import { isSameColumn } from './refusals';
import type { RowSettings } from './row-store-options';
import type { Row, Rows } from './rows';
import type { Statement, TableName } from './sql/statement';

/**
 * A `timestamp` of MySQL or MariaDB is listed as a date, and the session has another time zone than the
 * driver or the ORM, so wrong instants would be stored. The message names the column and the difference in
 * hours, and shows how to set both to UTC. Nothing is read or written.
 */
export class TimeZoneError extends Error {
  override readonly name = 'TimeZoneError';
  readonly code = 'PATCH_OPTIONS_TIME_ZONE';

  /**
   * @param column - a TIMESTAMP
   * @param hours - how many hours too late it is read
   * @param fix - how to set both to UTC, as a sentence
   */
  constructor(column: string, hours: number, fix: string) {
    super(
      `The column ${column} is a TIMESTAMP, which would be read ${Math.abs(hours)} h ` +
        `${hours > 0 ? 'later' : 'earlier'} than it is, and written ${Math.abs(hours)} h ` +
        `${hours > 0 ? 'earlier' : 'later'}, because the session has another time zone than the driver ` +
        `or the ORM. ${fix}`,
    );
  }
}

/** The results of the check for each store over each connection. */
const checks = new WeakMap<RowSettings, WeakMap<object, Promise<void>>>();

/**
 * Checks before the first statement of a store over a connection to MySQL or MariaDB, and again only after an
 * error. Over other databases, it does nothing.
 *
 * @throws TimeZoneError
 */
export async function assertTimestamps(rows: Rows, settings: RowSettings): Promise<void> {
  // TypeORM knows its database only after dataSource.initialize().
  const origin = settings.dates.size === 0 ? undefined : findOrigin(rows, 'find');
  if (origin?.timestamps === undefined) return;
  const connection = origin.handle ?? origin;
  const connections = checks.get(settings) ?? new WeakMap<object, Promise<void>>();
  checks.set(settings, connections);
  const asking = connections.get(connection) ?? ask(origin.timestamps, settings);
  connections.set(connection, asking);
  await asking.catch((error: unknown) => {
    connections.delete(connection);
    throw error;
  });
}

async function ask(source: TimestampSource, { dates, columnNames }: RowSettings): Promise<void> {
  const answer = await source.ask(createQuestion(source.table));
  for (const row of Array.isArray(answer) ? (answer as readonly Row[]) : []) {
    const isNamed = ([name]: readonly [string, unknown]) =>
      isSameColumn((Object.hasOwn(columnNames, name) && columnNames[name]) || name, String(row['name']));
    const [column, form] = [...dates].find(isNamed) ?? [];
    if (column === undefined) continue;
    for (const [alias, seconds] of instants) {
      const isInText = source.isUtc === true || isText(form);
      const difference = readInstant(row[isInText ? `${alias}text` : alias], isInText) - seconds * 1_000;
      if (Math.abs(difference) > 0) throw new TimeZoneError(column, difference / 3_600_000, source.fix);
    }
  }
}

/** Zones such as +01:00 and Europe/Berlin differ only in one half of the year. */
const instants = [
  ['winter', Date.UTC(2025, 0, 15, 12) / 1_000],
  ['summer', Date.UTC(2025, 6, 15, 12) / 1_000],
] as const;

/**
 * Asks for the columns of the type TIMESTAMP, and for two known instants: as the driver reads them, which shows its
 * offset, whatever its options are called; and as the session writes them, for columns that are read as text.
 * `datetime` has no time zone, and is left alone.
 */
function createQuestion({ schema, table }: TableName): Statement {
  const read = instants.map(
    ([alias, seconds]) =>
      `FROM_UNIXTIME(${seconds}) AS ${alias}, CAST(FROM_UNIXTIME(${seconds}) AS CHAR) AS ${alias}text`,
  );
  return {
    text:
      `SELECT COLUMN_NAME AS name, ${read.join(', ')} FROM information_schema.COLUMNS WHERE ` +
      `TABLE_SCHEMA = ${schema === undefined ? 'DATABASE()' : '?'} AND TABLE_NAME = ? ` +
      "AND DATA_TYPE = 'timestamp'",
    values: schema === undefined ? [table] : [schema, table],
  };
}

/** A text is read as UTC. A text that should be a Date cannot be read at all. */
function readInstant(value: unknown, isInText: boolean): number {
  if (isInText) return parseInstant(String(value)) ?? NaN;
  return value instanceof Date ? value.getTime() : NaN;
}
