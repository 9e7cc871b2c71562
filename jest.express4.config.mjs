import fast from './jest.config.mjs';

process.env.EXPRESS = '4';

/** The fast tests over a real app, on Express 4 and the oldest `router`. */
export default {
  ...fast,
  // They have nothing to do with Express.
  testPathIgnorePatterns: [...fast.testPathIgnorePatterns, '/__tests__/stores/'],
};
