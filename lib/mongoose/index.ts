export { mongooseStore, type MongooseStore } from './mongoose-store';
export type { MongooseStoreOptions } from './options';
