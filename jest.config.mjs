/**
 * The fast tests, run by `npm test` on Express 5. `npm run test:release` runs them on Express 4, and `*.browser.test.ts` and the
 * folder `release`; `npm run test:deep` runs `*.deep.test.ts`.
 */
export default {
  testMatch: ['<rootDir>/__tests__/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '\\.(deep|browser)\\.test\\.ts$', '/__tests__/release/'],
  globalSetup: '<rootDir>/__tests__/support/global-setup.ts',
  globalTeardown: '<rootDir>/__tests__/support/global-teardown.ts',
  // With isolatedModules ts-jest does not check types: `npm run lint` does, once and not in each worker.
  transform: { '^.+\\.ts$': 'ts-jest' },
  moduleNameMapper: {
    '^patch-options$': '<rootDir>/lib/index.ts',
    '^patch-options/(rows|explain|json|client|testing)$': '<rootDir>/lib/$1/index.ts',
    '^patch-options/(sqlite|postgres|redis)$': '<rootDir>/lib/stores/$1/index.ts',
  },
  setupFiles: ['<rootDir>/__tests__/support/express-5.ts'],
  // Jest leaves one core free, which on two of them is half.
  maxWorkers: 2,
  testSequencer: '<rootDir>/__tests__/support/longest-first.mjs',
  // Not the five seconds that Jest gives: the linter runs beside it, and machines are shared. It ends what hangs, and nothing else:
  // no test is about how long something takes, and so none has less.
  testTimeout: 300_000,
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/examples/dist/'],
};
