/** Generates the client of rows.prisma. Prisma would download an engine that it looks for, and does not run: any program will do. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const cli = createRequire(import.meta.url).resolve('prisma/build/index.js');
const { status, stderr } = spawnSync(process.execPath, [cli, 'generate', '--schema=rows.prisma'], {
  cwd: import.meta.dirname,
  encoding: 'utf8',
  env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1' },
});
if (status !== 0) throw new Error(`prisma generate: ${stderr}`);
