import './compile-once.mjs';
import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';

// Jest keeps the test that is running in an AsyncLocalStorage, which Node 20 copies for each promise there is. No two tests of a file run
// at once, so a variable will do.
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (store, callback, ...args) {
  if (store?.test === undefined && store?.hook === undefined) return run.call(this, store, callback, ...args);
  this.getStore = () => store;
  return callback(...args);
};

// A worker that has nothing left to do gives back more than a gigabyte, object by object. On a busy machine that takes longer than the half
// second after which Jest says that a worker has failed to exit. What is left open still keeps it from coming here.
if (process.send !== undefined) process.once('exit', () => process.kill(process.pid, 'SIGKILL'));

let printed = [];
process.removeAllListeners('warning');
process.on('warning', ({ name, message }) => printed.push(`${name}: ${message}\n`));

/**
 * Jest's environment of Node, but quiet: what the library and Express print, and what the process is warned of, is shown if a test of the
 * file fails. Tests at full size say what they did.
 */
export default class extends TestEnvironment {
  #failed = false;

  constructor(config, context) {
    super(config, context);
    printed = [];
    if (this.global.deep === true) return;
    for (const name of ['stdout', 'stderr']) {
      const stream = Object.create(process[name], { write: { value: write, writable: true } });
      Object.defineProperty(this.global.process, name, { value: stream, configurable: true });
    }
  }

  handleTestEvent({ name, test }) {
    if (name === 'test_done' && test.errors.length > 0) this.#failed = true;
  }

  async teardown() {
    await super.teardown();
    if (this.#failed) process.stderr.write(printed.join(''));
  }
}

function write(chunk, ...rest) {
  printed.push(String(chunk));
  const callback = rest.at(-1);
  if (typeof callback === 'function') callback();
  return true;
}
