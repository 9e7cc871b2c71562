export {
  storeConformance,
  type ConformanceCase,
  type ConformingStore,
  type StoreUnderTest,
  type TextCarrier,
} from './store-conformance';
