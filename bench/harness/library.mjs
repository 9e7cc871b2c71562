import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);

/** The library as it is published, or one of its modules. */
export const library = (module = 'index.js') => require(join(root, 'dist', module));

/** Builds the library where dist/ is missing, or older than lib/. */
export function buildLibrary() {
  const sources = readdirSync(join(root, 'lib'), { recursive: true }).map((name) => join(root, 'lib', name));
  const changed = Math.max(...sources.map((file) => statSync(file).mtimeMs));
  const built = statSync(join(root, 'dist/index.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (built > changed) return;
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  if (status === 0) return;
  rmSync(join(root, 'dist'), { recursive: true, force: true }); // else the next run would measure what is wrong in it
  throw new Error('The library could not be built: npm run build');
}
