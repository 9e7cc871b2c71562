import { isBuiltin } from 'node:module';
import { requireInRoot } from './library.mjs';

/** `node:sqlite`, or for Node 20, which has none, the package of the library's own tests with the same interface. */
const driver = isBuiltin('node:sqlite') ? 'node:sqlite' : '@photostructure/sqlite';

export const { DatabaseSync } = requireInRoot(driver);
