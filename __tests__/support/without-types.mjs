/**
 * Makes JavaScript of TypeScript, for Jest and for `typescript.mjs`: types were checked by `tsc`. esbuild takes a fraction of the
 * time that it takes to load the compiler.
 */
import { transformSync } from 'esbuild';
import { createRequire } from 'node:module';

const settings = {
  ...{ loader: 'ts', format: 'cjs', target: 'es2022', sourcemap: 'inline', tsconfigRaw: {} },
  // An import() is a require: what it loads is TypeScript too.
  supported: { 'dynamic-import': false },
};

/** Nest reads the types of parameters, which only the compiler writes beside decorators. */
const decorated = {
  ...{ module: 'commonjs', target: 'es2022', esModuleInterop: true, inlineSourceMap: true },
  ...{ experimentalDecorators: true, emitDecoratorMetadata: true },
};

export function withoutTypes(source, path) {
  if (!/[\\/]__tests__[\\/]frameworks[\\/]/.test(path)) {
    return transformSync(source, { ...settings, sourcefile: path }).code;
  }
  const { transpileModule } = createRequire(import.meta.url)('typescript');
  return transpileModule(source, { compilerOptions: decorated, fileName: path }).outputText;
}

/** What Jest calls. */
export default {
  process: (source, path) => ({ code: withoutTypes(source, path) }),
};
