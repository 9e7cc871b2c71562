/**
 * Installs the packages of folders with a lock file of their own, unless they are there: `node install.mjs site __tests__/orms`.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

for (const folder of process.argv.slice(2)) {
  const lock = join(folder, 'package-lock.json');
  /** What was installed; `npm ci` removes it with all else. */
  const installed = join(folder, 'node_modules/.installed.json');
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(lock))) continue;
  const { status } = spawnSync('npm', ['--prefix', folder, 'ci', '--ignore-scripts', '--silent'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(1);
  copyFileSync(lock, installed);
}
