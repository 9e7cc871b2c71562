/** Fast tests, run by `npm test`. What takes longer is named `*.deep.test.ts` and run by `npm run test:deep`. */
export default {
  testMatch: ['<rootDir>/__tests__/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '\\.deep\\.test\\.ts$'],
  transform: { '^.+\\.ts$': ['ts-jest', { diagnostics: { warnOnly: false } }] },
  moduleNameMapper: {
    '^patch-options$': '<rootDir>/lib/index.ts',
    '^patch-options/testing$': '<rootDir>/lib/stores/conformance.ts',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/examples/dist/'],
};
