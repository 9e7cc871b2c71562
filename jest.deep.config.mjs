import fast from './jest.config.mjs';

/** The long proofs: millions of random cases, soaks, crashes. DEEP_SCALE (default 1) shortens them, as `.ci/run` does. */
export default {
  ...fast,
  // On both releases of Express.
  setupFiles: [],
  testMatch: ['<rootDir>/__tests__/**/*.deep.test.ts'],
  // Those of the frameworks have a configuration of their own.
  testPathIgnorePatterns: ['/node_modules/', '/__tests__/frameworks/'],
  testTimeout: 3_600_000,
};
