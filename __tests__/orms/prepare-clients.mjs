/** Generates a client for each schema of Prisma, and leaves better-sqlite3 to the project's own, whose native part is built. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

rmSync(join(import.meta.dirname, 'node_modules/better-sqlite3'), { recursive: true, force: true });

const { resolve } = createRequire(import.meta.url);
const cli = resolve('prisma/build/index.js');
for (const database of ['postgresql', 'mariadb', 'sqlite']) {
  const { status, stderr } = spawnSync(
    process.execPath,
    [cli, 'generate', `--schema=prisma/${database}.prisma`],
    {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      // Any program will do: it is looked for, and not run, and would be downloaded otherwise.
      env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1' },
    },
  );
  if (status !== 0) throw new Error(`prisma generate for ${database}: ${stderr}`);
}
