export {
  storeConformance,
  type ConformanceCase,
  type ConformingStore,
  type StoreUnderTest,
} from './stores/conformance';
