import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const root = join(__dirname, '../../..');
const run = promisify(execFile);

/** A folder of its own for what is packed and installed; remove it when done. */
export const temporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'patch-options-package-'));
export const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

export interface Tarball {
  readonly path: string;
  /** In bytes: what an app downloads. */
  readonly size: number;
  /** The sum of the files, in bytes. */
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** What `npm pack` makes, built anew. It packs a copy: other tests run what stands in dist/, which a build removes first. */
export async function packTarball(folder: string): Promise<Tarball> {
  const copy = join(folder, 'copy');
  const { files } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { files: string[] };
  const packed = files.filter((name) => name !== 'dist').map((name) => name.replace(/\/\*.*/, ''));
  const needed = ['lib', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'rollup.config.mjs'];
  for (const name of [...packed, 'LICENSE', 'README.md', ...needed]) {
    await cp(join(root, name), join(copy, name), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  const { stdout } = await run('npm', ['pack', '--json', '--silent', '--pack-destination', folder], {
    cwd: copy,
  });
  const [made] = JSON.parse(stdout) as [Omit<Tarball, 'path'> & { filename: string }];
  return { ...made, path: join(folder, made.filename) };
}

/** The frameworks that projects are made with, and what each needs: the name in the project, and the name here. */
const packagesOf = {
  'no Express': {},
  'Express 5': { express: 'express', '@types/express': '@types/express', '@types/node': '@types/node' },
  'Express 4': { express: 'express4', '@types/express': '@types/express4', '@types/node': '@types/node' },
} as const;

type Framework = keyof typeof packagesOf;

export const expresses = ['Express 5', 'Express 4'] as const;

/** What entry-points.mjs prints when it has imported all of them. */
export const allEntryPoints = /^10 entry points: right; [1-9]\d+ cases: right/;

/**
 * Makes a project as an app's author would: the package and a framework are installed from npm, with the types of a
 * release of Node, by default those that this repository has.
 */
export async function freshProject(
  folder: string,
  { path }: Tarball,
  framework: Framework,
  nodeTypes?: string,
): Promise<void> {
  await addFiles(folder);
  const packages = Object.values(packagesOf[framework]).map((name) =>
    nodeTypes !== undefined && name === '@types/node' ? `${name}@${nodeTypes}` : locked(name),
  );
  await install(folder, [path, ...(await Promise.all(packages))]);
}

/**
 * Makes a project of one that has the package installed, in no time: what npm has installed there is copied, and the
 * framework is the one installed here.
 */
export async function projectLike(installed: string, folder: string, framework: Framework): Promise<void> {
  await addFiles(folder);
  await cp(join(installed, 'node_modules'), join(folder, 'node_modules'), { recursive: true });
  for (const [name, here] of Object.entries(packagesOf[framework])) {
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, 'node_modules', here), link);
  }
}

/** The files of `package/projects`, and the README's server as `server.mjs`. */
async function addFiles(folder: string): Promise<void> {
  await cp(join(root, '__tests__/release/package/projects'), folder, { recursive: true });
  await cp(join(root, 'examples/minimal.ts'), join(folder, 'server.mjs'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }));
}

/** Packages come from npm's cache where they are there. */
export async function install(folder: string, packages: readonly string[]): Promise<void> {
  const quick = ['--prefer-offline', '--no-audit', '--no-fund', '--no-save', '--ignore-scripts'];
  await run('npm', ['install', ...quick, ...packages], { cwd: folder });
}

/** The release of a development dependency that the lock file names. */
async function locked(name: string): Promise<string> {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { name?: string; version: string } | undefined>;
  };
  const found = lock.packages[`node_modules/${name}`];
  if (found === undefined) throw new Error(`package-lock.json has no ${name}`);
  return `${found.name ?? name}@${found.version}`;
}
