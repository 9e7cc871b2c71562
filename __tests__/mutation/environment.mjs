import Environment from '../support/environment.mjs';

/**
 * Skips what comes after the first test that fails: the mutant is noticed. And what runs outside of tests, when a file is loaded or in its
 * `beforeAll`, counts as a test of its own, by the path of the file; for Stryker it would be part of every test of the room.
 */
export default class extends Environment {
  #path;
  #hasFailed = false;

  constructor(config, context) {
    super(config, context);
    this.#path = context.testPath;
  }

  handleTestEvent(event) {
    super.handleTestEvent(event);
    if (event.name === 'setup') this.#setCoverage(this.#path);
    if (event.name === 'teardown') this.#setCoverage(undefined);
    if (event.name === 'hook_failure') this.#hasFailed = true;
    if (event.name === 'test_done' && event.test.errors.length > 0) this.#hasFailed = true;
    if (!this.#hasFailed) return;
    if (event.name === 'run_describe_start') event.describeBlock.mode = 'skip';
    if (event.name === 'test_start') event.test.mode = 'skip';
  }

  #setCoverage(test) {
    const stryker = this.global[this.global.__strykerGlobalNamespace__];
    if (stryker === undefined) return;
    const coverage = (stryker.mutantCoverage ??= { static: {}, perTest: {} });
    coverage.static = test === undefined ? {} : (coverage.perTest[test] ??= {});
  }
}
