export { MysqlStore } from './mysql-store';
export type { MysqlStoreOptions } from './statements';
export type { MysqlCallbackPool, MysqlPool, MysqlPoolConnection } from './pool';
export { AutocommitError } from '../sql/autocommit';
