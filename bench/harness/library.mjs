import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);

/** The library as it is published. */
export const library = () => require(join(root, 'dist/index.js'));

/** One of its modules, by its path in lib/: what is published shows none. */
export const libraryModule = (path) => require(join(root, `bench/modules/${path}.js`));

/** Builds both where they are missing, or older than lib/. */
export function buildLibrary() {
  const sources = readdirSync(join(root, 'lib'), { recursive: true }).map((name) => join(root, 'lib', name));
  const changed = Math.max(...sources.map((file) => statSync(file).mtimeMs));
  const outputs = [
    ['build', 'dist'],
    ['build:modules', 'bench/modules'],
  ];
  for (const [script, folder] of outputs) {
    const built = statSync(join(root, folder, 'index.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (built <= changed) build(script, join(root, folder));
  }
}

function build(script, folder) {
  const { status } = spawnSync('npm', ['run', '--silent', script], { cwd: root, stdio: 'inherit' });
  if (status === 0) return;
  // What a failed build leaves would look new to the next run.
  rmSync(folder, { recursive: true, force: true });
  throw new Error(`The library could not be built: npm run ${script}`);
}
