import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const keeper = join(import.meta.dirname, '../../__tests__/support/engine-keeper.mjs');

/** npm brings PostgreSQL; Redis is the machine's. */
const programs = {
  redis: { program: 'redis-server', debianPackage: 'redis-server' },
};

/** Says at once what is missing, and not after half an hour. */
export function assertEngines(names) {
  for (const { program, debianPackage } of names.flatMap((name) => programs[name] ?? [])) {
    if (!spawnSync(program, ['--version']).error) continue;
    throw new Error(`There is no ${program} here: apt-get install ${debianPackage}`);
  }
}

/**
 * Engines of this run's own, `postgres` or `redis`, with the durability that they have by default; Redis writes to an append-only
 * file.
 */
export async function startEngines(names = []) {
  const engines = await Promise.all(names.map(startEngine));
  return {
    urls: Object.fromEntries(engines.map(({ name, url }) => [name, url])),
    stop: () => Promise.all(engines.map(({ stop }) => stop())),
  };
}

async function startEngine(name) {
  const child = spawn(process.execPath, [keeper, name], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { done, value } = await lines.next();
  if (done) throw new Error(`${name} did not start: what it printed stands above`);
  const [url] = JSON.parse(value);
  return {
    name,
    url,
    async stop() {
      const exited = once(child, 'exit');
      child.stdin.end();
      await exited;
    },
  };
}
