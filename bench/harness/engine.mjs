import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const keeper = join(import.meta.dirname, '../../__tests__/support/engine-keeper.mjs');

/** A PostgreSQL of this run's own, with the durability that it has by default: a commit is on the disk. */
export async function startPostgres() {
  const child = spawn(process.execPath, [keeper, 'postgres'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { done, value } = await lines.next();
  if (done) throw new Error('PostgreSQL did not start: what it printed stands above');
  const [url] = JSON.parse(value);
  return {
    url,
    async stop() {
      const exited = once(child, 'exit');
      child.stdin.end();
      await exited;
    },
  };
}
