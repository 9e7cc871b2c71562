import { join } from 'node:path';

export default {
  // What `npm ci` removes with the Next that has built it.
  distDir: '../../node_modules/.next-app',
  // Several folders above have lock files, of which it would pick one.
  turbopack: { root: join(import.meta.dirname, '../../../..') },
};
