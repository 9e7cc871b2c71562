export { storeConformance, type ConformanceCase, type ConformanceOptions } from './store-conformance';
export type { ConformingStore, StoreUnderTest } from './store-under-test';
export type { TextCarrier } from './text-carrier';
