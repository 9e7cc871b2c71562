import type { Kind } from '../columns/kind';

/** The kinds of SQL types, as PostgreSQL, MySQL and MariaDB and the ORMs over them write them. */
const typesByKind: Readonly<Record<Kind, string>> = {
  string:
    'varchar|character varying|char|character|text|citext|tinytext|mediumtext|longtext|' +
    'nvarchar|national varchar|nchar|national char|enum|inet|cidr|macaddr|macaddr8',
  integer: 'int|int2|int4|integer|smallint|mediumint|tinyint|serial|smallserial|year',
  bigint: 'bigint|int8|bigserial',
  number: 'double precision|double|real|float|float4|float8',
  decimal: 'numeric|decimal|dec|fixed',
  boolean: 'boolean|bool',
  date: 'timestamp with time zone|timestamptz|timestamp without time zone|timestamp|datetime',
  day: 'date',
  time: 'time|time without time zone',
  uuid: 'uuid',
  json: 'jsonb|json',
};

/** The kind of a column by its type in SQL, in lower case and without a length. */
export const sqlKinds: ReadonlyMap<string, Kind> = new Map(
  Object.entries(typesByKind).flatMap(([kind, types]) =>
    types.split('|').map((type) => [type, kind as Kind] as const),
  ),
);
