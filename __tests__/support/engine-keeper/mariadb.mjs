import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { end, eventually, freePort } from './server-process.mjs';

const run = promisify(execFile);
const stdio = ['ignore', process.env.KEEPER_LOG ? 2 : 'ignore', process.env.KEEPER_LOG ? 2 : 'ignore'];

/** The machine's mariadbd, with the settings that MariaDB has by itself: its collations fold case and accents. */
export async function keepMariadb(folder) {
  const port = await freePort();
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  const files = [`--datadir=${join(folder, 'data')}`, ...user];
  await run('mariadb-install-db', [
    '--no-defaults',
    ...files,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ]);
  let server;
  return {
    urls: [`mysql://root@127.0.0.1:${port}/mysql`],
    async start() {
      const socket = `--socket=${join(folder, 'mariadb.sock')}`;
      const listen = ['--bind-address=127.0.0.1', `--port=${port}`, socket, '--skip-name-resolve'];
      server = spawn('mariadbd', ['--no-defaults', ...files, ...listen], { stdio });
      await once(server, 'spawn');
      await eventually(() => greets(port));
    },
    stop: () => end(server, 'SIGTERM'),
    kill: () => end(server, 'SIGKILL'),
  };
}

/** A server that is ready greets first. */
async function greets(port) {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'data');
  } finally {
    socket.destroy();
  }
}
