/**
 * Runs the tests of what an ORM saves with the oldest release that is supported: `node __tests__/orms/oldest.mjs typeorm`.
 * It replaces the packages in `node_modules` here; `npm run orms` after `rm -r __tests__/orms/node_modules` brings the others back.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const oldest = {
  prisma: {
    packages: ['prisma', '@prisma/client', '@prisma/adapter-pg', '@prisma/adapter-mariadb'].map(
      (name) => `${name}@6.19`,
    ),
    name: 'Prisma',
  },
  typeorm: { packages: ['typeorm@0.3.0'], name: 'TypeORM' },
  sequelize: { packages: ['sequelize@6.12.0'], name: 'Sequelize' },
};

const orm = oldest[process.argv[2]];
if (orm === undefined) throw new Error(`Name one of ${Object.keys(oldest).join(', ')}.`);
const root = join(import.meta.dirname, '../..');
const run = (command, parameters) => {
  const { status } = spawnSync(command, parameters, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};
const here = ['--prefix', '__tests__/orms'];
run('npm', [...here, 'install', '--no-save', '--ignore-scripts', '--legacy-peer-deps', ...orm.packages]);
run('npm', [...here, 'run', '--silent', 'prepare-clients']);
run('npx', [
  ...['jest', `orms/(saved-${process.argv[2]}|as-by-hand|races)`, '--selectProjects', 'orms', '--runInBand'],
  ...['--testNamePattern', orm.name],
]);
