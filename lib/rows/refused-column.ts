import { isObject } from '../config/object';
import { errorsWithin, readOwnCodes } from '../stores/contract/error-codes';
import type { Row } from './rows';

/** One way in which errors name columns: gives those that this error names in it. */
type Reading = (error: object, written: Row) => readonly string[];

/**
 * The columns that the database names in its error; those of a constraint can be several.
 *
 * @param written - the columns whose values the client has chosen
 */
export function refusedColumns(error: unknown, written: Row): readonly string[] {
  // The innermost is the driver's own. Messages of ORMs around it can end with values of clients.
  for (const within of errorsWithin(error).reverse()) {
    for (const read of readings) {
      const columns = read(within, written);
      if (columns.length > 0) return columns;
    }
  }
  return [];
}

/**
 * PostgreSQL has fields for it. `Key (email)=(a@b.example) already exists.` is translated, up to the
 * parentheses.
 */
const inFields: Reading = (error) => {
  const { column, detail } = error as { readonly column?: unknown; readonly detail?: unknown };
  if (typeof column === 'string') return [column];
  const hasKey = readOwnCodes(error).some((code) => ['23503', '23505', '23P01'].includes(String(code)));
  const key = hasKey ? /^[^(]*\((.+?)\)=\(/s.exec(String(detail))?.[1] : undefined;
  return key === undefined ? [] : identifiersIn(key);
};

/** Prisma has lists: `meta.target`, or `constraint.fields` of a driver adapter. */
const inLists: Reading = (error) => {
  const { target, constraint } = error as { readonly target?: unknown; readonly constraint?: unknown };
  const fields: unknown = isObject(constraint) ? Reflect.get(constraint, 'fields') : undefined;
  const list: unknown = [target, constraint, fields].find(Array.isArray);
  return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : [];
};

/**
 * How messages end that name a column. Values of clients can stand before that end, so nothing else of a
 * message is read.
 *
 * - MySQL: Field 'author_id' doesn't have a default value; Column 'author_id' cannot be null
 * - MySQL: Data too long for column 'title' at row 1
 * - MariaDB: Incorrect integer value: 'x' for column `app`.`notes`.`age` at row 1
 * - MariaDB: CONSTRAINT `notes.age` failed for `app`.`notes`
 */
const ofOneColumn = [
  /Field '([^']+)' doesn't have a default value$/,
  /Column '([^']+)' cannot be null$/,
  / for column (?:`[^`]+`\.)*[`']([^`']+)[`'] at row \d+$/,
  /CONSTRAINT `[^`.]+\.([^`.]+)` failed for `[^`]+`\.`[^`]+`$/,
];

/**
 * - SQLite: UNIQUE constraint failed: notes.tenant, notes.email; CHECK constraint failed: age < 200
 * - SQLite: cannot store TEXT value in INTEGER column notes.age
 * - MySQL: …, CONSTRAINT `author` FOREIGN KEY (`author_id`) REFERENCES `users` (`id`) ON DELETE CASCADE)
 * - Prisma: Null constraint violation on the fields: (`author_id`)
 */
const ofColumns = [
  /^.*(?:UNIQUE|NOT NULL|CHECK) constraint failed: (.+)$/s,
  / value in \w+ column ([^\s.]+\.[^\s.]+)$/,
  / FOREIGN KEY \(([^()]+)\) REFERENCES [^()]+\([^()]+\)[^()]*\)$/,
  / on the fields?: \(([^()]+)\)$/,
];

const inMessage: Reading = (error) => {
  const end = readEnd(error);
  const findGroup = (endings: readonly RegExp[]) =>
    endings.map((ending) => ending.exec(end)?.[1]).find((group) => group !== undefined);
  const column = findGroup(ofOneColumn);
  return column === undefined ? identifiersIn(findGroup(ofColumns) ?? '') : [column];
};

/**
 * The names that PostgreSQL and Prisma give to a constraint of one column: notes_email_key, notes_age_check.
 */
const inConstraint: Reading = (error, written) => {
  const { constraint, table } = error as { readonly constraint?: unknown; readonly table?: unknown };
  const name: unknown = isObject(constraint) ? Reflect.get(constraint, 'index') : constraint;
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  // Prisma has only the message of some.
  const [, ofTable, ofMessage] =
    /"([^"]+)" violates [a-z ]+ constraint "([^"]+)"$/.exec(readEnd(error)) ?? [];
  const [, base] = /^(.+)_(?:key|check|fkey)\d*$/.exec(text(name ?? ofMessage)) ?? [];
  const start = text(table ?? ofTable);
  return Object.keys(written).filter(
    (column) => base !== undefined && isSameColumn(`${start}_${column}`, base),
  );
};

/**
 * MySQL: Duplicate entry 'a@b.example' for key 'notes.email'. That is the name of an index, whose first
 * column gives it its name even if it has several. So the column is the one whose value is the whole entry.
 */
const inEntry: Reading = (error, written) => {
  if (!readOwnCodes(error).some((code) => ['1062', '1586', 'ER_DUP_ENTRY'].includes(String(code)))) return [];
  const entry = /^[^']*'(.*)'[^']+'[^']*'$/s.exec(readMessage(error))?.[1];
  const isEntry = (value: unknown) =>
    ['string', 'number', 'bigint'].includes(typeof value) && String(value) === entry;
  return Object.keys(written).filter((column) => isEntry(written[column]));
};

const readings: readonly Reading[] = [inFields, inLists, inMessage, inConstraint, inEntry];

/** The message of the engine, empty if this is not its error: others can consist of values of clients. */
function readMessage(error: object): string {
  if (readOwnCodes(error).length === 0) return '';
  const texts = ['sqlMessage', 'originalMessage', 'message'].map((name): unknown => Reflect.get(error, name));
  return texts.find((text) => typeof text === 'string') ?? '';
}

/** In characters: so much is searched, however long the values are that a client has sent. */
const longestEnd = 500;

function readEnd(error: object): string {
  return readMessage(error).slice(-longestEnd);
}

/**
 * The columns in a list or an expression, such as lower(email): neither functions, types and literals, nor
 * the table of a column.
 */
function identifiersIn(text: string): string[] {
  const names = text
    .replace(/'[^']*'/g, '')
    .matchAll(/(?<![\w$:"`])(?:"([^"]+)"|`([^`]+)`|([\p{L}_][\p{L}\w$]*))(?![\p{L}\w$(.])/gu);
  return [...names].flatMap((match) => match.slice(1).filter(Boolean));
}

/** ORMs have names of their own for columns: authorId for author_id. */
export function isSameColumn(name: string, other: string): boolean {
  return plain(name) === plain(other);
}

function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}
