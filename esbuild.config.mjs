/**
 * Makes of dist/client/ and dist/json/ the one ES module each that browsers and bundlers load, `index.mjs`, with the names of
 * the sources, and says what it adds to a page: `node esbuild.config.mjs`, after tsc.
 */
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

for (const name of ['client', 'json']) {
  /** @type {import('esbuild').BuildOptions} */
  const module = {
    entryPoints: [`lib/${name}/index.ts`],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    // As wide as the sources, and with their characters.
    charset: 'utf8',
  };

  await build({
    ...module,
    outfile: `dist/${name}/index.mjs`,
    sourcemap: true,
    sourcesContent: false,
  });
  const { outputFiles } = await build({ ...module, minify: true, write: false });
  const [{ contents }] = outputFiles;
  const gzipped = gzipSync(contents, { level: 9 }).length;
  // Not to standard output, which `npm pack --json` needs for itself.
  console.error(`patch-options/${name}: ${contents.length} bytes minified, ${gzipped} gzipped`);
}
