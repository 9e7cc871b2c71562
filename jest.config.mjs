import { readFileSync } from 'node:fs';

const { paths } = JSON.parse(readFileSync(new URL('tsconfig.json', import.meta.url))).compilerOptions;

const common = {
  testEnvironment: '<rootDir>/__tests__/support/environment.mjs',
  globalSetup: '<rootDir>/__tests__/support/global-setup.ts',
  globalTeardown: '<rootDir>/__tests__/support/global-teardown.ts',
  // All projects have one cache of what is compiled.
  id: 'patch-options',
  transform: { '^.+\\.ts$': '<rootDir>/__tests__/support/ts-jest.mjs' },
  moduleNameMapper: Object.fromEntries(
    Object.entries(paths).map(([name, [file]]) => [`^${name}$`, file.replace('.', '<rootDir>')]),
  ),
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/examples/dist/'],
};
const all = ['<rootDir>/__tests__/**/*.test.ts'];
const ownPackages = ['/node_modules/', '/__tests__/orms/', '/__tests__/frameworks/'];
const fastOnly = [...ownPackages, '/__tests__/release/', '\\.(?:deep|browser)\\.test\\.ts$'];
const deep = { globals: { deep: true } };

const projects = {
  // What `npm test` runs, on Express 5.
  fast: { testMatch: all, testPathIgnorePatterns: fastOnly, globals: { express: '5' } },
  // The same on Express 4 and the oldest `router`, but for stores, which have nothing to do with Express.
  express4: {
    testMatch: all,
    testPathIgnorePatterns: [...fastOnly, '/__tests__/stores/'],
    globals: { express: '4' },
  },
  // What a release must pass and a change rarely breaks: the packed package, its API, the page and CORS in Chromium, and real proxies.
  release: {
    testMatch: ['<rootDir>/__tests__/**/*.browser.test.ts', '<rootDir>/__tests__/release/**/*.test.ts'],
    testPathIgnorePatterns: ['/node_modules/', '\\.deep\\.test\\.ts$'],
    globals: { express: '5' },
  },
  // All tests at full size, which DEEP_SCALE (default 1) shortens, on both releases of Express; and the long proofs: soaks and crashes.
  deep: {
    ...deep,
    testMatch: all,
    testPathIgnorePatterns: [...ownPackages, '/__tests__/release/(?!.*\\.deep\\.)'],
  },
  // Over the packages of their own folders.
  orms: { ...deep, testMatch: ['<rootDir>/__tests__/orms/**/*.test.ts'] },
  frameworks: {
    ...deep,
    testMatch: ['<rootDir>/__tests__/frameworks/**/*.test.ts'],
    // Nest needs decorators.
    transform: {
      '^.+\\.ts$': [
        '<rootDir>/__tests__/support/ts-jest.mjs',
        { tsconfig: '__tests__/frameworks/tsconfig.json' },
      ],
    },
  },
};

// `npx jest cors` runs the fast tests alone; the others are named: `npx jest cors --selectProjects deep`.
const isChosen = process.argv.some((argument) => argument.startsWith('--selectProjects'));

export default {
  projects: Object.entries(projects)
    .filter(([name]) => isChosen || name === 'fast')
    .map(([displayName, project]) => ({ displayName, ...common, ...project })),
  // Not the five seconds that Jest gives: the compiler runs beside it, and machines are shared. It ends what hangs, and nothing else:
  // no test is about how long something takes, and so none has less.
  testTimeout: isChosen ? 3_600_000 : 300_000,
  // For two cores: workers of the fast tests wait for sockets, databases and timers half of their time, those of the others, which start
  // browsers and package managers, a third. Not more where there are more cores, as all of them share one server of each database.
  maxWorkers: isChosen ? 3 : 5,
  testSequencer: '<rootDir>/__tests__/support/longest-first.mjs',
};
