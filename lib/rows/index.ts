export { MissingColumnError, rowStore, type RowStore } from './row-store';
export type { LaterRowStoreOptions, RowStoreOptions, RowWrite } from './row-store-options';
export {
  type CastType,
  type ColumnForm,
  type ColumnKinds,
  type DeclaredForms,
  type Row,
  type Rows,
  type SchemaColumn,
  unchanged,
} from './rows';
export type { ColumnCodec } from './columns/codec';
export type { ColumnOptions, Columns, ShownValue, ValueOf } from './columns/column-options';
export type { ColumnKind, Kind } from './columns/kind';
export { ColumnValueError } from './columns/codec';
export { GeneratedColumnError } from './refusals';
export { TimeZoneError } from './timestamp-zone';
export { WriteTimeoutError } from './in-transaction';

export { prismaRows, type PrismaRowsOptions } from './orms/prisma';
export { drizzleRows } from './orms/drizzle';
export { knexRows } from './orms/knex';
export { kyselyRows } from './orms/kysely';
export { typeormRows } from './orms/typeorm';
export { sequelizeRows, type SequelizeRowsOptions } from './orms/sequelize';
export { mikroormRows } from './orms/mikroorm';

export { tableRows, type TableConnection } from './sql/table-store';
export { tableStore, type TableStoreOptions } from './sql/table-store';
export type { TableName } from './sql/statement';
export { CharsetError } from './sql/mysql-rows';
