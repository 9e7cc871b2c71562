export { RedisStore, type RedisStoreOptions } from './redis-store';
export { type RedisClient, RedisTimeoutError } from './client';
