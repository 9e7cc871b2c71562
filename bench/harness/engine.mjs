import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { distantWay } from './distant-way.mjs';

const keeper = join(import.meta.dirname, '../../__tests__/support/engine-keeper.mjs');

/**
 * A PostgreSQL of this run's own, with the durability that it has by default: a commit is on the disk.
 *
 * @param distance - milliseconds that what is sent to it takes beside
 */
export async function startPostgres(distance = 0) {
  const child = spawn(process.execPath, [keeper, 'postgres'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { done, value } = await lines.next();
  if (done) throw new Error('PostgreSQL did not start; KEEPER_LOG=1 says why');
  const [url] = JSON.parse(value);
  const way = distance > 0 ? await distantWay(url, distance) : undefined;
  return {
    url: way?.url ?? url,
    async stop() {
      way?.close();
      const exited = once(child, 'exit');
      child.stdin.end();
      await exited;
    },
  };
}
