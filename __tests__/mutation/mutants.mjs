/**
 * Tests the tests: changes rooms or files of lib, mutant by mutant, runs the tests of the same room over each, and prints the mutants
 * that none of them notices. `npm run mutants cors patch/handle.ts`. What a room does for another may be tested there:
 * `TESTS=patch npm run mutants http` runs the tests of both.
 */
import { Stryker } from '@stryker-mutator/core';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import jestConfig from '../../jest.config.mjs';

const lib = fileURLToPath(new URL('../../lib', import.meta.url));
const places = readdirSync(lib, { recursive: true });
const chosen = process.argv.slice(2);
const { TESTS = '' } = process.env;
const besides = TESTS.split(' ').filter(Boolean);
const unknown = [...chosen, ...besides].filter((place) => !places.includes(place));
if (chosen.length === 0 || unknown.length > 0) {
  console.error(
    `${unknown.join(', ') || 'Nothing'} is not in lib/. Name rooms or files of it: npm run mutants cors`,
  );
  process.exit(1);
}
// Everything that goes over the wire, beside the tests of the room.
const rooms = new Set(['wire', ...besides, ...chosen.map((place) => place.split('/')[0])]);
const report = `node_modules/.cache/mutants/${chosen.join('+').replaceAll('/', '-')}`;
const [fast] = jestConfig.projects;

await new Stryker({
  mutate: chosen.map((place) => (place.endsWith('.ts') ? `lib/${place}` : `lib/${place}/**/*.ts`)),
  ignorePatterns: ['/dist', '/site', '/bench'],
  tempDirName: join(tmpdir(), 'patch-options-mutants'),
  plugins: ['@stryker-mutator/jest-runner', new URL('plugins.mjs', import.meta.url).href],
  testRunner: 'jest-by-file',
  jest: {
    config: {
      ...fast,
      projects: [],
      // Two processes less for each mutant.
      watchman: false,
      haste: { forceNodeFilesystemAPI: true },
      testEnvironment: './__tests__/mutation/environment.mjs',
      // Many mutants leave a request without an answer, and none of these tests takes nearly as long. What hangs in a loop is for `timeoutMS`.
      testTimeout: 15_000,
      testMatch: [...rooms].map((room) => `<rootDir>/__tests__/${room}/**/*.test.ts`),
      // They run, or measure, what esbuild bundles of the files that Stryker has changed.
      testPathIgnorePatterns: [
        ...fast.testPathIgnorePatterns,
        '/json/entry\\.test\\.ts$',
        '/client/bundle\\.test\\.ts$',
      ],
    },
    enableFindRelatedTests: false,
  },
  ignorers: ['sentences'],
  // esbuild checks no types.
  disableTypeChecks: false,
  timeoutMS: 30_000,
  // What is left does the same by other means: defaults that only types ask for, caches, and shorter ways.
  thresholds: { high: 95, low: 90, break: 90 },
  reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
  allowConsoleColors: false,
  clearTextReporter: { allowColor: false, logTests: false },
  htmlReporter: { fileName: `${report}.html` },
  jsonReporter: { fileName: `${report}.json` },
}).runMutationTest();
