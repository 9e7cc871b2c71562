/**
 * What is published: a file of JavaScript and one of declarations for each entry point, made from the modules that tsc
 * writes to build/.
 *
 * The declarations keep their comments, which editors show. The JavaScript gives up its comments, its layout and the
 * names of what is local, for the sake of the size of the package: with all three the tarball has 105 KB, without
 * comments 79, without layout or local names 66, of which 41 are JavaScript. What a stack trace and a debugger need
 * stays: a statement is a line, a function a function, and errors and what is exported have their names, which Express
 * shows for middleware too.
 */
import { dts } from 'rollup-plugin-dts';
import { minify } from 'terser';

/** Dependencies, frameworks of the host and Node's own modules: whatever is not named by a path. */
const external = /^[^./]/;

const entryPoints = (extension) => ({
  index: `build/index.${extension}`,
  testing: `build/testing.${extension}`,
});

const shortened = {
  name: 'shortened',
  renderChunk: (code, { exports }) =>
    minify(code, {
      ecma: 2022,
      toplevel: true,
      keep_classnames: new RegExp(`^(${exports.join('|')}|\\w+Error)$`),
      keep_fnames: new RegExp(`^(${exports.join('|')})$`),
      compress: {
        passes: 4,
        conditionals: false,
        if_return: false,
        inline: 1,
        sequences: false,
      },
      format: { semicolons: false },
    }),
};

export default [
  {
    input: entryPoints('js'),
    external,
    output: {
      dir: 'dist',
      format: 'cjs',
      exports: 'named',
      // Every dependency is CommonJS, whose exports are what its default import means.
      interop: 'default',
      generatedCode: { preset: 'es2015', symbols: false },
      chunkFileNames: '[name].js',
    },
    plugins: [shortened],
  },
  {
    input: entryPoints('d.ts'),
    external,
    output: { dir: 'dist', chunkFileNames: '[name].ts' },
    plugins: [dts()],
  },
];
