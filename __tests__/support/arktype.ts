import { buildSync } from 'esbuild';
import type * as ArkType from 'arktype';

/** ArkType is published as ES modules only, which Jest's `require` does not load. */
const bundle = buildSync({
  ...{ entryPoints: [require.resolve('arktype')], absWorkingDir: __dirname },
  ...{ bundle: true, format: 'iife', globalName: 'arktype', write: false },
});
const code = bundle.outputFiles[0]?.text ?? '';

export const { type } = new Function(`${code}; return arktype;`)() as typeof ArkType;
