import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const root = join(import.meta.dirname, '../..');

/**
 * ts-jest, which with isolatedModules does not check types: `npm run types` does, once and not in each worker. What it compiles is kept
 * for all projects: its own keys name the one that asks, and each would compile all of lib anew.
 */
export default {
  createTransformer({ tsconfig = 'tsconfig.json' } = {}) {
    // It loads TypeScript, half a second that a process without anything to compile need not spend.
    let compiler;
    const load = () => require('ts-jest').default.createTransformer({ tsconfig: join(root, tsconfig) });
    // The lock file names the releases of ts-jest and TypeScript.
    const settings = ['tsconfig.json', tsconfig, 'package-lock.json'].map((name) =>
      readFileSync(join(root, name)),
    );
    const setting = createHash('sha1').update(settings.join()).digest('hex');
    return {
      getCacheKey: (source, path, { instrument }) =>
        createHash('sha1').update(`${setting}${instrument}\0${path}\0${source}`).digest('hex'),
      process: (...args) => (compiler ??= load()).process(...args),
    };
  },
};
