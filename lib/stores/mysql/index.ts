export { MysqlStore, type MysqlStoreOptions } from './mysql-store';
export type { MysqlCallbackPool, MysqlPool, MysqlPoolConnection } from './pool';
export { AutocommitError } from '../sql/autocommit';
