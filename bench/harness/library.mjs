import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);

/** The library as it is published. */
export const library = () => require(join(root, 'dist/index.js'));

/** One of its modules, whose functions are not all public. */
export const libraryModule = (path) => require(join(root, 'bench/modules', path));

/** Builds both where they are missing, or older than lib/. */
export function buildLibrary() {
  const sources = readdirSync(join(root, 'lib'), { recursive: true }).map((name) => join(root, 'lib', name));
  const changed = Math.max(...sources.map((file) => statSync(file).mtimeMs));
  for (const [script, made] of Object.entries({
    build: 'dist/index.js',
    'build:modules': 'bench/modules/index.js',
  })) {
    const built = statSync(join(root, made), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (built > changed) continue;
    const { status } = spawnSync('npm', ['run', '--silent', script], { cwd: root, stdio: 'inherit' });
    if (status !== 0) throw new Error(`The library could not be built: npm run ${script}`);
  }
}
