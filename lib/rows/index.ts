export { rowStore, type RowStore } from './row-store';
export type { RowStoreOptions, RowWrite } from './row-store-options';
export type { Awaitable, CastType, ColumnForm, DeclaredForms, Dialect, Row, Rows } from './rows';
export type { GeneratedVersion, VersionCounter, VersionOption } from './row-version';
export type { ColumnCodec } from './columns/codec';
export type { ColumnKind, ColumnOptions, Columns, ValueOf } from './columns/column';
export type { Kind, KindValues } from './columns/kinds';
export { ColumnValueError } from './columns/codec';
export { MissingColumnError } from './row-reader';

export { prismaRows, type PrismaModel, type PrismaRowsOptions } from './orms/prisma';
export { drizzleRows, type DrizzleDatabase, type DrizzleTable } from './orms/drizzle';
export { knexRows, type KnexLike, type KnexQuery } from './orms/knex';
export { kyselyRows, type KyselyLike } from './orms/kysely';
export { typeormRows, type TypeormRepository } from './orms/typeorm';
export { sequelizeRows, type SequelizeModel, type SequelizeRowsOptions } from './orms/sequelize';
export { mikroormRows, type MikroormEntityManager } from './orms/mikroorm';

export {
  tableRows,
  type PostgresConnection,
  type SqliteConnection,
  type TableConnection,
} from './sql/table-rows';
export type { MysqlCallbackConnection, MysqlConnection } from './sql/mysql-connection';
export { tableStore, type TableStoreOptions } from './sql/table-store';
export type { TableName } from './sql/statement';
export { versionTrigger, type VersionTriggerOptions } from './sql/version-trigger';
export { CharsetError } from '../stores/sql/charset';
