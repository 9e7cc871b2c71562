import { backtickName, quoteName } from '../../stores/sql/table';
import { type CastType, type Dialect, type Row, unchanged } from '../rows';

/** The remedy for a column that is missing in a driver's row, as a sentence. */
export const fixMissing =
  'Write the name in the letter case that the table has, and let the driver return rows as objects.';

/** The name of an existing table. */
export interface TableName {
  /** The name of the table. Any name works, because it is quoted in every statement. */
  readonly table: string;
  /**
   * The schema of the table; in SQLite an attached database, in MySQL a database. Default: the first schema
   * in the search path, or the connection's database.
   */
  readonly schema?: string | undefined;
}

export function quotedTable({ schema, table }: TableName, dialect: Dialect): string {
  const quote = chooseQuote(dialect);
  return schema === undefined ? quote(table) : `${quote(schema)}.${quote(table)}`;
}

/** SQLite can take the name of a missing column in double quotes for a text. */
function chooseQuote(dialect: Dialect): (name: string) => string {
  return dialect === 'postgres' ? quoteName : backtickName;
}

/** SQL with its parameters, in the order of their placeholders. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

type Casts = ReadonlyMap<string, CastType>;

/** The statements on one table. */
export class TableStatements {
  readonly #table: string;
  readonly #dialect: Dialect;

  constructor(name: TableName, dialect: Dialect) {
    this.#table = quotedTable(name, dialect);
    this.#dialect = dialect;
  }

  /** @param casts - the columns that PostgreSQL casts */
  select(where: Row, columns: readonly string[], casts?: Casts, isLocking = false): Statement {
    return this.#select(list(columns, this.#dialect, casts), where, isLocking);
  }

  /** Locks a row. SQLite has no such statement, and does not need it. */
  lock(where: Row): Statement {
    return this.#select('1', where, true);
  }

  #select(what: string, where: Row, isLocking: boolean): Statement {
    const building = new Building(this.#dialect);
    const clause = this.#dialect === 'postgres' ? ' FOR NO KEY UPDATE' : ' FOR UPDATE';
    const text = `SELECT ${what} FROM ${this.#table} WHERE ${building.condition(where)}`;
    return building.statement(isLocking ? text + clause : text);
  }

  update(where: Row, set: Row): Statement {
    const building = new Building(this.#dialect);
    const setting = building.pairs(set).join(', ');
    const update = this.#write('UPDATE');
    return building.statement(`${update} ${this.#table} SET ${setting} WHERE ${building.condition(where)}`);
  }

  insert(row: Row): Statement {
    const building = new Building(this.#dialect);
    const values = Object.values(row).map((value) => building.placeholder(value));
    const columns = list(Object.keys(row), this.#dialect);
    const text = `${this.#write('INSERT')} INTO ${this.#table} (${columns}) VALUES (${values.join(', ')})`;
    return building.statement(text);
  }

  delete(where: Row): Statement {
    const building = new Building(this.#dialect);
    return building.statement(`DELETE FROM ${this.#table} WHERE ${building.condition(where)}`);
  }

  #write(verb: 'UPDATE' | 'INSERT'): string {
    return this.#dialect === 'mysql' ? strictly(verb) : verb;
  }
}

/**
 * A write that is refused if a value does not fit its column, even if the app's sql_mode would truncate the
 * value. MariaDB executes the first comment, MySQL the second.
 */
function strictly(verb: string): string {
  const onMariadb = `/*M! SET STATEMENT sql_mode = CONCAT(@@sql_mode, ',STRICT_ALL_TABLES') FOR */`;
  return `${onMariadb} ${verb} /*+ SET_VAR(sql_mode = 'STRICT_ALL_TABLES') */`;
}

/** A write that returns the columns. */
export function returning({ text, values }: Statement, columns: readonly string[], casts?: Casts): Statement {
  return { text: `${text} RETURNING ${list(columns, 'postgres', casts)}`, values };
}

function list(columns: readonly string[], dialect: Dialect, casts?: Casts): string {
  const quote = chooseQuote(dialect);
  return columns
    .map((name) => {
      const cast = casts?.get(name);
      return cast === undefined ? quote(name) : `${quote(name)}::${cast} AS ${quote(name)}`;
    })
    .join(', ');
}

/** Collects the parameters of one statement. */
class Building {
  readonly #values: unknown[] = [];
  readonly #dialect: Dialect;
  readonly #quote: (name: string) => string;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.#quote = chooseQuote(dialect);
  }

  placeholder(value: unknown): string {
    this.#values.push(value);
    return this.#dialect === 'postgres' ? `$${this.#values.length}` : '?';
  }

  pairs(row: Row): string[] {
    return Object.entries(row).map(([name, value]) => {
      const column = this.#quote(name);
      return `${column} = ${value === unchanged ? column : this.placeholder(value)}`;
    });
  }

  condition(where: Row): string {
    const parts = Object.entries(where).map(([name, value]) =>
      value === null ? `${this.#quote(name)} IS NULL` : `${this.#quote(name)} = ${this.placeholder(value)}`,
    );
    return parts.join(' AND ');
  }

  statement(text: string): Statement {
    return { text, values: this.#values };
  }
}
