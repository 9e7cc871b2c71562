/** The files of the package that each entry point loads, as JSON: `node loaded-files.mjs patch-options …`. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const folder = /^.*[\\/]node_modules[\\/]patch-options[\\/]/;

const loaded = process.argv.slice(2).map((name) => {
  require(name);
  const files = Object.keys(require.cache);
  // As in a process of its own.
  for (const file of files) delete require.cache[file];
  const ours = files.filter((file) => folder.test(file));
  return [name, ours.map((file) => file.replace(folder, '').replaceAll('\\', '/'))];
});
console.log(JSON.stringify(Object.fromEntries(loaded)));
