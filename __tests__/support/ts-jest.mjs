import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { version } from 'typescript';
import tsJest from 'ts-jest';

const settings = readFileSync(new URL('../../tsconfig.json', import.meta.url));

/**
 * ts-jest, which with isolatedModules does not check types: `npm run types` does, once and not in each worker. What it compiles is kept
 * for all projects: its own keys name the one that asks, and each would compile all of lib anew.
 */
export default {
  createTransformer(options) {
    const compiler = tsJest.default.createTransformer({ diagnostics: false, ...options });
    const setting = version + settings + JSON.stringify(options);
    compiler.getCacheKey = (source, path, { instrument }) =>
      createHash('sha1').update(`${setting}${instrument}\0${path}\0${source}`).digest('hex');
    return compiler;
  },
};
