import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { end, freePort, startServer } from './server-process.mjs';

const run = promisify(execFile);

/** One redis-server that writes what it acknowledges to an append-only file. */
export async function keepRedis(folder, flags = []) {
  const port = await freePort();
  let server;
  const files = ['--dir', folder, '--appendonly', 'yes', '--save', ''];
  return {
    urls: [`redis://127.0.0.1:${port}`],
    port,
    async start() {
      const args = ['--bind', '127.0.0.1', '--port', String(port), ...files, ...flags];
      server = await startServer('redis-server', args, /Ready to accept connections/);
    },
    stop: () => end(server, 'SIGTERM'),
    kill: () => end(server, 'SIGKILL'),
  };
}

/** Three nodes without replicas: every redirection there is, and no failover. */
export async function keepRedisCluster(folder) {
  const nodes = await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      await mkdir(join(folder, name));
      const clusterPort = String(await freePort());
      const flags = [
        '--cluster-enabled',
        'yes',
        '--cluster-port',
        clusterPort,
        '--cluster-node-timeout',
        '2000',
      ];
      return keepRedis(join(folder, name), [...flags, '--cluster-announce-ip', '127.0.0.1']);
    }),
  );
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const each = (act) => Promise.all(nodes.map(act));
  let isJoined = false;
  return {
    urls: addresses.map((address) => `redis://${address}`),
    async start() {
      await each((node) => node.start());
      const join = ['--cluster', 'create', ...addresses, '--cluster-replicas', '0', '--cluster-yes'];
      if (!isJoined) await run('redis-cli', join);
      isJoined = true;
      await each(({ port }) => clusterIsUp(port));
    },
    stop: () => each((node) => node.stop()),
    kill: () => each((node) => node.kill()),
  };
}

/** Nodes tell no one when they have agreed. What is asked for a minute in vain ends with the last answer. */
async function clusterIsUp(port) {
  for (let tries = 1; ; tries++) {
    const { stdout } = await run('redis-cli', ['-p', String(port), 'cluster', 'info']);
    if (stdout.includes('cluster_state:ok')) return;
    if (tries > 1_200) throw new Error(`redis-server at ${port} says: ${stdout}`);
    await delay(50);
  }
}
