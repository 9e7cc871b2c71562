/**
 * The package as npm installs it beside each release of Express: on later releases of Node than the tests run on, whose
 * binaries are npm packages too, and resolved by TypeScript in every way.
 */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  allEntryPoints,
  expresses,
  freshProject,
  install,
  packTarball,
  remove,
  temporaryFolder,
} from './packed-project';

const run = promisify(execFile);
const releases = ['22', '24'];
/** Their types of node:diagnostics_channel have the type parameters in another order. */
const laterTypes = '26';
const withLaterTypes = `Express 5, types of Node ${laterTypes}`;

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
    packed.then((tarball) => freshProject(join(folder, withLaterTypes), tarball, 'Express 5', laterTypes)),
  ]);
});

afterAll(() => remove(folder));

describe.each(releases)('Node %s', (release) => {
  const node = async (express: string, ...args: string[]): Promise<string> => {
    const binary = join(folder, 'nodes/node_modules', `node${release}`, 'bin/node');
    return (await run(binary, args, { cwd: join(folder, express) })).stdout;
  };

  describe.each(expresses)('%s', (express) => {
    test('the server of README.md', async () => {
      const told = await node(express, 'smoke.mjs', 'server.mjs', 'server.cjs');
      expect(told).toMatch(new RegExp(`^Node v${release}\\..*, server.mjs: right\n.*, server.cjs: right`));
    });

    test('the entry points', async () => {
      expect(await node(express, 'entry-points.mjs')).toMatch(allEntryPoints);
    });
  });
});

test.each([...expresses, withLaterTypes])('TypeScript, %s', async (express) => {
  const compilations = ['node10', 'bundler', 'node16'].flatMap((resolution) =>
    [true, false].map((strict) => ({ project: join(folder, express), resolution, strict })),
  );
  const script = join(__dirname, 'compile.mjs');
  const { stdout } = await run(process.execPath, [script, JSON.stringify(compilations)]);
  expect(JSON.parse(stdout)).toEqual(compilations.map(() => []));
});
