/** The types of Node 20 do not know the module, which later releases have. */
declare module 'node:sqlite' {
  export { DatabaseSync } from '@photostructure/sqlite';
}
