import { quoted } from './sql-name';

/** The table of the resources. */
export interface PostgresTable {
  /** In any spelling: it is quoted. */
  readonly table: string;
  /** Quoted too. Default: where the connection's `search_path` finds the table. */
  readonly schema?: string;
}

/** The table's name as statements have it. */
export function quotedTable({ schema, table }: PostgresTable): string {
  return schema === undefined ? quoted(table) : `${quoted(schema)}.${quoted(table)}`;
}
