/**
 * Runs a script and the sources that it imports as they are: `node typescript.mjs script.ts …`.
 */
import { readFileSync } from 'node:fs';
import Module from 'node:module';
import { join, resolve as absolute } from 'node:path';
import { withoutTypes } from './without-types.mjs';

const root = join(import.meta.dirname, '../..');
const { paths } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).compilerOptions;
Module._extensions['.ts'] = (module, path) => {
  module._compile(withoutTypes(readFileSync(path, 'utf8'), path), path);
};

const resolve = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) => {
  const [own] = paths[request] ?? [];
  return resolve(own === undefined ? request : join(root, own), ...rest);
};

process.argv.splice(1, 1);
Module.createRequire(import.meta.url)(absolute(process.argv[1]));
