export { SqliteStore, type SqliteStoreOptions } from './sqlite-store';
export type { SqliteHandle } from '../sql/sqlite-handle';
