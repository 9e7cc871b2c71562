import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where `.ci/secantusdb` installs a server that answers as MongoDB does, for machines without `mongod`. */
export const secantusdb = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'patch-options/secantusdb/bin/secantusd-py',
);
