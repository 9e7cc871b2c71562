/**
 * Loads packages as a file of the root does, where Express and the library share what both depend on, and tells of the last
 * what processor time that took, and how many files: `node load-package.mjs [packages before] <package>`.
 */
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../package.json', import.meta.url));
const names = process.argv.slice(2);
const last = names.pop();
names.forEach((name) => require(name));

const before = Object.keys(require.cache).length;
const start = process.cpuUsage();
require(last);
const { user, system } = process.cpuUsage(start);
const files = Object.keys(require.cache).length - before;
console.log(JSON.stringify({ milliseconds: (user + system) / 1000, files }));
