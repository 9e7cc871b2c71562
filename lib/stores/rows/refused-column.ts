import { errorsWithin, isNullRefusal } from './database-error';

/** Where engines and drivers put their message. */
const messages = ['message', 'sqlMessage', 'originalMessage'];

/**
 * How messages end that name a column. Values of clients can stand before that end, so nothing else of a message is read.
 *
 * - SQLite: NOT NULL constraint failed: notes.author_id
 * - MySQL: Field 'author_id' doesn't have a default value; Column 'author_id' cannot be null
 * - MySQL: Data too long for column 'title' at row 1
 * - MariaDB: Incorrect integer value: 'x' for column `app`.`notes`.`age` at row 1
 * - Prisma: Null constraint violation on the fields: (`author_id`)
 */
const endings = [
  /NOT NULL constraint failed: (?:[^\s.]+\.)?([^\s.]+)$/,
  /Field '([^']+)' doesn't have a default value$/,
  /Column '([^']+)' cannot be null$/,
  / for column (?:`[^`]+`\.)*[`']([^`']+)[`'] at row \d+$/,
  /Null constraint violation on the fields?: \(`([^`]+)`\)$/,
];

/** The column that the database names in its error; undefined if it names none. */
export function refusedColumn(error: unknown): string | undefined {
  for (const within of errorsWithin(error)) {
    const column: unknown = Reflect.get(within, 'column'); // PostgreSQL
    if (typeof column === 'string' && isNullRefusal(within)) return column;
    for (const text of messages.map((name): unknown => Reflect.get(within, name))) {
      if (typeof text !== 'string') continue;
      for (const ending of endings) {
        const named = ending.exec(text)?.[1];
        if (named !== undefined) return named;
      }
    }
  }
  return undefined;
}

/** ORMs have names of their own for columns: authorId for author_id. */
export function isSameColumn(name: string, other: string): boolean {
  return plain(name) === plain(other);
}

function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}
