export { type PostgresPool, PostgresStore, type PostgresStoreOptions } from './postgres-store';
