/**
 * Runs a script and the sources that it imports as they are: `node typescript.mjs script.ts …`. Their types were checked by `tsc`, and
 * esbuild leaves them out in a fraction of the time that it takes to load the compiler.
 */
import { transformSync, version } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import Module from 'node:module';
import { join, resolve as absolute } from 'node:path';

const root = join(import.meta.dirname, '../..');
const { paths } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).compilerOptions;
const cache = join(root, 'node_modules/.cache/typescript');
const settings = {
  ...{ loader: 'ts', format: 'cjs', target: 'es2022', sourcemap: 'inline', tsconfigRaw: {} },
  // An import() is a require: what it loads is TypeScript too.
  supported: { 'dynamic-import': false },
};
const compiler = version + JSON.stringify(settings);
mkdirSync(cache, { recursive: true });

/** Written once: to compile the library takes a third of the time in which an example starts. */
function compiled(path) {
  const source = readFileSync(path);
  const kept = join(cache, createHash('sha256').update(compiler).update(path).update(source).digest('hex'));
  try {
    return readFileSync(kept, 'utf8');
  } catch {
    const { code } = transformSync(String(source), { ...settings, sourcefile: path });
    writeFileSync(`${kept}.${process.pid}`, code);
    renameSync(`${kept}.${process.pid}`, kept);
    return code;
  }
}
Module._extensions['.ts'] = (module, path) => module._compile(compiled(path), path);

const resolve = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) => {
  const [own] = paths[request] ?? [];
  return resolve(own === undefined ? request : join(root, own), ...rest);
};

process.argv.splice(1, 1);
Module.createRequire(import.meta.url)(absolute(process.argv[1]));
