import fast from './jest.config.mjs';

/** What a release must pass and a change rarely breaks: the packed package, its API, and the page and CORS in Chromium. */
export default {
  ...fast,
  testMatch: ['<rootDir>/__tests__/**/*.browser.test.ts', '<rootDir>/__tests__/release/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '\\.deep\\.test\\.ts$'],
};
