/**
 * Runs a script and the sources that it imports as they are: `node typescript.mjs script.ts …`. Their types were checked
 * before the tests ran. esbuild leaves them out in a fraction of the time that it takes to load the compiler.
 */
import { transformSync } from 'esbuild';
import { readFileSync } from 'node:fs';
import Module from 'node:module';
import { join, resolve as absolute } from 'node:path';

const root = join(import.meta.dirname, '../..');
const { paths } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).compilerOptions;
const settings = {
  ...{ loader: 'ts', format: 'cjs', target: 'es2022', sourcemap: 'inline', tsconfigRaw: {} },
  // An import() is a require: what it loads is TypeScript too.
  supported: { 'dynamic-import': false },
};

Module._extensions['.ts'] = (module, sourcefile) => {
  const { code } = transformSync(readFileSync(sourcefile, 'utf8'), { ...settings, sourcefile });
  module._compile(code, sourcefile);
};

const resolve = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) => {
  const [own] = paths[request] ?? [];
  return resolve(own === undefined ? request : join(root, own), ...rest);
};

process.argv.splice(1, 1);
Module.createRequire(import.meta.url)(absolute(process.argv[1]));
