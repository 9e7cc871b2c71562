import { declareFactoryPlugin, declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { strykerPlugins as jestPlugins } from '@stryker-mutator/jest-runner';
import { readFileSync, writeFileSync } from 'node:fs';

const [{ factory: createJestRunner }] = jestPlugins;

/** In the sandbox: a mutant that hangs ends the process, and the next one reads it again. */
const testFiles = 'test-files.json';

/**
 * Stryker's Jest loads every test file for each mutant, and skips the tests that do not reach it. This one loads the files that have a
 * test that does, one after the other, the shortest first, until one has failed.
 */
function createRunner(injector) {
  const runner = createJestRunner(injector);
  const { dryRun, mutantRun, run } = runner;
  let chosen;

  return Object.assign(runner, {
    run: (settings) => run.call(runner, { testFiles: chosen, ...settings }),

    async dryRun(options) {
      const result = await dryRun.call(runner, options);
      if (result.status !== 'complete') return result;
      const files = new Map();
      for (const { id, fileName, timeSpentMs } of result.tests) {
        const { ids, time } = files.get(fileName) ?? { ids: [], time: 0 };
        files.set(fileName, { ids: [...ids, id], time: time + timeSpentMs });
      }
      const shortestFirst = [...files].sort(([, left], [, right]) => left.time - right.time);
      writeFileSync(testFiles, JSON.stringify(shortestFirst.map(([fileName, { ids }]) => [fileName, ids])));
      // See environment.mjs.
      for (const [fileName, { time }] of files) {
        result.tests.push({ id: fileName, name: fileName, fileName, timeSpentMs: time, status: 0 });
      }
      return result;
    },

    async mutantRun(options) {
      const reaching = new Set(options.testFilter);
      let result;
      for (const [fileName, ids] of JSON.parse(readFileSync(testFiles, 'utf8'))) {
        const testFilter = reaching.has(fileName) ? undefined : ids.filter((id) => reaching.has(id));
        if (testFilter?.length === 0) continue;
        chosen = [fileName];
        result = await mutantRun.call(runner, { ...options, testFilter });
        if (result.status !== 'survived') break;
      }
      return result;
    },
  });
}
createRunner.inject = createJestRunner.inject;

/** What is said to people is in the snapshot of `__tests__/messages`, which reads the files that Stryker would change. */
const sentences = {
  shouldIgnore({ node }) {
    const texts =
      node.type === 'StringLiteral'
        ? [node.value]
        : node.type === 'TemplateLiteral'
          ? node.quasis.map(({ value }) => value.raw)
          : [];
    return texts.some((text) => /[a-z,] [a-z]/i.test(text)) ? 'held by __tests__/messages' : undefined;
  },
};

export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.TestRunner, 'jest-by-file', createRunner),
  declareValuePlugin(PluginKind.Ignore, 'sentences', sentences),
];
