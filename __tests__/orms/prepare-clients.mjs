/** Generates a client for each schema of Prisma. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

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
