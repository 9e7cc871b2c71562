import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const entry = join(import.meta.dirname, 'server.mjs');

/** A server in a process of its own, on a free port of 127.0.0.1. */
export class ServerProcess {
  #child;
  port;

  /** @param place - where a server may keep its data: a `folder`, and the `urls` of the work's engines */
  static async start({ module, maker, options }, place) {
    const process_ = new ServerProcess();
    process_.#child = fork(entry, [module, maker, JSON.stringify({ ...options, ...place })], {
      env: { ...process.env, NODE_ENV: 'production' },
    });
    process_.port = await process_.#answer(`start ${module} ${maker}`);
    return process_;
  }

  ask(command, argument) {
    this.#child.send({ command, argument });
    return this.#answer(command);
  }

  async stop() {
    if (this.#child.exitCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill();
    await exited;
  }

  #answer(what) {
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const settle = () => {
        child.off('message', answered).off('exit', ended);
      };
      const answered = ({ result }) => {
        settle();
        resolve(result);
      };
      const ended = () => {
        settle();
        reject(new Error(`The server has ended at: ${what}`));
      };
      child.on('message', answered).on('exit', ended);
    });
  }
}
