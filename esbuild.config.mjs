/**
 * Makes of dist/client/ the one ES module that browsers and bundlers load, `dist/client/index.mjs`, with the names of the
 * sources, and says what it adds to a page: `node esbuild.config.mjs`, after tsc.
 */
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** @type {import('esbuild').BuildOptions} */
const module = {
  entryPoints: ['lib/client/index.ts'],
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  // As wide as the sources, and with their characters.
  charset: 'utf8',
};

await build({
  ...module,
  outfile: 'dist/client/index.mjs',
  sourcemap: true,
  sourcesContent: false,
});
const { outputFiles } = await build({ ...module, minify: true, write: false });
const [{ contents }] = outputFiles;
// Not to standard output, which `npm pack --json` needs for itself.
console.error(
  `patch-options/client: ${contents.length} bytes minified, ${gzipSync(contents, { level: 9 }).length} gzipped`,
);
