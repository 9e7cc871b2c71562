export { PostgresStore, type PostgresStoreOptions } from './postgres-store';
export type { PostgresPool } from './pool';
