import { quoted } from '../sql/sql-name';

/** The table of the resources. */
export interface PostgresTable {
  /** The table, in any spelling: it is quoted. */
  readonly table: string;
  /** The schema, quoted too. Default: where the connection's `search_path` finds the table. */
  readonly schema?: string;
}

/** The table's name as statements have it. */
export function quotedTable({ schema, table }: PostgresTable): string {
  return schema === undefined ? quoted(table) : `${quoted(schema)}.${quoted(table)}`;
}
