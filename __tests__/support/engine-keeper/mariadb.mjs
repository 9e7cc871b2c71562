import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { end, freePort, startServer } from './server-process.mjs';

const run = promisify(execFile);

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
      server = await startServer('mariadbd', ['--no-defaults', ...files, ...listen], /ready for connections/);
    },
    stop: () => end(server, 'SIGTERM'),
    kill: () => end(server, 'SIGKILL'),
  };
}
