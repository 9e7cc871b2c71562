/** Generates a client for each schema of Prisma. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const cli = require.resolve('prisma/build/index.js');
const isOld = require('prisma/package.json').version.startsWith('6.');
for (const database of ['postgresql', 'mariadb', 'sqlite']) {
  const written = join(import.meta.dirname, `prisma/${database}.prisma`);
  const schema = isOld ? join(import.meta.dirname, `prisma/${database}-6.prisma`) : written;
  if (isOld) writeFileSync(schema, toPrisma6(readFileSync(written, 'utf8')));
  const { status, stderr } = spawnSync(process.execPath, [cli, 'generate', `--schema=${schema}`], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    // Any program will do: it is looked for, and not run, and would be downloaded otherwise.
    env: {
      ...{ ...process.env, PRISMA_HIDE_UPDATE_MESSAGE: '1' },
      ...{ PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_QUERY_ENGINE_LIBRARY: process.execPath },
    },
  });
  if (isOld) rmSync(schema);
  if (status !== 0) throw new Error(`prisma generate for ${database}: ${stderr}`);
}

/** Prisma 6 has another engine, unless the schema says so, and a URL in the schema, which an adapter does not need. */
function toPrisma6(schema) {
  const [, provider] = /datasource db \{\s*provider = "(\w+)"/.exec(schema);
  const url = provider === 'sqlite' ? 'file:not-used.db' : `${provider}://not-used`;
  return schema
    .replace(/^generator client \{/m, '$&\n  engineType = "client"')
    .replace(/^datasource db \{/m, `$&\n  url = "${url}"`);
}
