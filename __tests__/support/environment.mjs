import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';

const used = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...args) {
  used.add(this);
  return run.apply(this, args);
};

/**
 * Jest's environment of Node, but that nothing of a file is left for the next one: Jest keeps the test that is running in an
 * AsyncLocalStorage, a new one in each file, and for each promise Node copies all that were ever used in the process.
 */
export default class extends TestEnvironment {
  async teardown() {
    await super.teardown();
    for (const storage of used) storage.disable();
    used.clear();
  }
}
