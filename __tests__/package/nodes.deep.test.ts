/** The package on later releases of Node than the tests run on. Their binaries are npm packages too. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type Framework,
  freshProject,
  install,
  packTarball,
  remove,
  temporaryFolder,
} from '../support/packed-project';

const run = promisify(execFile);
const releases = ['22', '24'];
const frameworks: readonly Framework[] = ['Express 5', 'Express 4'];

let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  const nodes = join(folder, 'nodes');
  await mkdir(nodes);
  await writeFile(join(nodes, 'package.json'), '{}');
  const packed = packTarball(folder);
  await Promise.all([
    install(
      nodes,
      releases.map((release) => `node${release}@npm:node-${platform()}-${arch()}@${release}`),
    ),
    ...frameworks.map(async (framework) => freshProject(join(folder, framework), await packed, framework)),
  ]);
}, 600_000);

afterAll(() => remove(folder));

describe.each(releases)('Node %s', (release) => {
  test.each([
    ['Express 5', 'server.mjs'],
    ['Express 5', 'server.cjs'],
    ['Express 4', 'server.mjs'],
    ['Express 4', 'server.cjs'],
  ])('%s, %s', async (framework, server) => {
    const binary = join(folder, 'nodes/node_modules', `node${release}`, 'bin/node');
    const { stdout } = await run(binary, ['smoke.mjs', server], { cwd: join(folder, framework) });
    expect(stdout).toMatch(new RegExp(`^Node v${release}\\..*: right`));
  });
});
