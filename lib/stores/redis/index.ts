export { RedisStore, type RedisStoreOptions } from './redis-store';
export type { RedisClient } from './client';
