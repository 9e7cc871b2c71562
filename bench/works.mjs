import { cached, postgres, sqlite } from './works/databases.mjs';
import { patch } from './works/patch.mjs';
import { get, options, preflight, preflightHostile, preflightListener } from './works/preflight.mjs';

/** Everything that is measured over sockets. */
export const works = [
  preflight,
  preflightListener,
  preflightHostile,
  options,
  get,
  patch,
  postgres,
  sqlite,
  cached,
];
