import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(__dirname, '../..');
const run = promisify(execFile);

/** A folder of its own for what is packed and installed; remove it when done. */
export const temporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'patch-options-package-'));
export const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

export interface Tarball {
  readonly path: string;
  /** In bytes: what a host downloads. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/**
 * What `npm pack` makes, built anew. It packs a copy: other tests run what stands in dist/, which a build removes first.
 */
export async function packTarball(folder: string): Promise<Tarball> {
  const copy = join(folder, 'copy');
  await mkdir(copy);
  const settings = ['package.json', 'rollup.config.mjs', 'tsconfig.json', 'tsconfig.build.json'];
  for (const name of ['lib', 'LICENSE', 'README.md', ...settings]) {
    await cp(join(root, name), join(copy, name), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  const pack = ['pack', '--json', '--silent', '--pack-destination', folder];
  const { stdout } = await run('npm', pack, { cwd: copy });
  const [packed] = JSON.parse(stdout) as [Omit<Tarball, 'path'> & { filename: string }];
  return { ...packed, path: join(folder, packed.filename) };
}

/** The frameworks that projects are made with, and the packages that each needs, as they are named here. */
const packagesOf = {
  'no Express': [],
  'Express 5': ['express', '@types/express', '@types/node'],
  'Express 4': ['express4', '@types/express4', '@types/node'],
} as const;

export type Framework = keyof typeof packagesOf;

/**
 * Makes a project as a host would, with the package and a framework installed and the files of `package/projects` in it,
 * the README's server as `server.mjs`.
 */
export async function freshProject(folder: string, { path }: Tarball, framework: Framework): Promise<void> {
  await cp(join(root, '__tests__/package/projects'), folder, { recursive: true });
  await cp(join(root, 'examples/minimal.ts'), join(folder, 'server.mjs'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }));
  await install(folder, [path, ...(await Promise.all(packagesOf[framework].map(locked)))]);
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
