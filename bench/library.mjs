import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const built = join(root, 'dist/index.js');

/** The library as it is published. */
export const library = () => createRequire(import.meta.url)(built);

/** Builds the library where dist/ is missing, or older than lib/. */
export function buildLibrary() {
  const sources = readdirSync(join(root, 'lib'), { recursive: true }).map((name) => join(root, 'lib', name));
  const changed = Math.max(...sources.map((file) => statSync(file).mtimeMs));
  const age = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (age > changed) return;
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('The library could not be built: npm run build');
}
