/**
 * Runs a script and the sources that it imports as they are: `node typescript.mjs script.ts …`. Their types were checked
 * before the tests ran.
 */
import { readFileSync } from 'node:fs';
import Module from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');
const { compilerOptions } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config;

Module._extensions['.ts'] = (module, fileName) => {
  const { outputText } = ts.transpileModule(readFileSync(fileName, 'utf8'), { compilerOptions, fileName });
  module._compile(outputText, fileName);
};

const resolve = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) => {
  const [own] = compilerOptions.paths[request] ?? [];
  return resolve(own === undefined ? request : join(root, own), ...rest);
};

process.argv.splice(1, 1);
Module.createRequire(import.meta.url)(process.argv[1]);
