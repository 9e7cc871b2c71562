/** The package on later releases of Node than the tests run on. Their binaries are npm packages too. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { frameworks } from '../support/frameworks';
import { freshProject, install, packTarball, remove, temporaryFolder } from '../support/packed-project';

const run = promisify(execFile);
const releases = ['22', '24'];
const expresses = frameworks.map(([name]) => name);

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
    ...expresses.map(async (express) => freshProject(join(folder, express), await packed, express)),
  ]);
}, 600_000);

afterAll(() => remove(folder));

describe.each(releases)('Node %s', (release) => {
  test.each(
    expresses.flatMap((express) => ['server.mjs', 'server.cjs'].map((server) => [express, server] as const)),
  )('%s, %s', async (express, server) => {
    const binary = join(folder, 'nodes/node_modules', `node${release}`, 'bin/node');
    const { stdout } = await run(binary, ['smoke.mjs', server], { cwd: join(folder, express) });
    expect(stdout).toMatch(new RegExp(`^Node v${release}\\..*: right`));
  });
});
