export { storeConformance, type ConformanceCase } from './store-conformance';
export type { ConformanceOptions, MemberSamples } from './conformance-options';
export type { ConformingStore, StoreUnderTest } from './store-under-test';
export type { TextCarrier } from './text-carrier';
