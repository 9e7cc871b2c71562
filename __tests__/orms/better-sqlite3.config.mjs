import deep from '../../jest.deep.config.mjs';

process.env.BETTER_SQLITE3 = 'true';

/** What the stores and the ORMs do over better-sqlite3, which is compiled on installation: `npm run better-sqlite3`. */
export default {
  ...deep,
  rootDir: '../..',
  testMatch: [
    '<rootDir>/__tests__/stores/sqlite/*.test.ts',
    '<rootDir>/__tests__/rows/{table-store,conformance,patch}.test.ts',
    '<rootDir>/__tests__/orms/*.deep.test.ts',
  ],
};
