import { quoted } from '../../sql/name';
import type { Dialect, Row } from '../rows';

/** A table that is there. */
export interface TableName {
  /** Its name, without quotes: it is quoted in every statement. */
  readonly table: string;
  /** The schema that it is in, or the attached database. Default: the first of the search path. */
  readonly schema?: string | undefined;
}

export function quotedTable({ schema, table }: TableName): string {
  return schema === undefined ? quoted(table) : `${quoted(schema)}.${quoted(table)}`;
}

/** SQL with its parameters, in the order of their placeholders. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The statements on one table. */
export class TableStatements {
  readonly #table: string;
  readonly #dialect: Dialect;

  constructor(name: TableName, dialect: Dialect) {
    this.#table = quotedTable(name);
    this.#dialect = dialect;
  }

  select(where: Row, columns: readonly string[]): Statement {
    const building = new Building(this.#dialect);
    const text = `SELECT ${list(columns)} FROM ${this.#table} WHERE ${building.condition(where)}`;
    return building.statement(text);
  }

  update(where: Row, set: Row): Statement {
    const building = new Building(this.#dialect);
    const setting = building.pairs(set).join(', ');
    return building.statement(`UPDATE ${this.#table} SET ${setting} WHERE ${building.condition(where)}`);
  }

  insert(row: Row): Statement {
    const building = new Building(this.#dialect);
    const values = Object.values(row).map((value) => building.placeholder(value));
    const text = `INSERT INTO ${this.#table} (${list(Object.keys(row))}) VALUES (${values.join(', ')})`;
    return building.statement(text);
  }

  delete(where: Row): Statement {
    const building = new Building(this.#dialect);
    return building.statement(`DELETE FROM ${this.#table} WHERE ${building.condition(where)}`);
  }
}

export function returning({ text, values }: Statement, columns: readonly string[]): Statement {
  return { text: `${text} RETURNING ${list(columns)}`, values };
}

function list(columns: readonly string[]): string {
  return columns.map(quoted).join(', ');
}

/** One statement that is being written. */
class Building {
  readonly #values: unknown[] = [];
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  placeholder(value: unknown): string {
    this.#values.push(value);
    return this.#dialect === 'postgres' ? `$${this.#values.length}` : '?';
  }

  pairs(row: Row): string[] {
    return Object.entries(row).map(([name, value]) => `${quoted(name)} = ${this.placeholder(value)}`);
  }

  condition(where: Row): string {
    const parts = Object.entries(where).map(([name, value]) =>
      value === null ? `${quoted(name)} IS NULL` : `${quoted(name)} = ${this.placeholder(value)}`,
    );
    return parts.join(' AND ');
  }

  statement(text: string): Statement {
    return { text, values: this.#values };
  }
}
