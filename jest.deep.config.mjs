import fast from './jest.config.mjs';

/** The long proofs: millions of random cases, soaks, crashes. DEEP_SCALE (default 1) shortens them, as `.ci/run` does. */
export default {
  ...fast,
  testMatch: ['<rootDir>/__tests__/**/*.deep.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  transform: {
    // Nest needs decorators.
    '/__tests__/frameworks/.+\\.ts$': [
      'ts-jest',
      { tsconfig: '<rootDir>/__tests__/frameworks/tsconfig.json' },
    ],
    ...fast.transform,
  },
  testTimeout: 3_600_000,
};
