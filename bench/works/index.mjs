import { postgres, sqlite } from './databases.mjs';
import { differences } from './differences.mjs';
import { get } from './get.mjs';
import { hostile } from './hostile-patches.mjs';
import { jsonPatchAlone } from './json-patch.mjs';
import { lists } from './lists.mjs';
import { load } from './load.mjs';
import { lookup } from './lookup.mjs';
import { memory } from './memory.mjs';
import { methodNotAllowed } from './method-not-allowed.mjs';
import { options } from './options.mjs';
import { patch } from './patch.mjs';
import { preflight, preflightHostile, preflightListener } from './preflight.mjs';
import { resource } from './resource.mjs';
import { rows } from './rows.mjs';
import { scale } from './scale.mjs';

/**
 * What is measured: over sockets where a work has `loads`, else as its own `measure` does it. Either gives `rows` for the
 * table of goals, and `details`. A work with a `measure` has a `check`, too: it runs what is measured once, and gives the rows.
 */
export const works = [
  preflight,
  preflightListener,
  preflightHostile,
  options,
  methodNotAllowed,
  get,
  patch,
  resource,
  postgres,
  sqlite,
  rows,
  scale,
  load,
  jsonPatchAlone,
  differences,
  lists,
  hostile,
  lookup,
  memory,
];
