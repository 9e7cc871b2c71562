import deep from '../../jest.deep.config.mjs';

/** Apart from the other tests: in one run, ts-jest compiles all files by the first tsconfig.json that it has read. */
export default {
  ...deep,
  rootDir: '../..',
  testMatch: ['<rootDir>/__tests__/frameworks/**/*.deep.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  // Nest needs decorators.
  transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/__tests__/frameworks/tsconfig.json' }] },
};
