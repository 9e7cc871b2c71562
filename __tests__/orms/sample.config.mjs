import deep from '../../jest.deep.config.mjs';

process.env.ORMS_SAMPLE = 'true';

/** The part of the deep tests that CI runs: the contract of stores, over the ORMs of `support/each-orm.ts` that are its sample. */
export default {
  ...deep,
  rootDir: '../..',
  testMatch: ['<rootDir>/__tests__/orms/conformance.deep.test.ts'],
};
