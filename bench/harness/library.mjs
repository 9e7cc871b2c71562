import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');
/** As a file of the root would, in whose tree are the library's own dependencies. */
export const requireInRoot = createRequire(join(root, 'package.json'));

/** One of the library's entry points as it is published, by its path in lib/. */
export const library = (path = 'index') => requireInRoot(`./dist/${path}.js`);

/** A module of lib/ that no entry point exports, bundled where it finds the library's dependencies. */
export function internalModule(path) {
  const outfile = join(root, 'node_modules/.cache/bench', `${path.replaceAll('/', '-')}.cjs`);
  requireInRoot('esbuild').buildSync({
    entryPoints: [join(root, 'lib', `${path}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    packages: 'external',
  });
  return requireInRoot(outfile);
}

/** Builds it where it is missing, or older than lib/. */
export function buildLibrary() {
  const sources = readdirSync(join(root, 'lib'), { recursive: true }).map((name) => join(root, 'lib', name));
  const changed = Math.max(...sources.map((file) => statSync(file).mtimeMs));
  const built = statSync(join(root, 'dist/index.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (built > changed) return;
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  if (status === 0) return;
  // What a failed build leaves would look new to the next run.
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  throw new Error('The library could not be built: npm run build');
}
