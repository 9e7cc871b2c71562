import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { end, eventually, freePort } from './server-process.mjs';

const run = promisify(execFile);
const stdio = ['ignore', process.env.KEEPER_LOG ? 2 : 'ignore', 2];

/** One redis-server that writes what it acknowledges to an append-only file. */
export async function keepRedis(folder, flags = []) {
  const port = await freePort();
  let server;
  const files = ['--dir', folder, '--appendonly', 'yes', '--save', ''];
  return {
    urls: [`redis://127.0.0.1:${port}`],
    port,
    async start() {
      server = spawn('redis-server', ['--bind', '127.0.0.1', '--port', String(port), ...files, ...flags], {
        stdio,
      });
      await once(server, 'spawn');
      await eventually(() => says(port, ['ping'], 'PONG'));
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
      await each(({ port }) => eventually(() => says(port, ['cluster', 'info'], 'cluster_state:ok')));
    },
    stop: () => each((node) => node.stop()),
    kill: () => each((node) => node.kill()),
  };
}

async function says(port, command, expected) {
  const { stdout } = await run('redis-cli', ['-p', String(port), ...command]);
  if (!stdout.includes(expected)) throw new Error(`redis-server at ${port} says: ${stdout}`);
}
