/**
 * Makes of lib/ the CommonJS modules of dist/, one for each entry point: Node takes as long to load 150 small files as to load
 * Express. What several entry points need is in the two modules of shared/, so that it is there once. Beside each entry point, an
 * ES module has the names of the same instance, so that Node knows which there are. For browsers and bundlers, client/ and json/ are an
 * ES module each, with the names of the sources.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';

const { exports, bin } = JSON.parse(readFileSync('package.json', 'utf8'));

/** What tsc has made of lib/, with its comments: a module of each file. */
const modules = join(import.meta.dirname, 'dist/modules');

const compiled = {
  name: 'compiled',
  resolveId(source, importer) {
    if (importer === undefined || !source.startsWith('.')) return null;
    const path = join(dirname(importer), source);
    return existsSync(`${path}.js`) ? `${path}.js` : join(path, 'index.js');
  },
  /** `require` of a file of ours, which is loaded when it is needed, is a dynamic import to Rollup. */
  renderDynamicImport() {
    return { left: 'require(', right: ')' };
  },
  load(path) {
    return readFileSync(path, 'utf8').replace(/\brequire\(('\.[^']+')\)/g, 'import($1)');
  },
};

/**
 * V8 reads a source in a tenth less time, and keeps it in half the memory, unless it has a character beyond U+00FF: one ellipsis in
 * a comment is enough.
 */
const latin1 = {
  name: 'latin-1',
  renderChunk(code) {
    const withoutEllipses = code.replace(/^\s*(?:\/?\*|\/\/).*$/gm, (comment) =>
      comment.replaceAll('…', '...'),
    );
    return withoutEllipses.replace(
      /[^\0-\xff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  },
};

/** Browsers load the ES modules of the client and of json, `index.mjs`; Node loads node.mjs. */
const forImport = {
  name: 'for-import',
  generateBundle(_options, bundle) {
    for (const { name, isEntry, exports: names } of Object.values(bundle)) {
      if (!isEntry || names.length === 0) continue;
      const module = name.replace(/^(client|json)\/index$/, '$1/node');
      const source = `export { ${names.join(', ')} } from './index.js';\n`;
      this.emitFile({ type: 'asset', fileName: `${module}.mjs`, source });
      this.emitFile({ type: 'asset', fileName: `${module}.d.mts`, source: "export * from './index.js';\n" });
    }
  },
};

/** What runs in browsers, too, is apart from what only servers need. */
function sharedModule(id, { getModuleInfo }) {
  // Loaded when it is needed. `explainCors` needs the messages, too.
  if (/\/cors\/diagnostics\./.test(id)) return 'shared/diagnostics';
  if (/\/cors\/(?:messages|fetch-steps)\./.test(id)) return 'shared/messages';
  const needing = entriesThatNeed(id, getModuleInfo);
  const names = new Set([...needing].filter((name) => !commands.includes(name)));
  // A command needs what apps import: of an entry point, too, that nothing else shares.
  if (names.size === 1 && needing.size > 1) return 'shared/command';
  if (names.size < 2) return null;
  return [...names].some((name) => /^(?:client|json)\//.test(name)) ? 'shared/portable' : 'shared/server';
}

function entriesThatNeed(id, getModuleInfo) {
  const seen = new Set();
  const needing = new Set();
  const visit = (file) => {
    if (seen.has(file)) return;
    seen.add(file);
    const { isEntry, importers, dynamicImporters } = getModuleInfo(file);
    // What is loaded when it is needed is a module of its own, too.
    if (isEntry || dynamicImporters.length > 0) needing.add(toName(relative(modules, file)));
    importers.forEach(visit);
  };
  visit(id);
  return needing;
}

const toName = (file) => file.replace(/^(?:\.\/)?dist\/|\.js$/g, '');
const commands = Object.values(bin).map(toName);
const entries = Object.values(exports)
  .filter((target) => typeof target === 'object')
  .map(({ default: file }) => toName(file));

const external = (id) => !id.startsWith('.') && !isAbsolute(id);

const forNode = {
  external,
  input: Object.fromEntries([...entries, ...commands].map((name) => [name, `dist/modules/${name}.js`])),
  plugins: [compiled, latin1, forImport],
  output: {
    dir: 'dist',
    format: 'cjs',
    exports: 'named',
    interop: 'default',
    generatedCode: 'es2015',
    chunkFileNames: '[name].js',
    manualChunks: sharedModule,
  },
};

const forBrowsers = ['client', 'json'].map((name) => ({
  external,
  input: `dist/modules/${name}/index.js`,
  plugins: [compiled, latin1],
  output: { file: `dist/${name}/index.mjs`, format: 'es' },
}));

export default [forNode, ...forBrowsers];
