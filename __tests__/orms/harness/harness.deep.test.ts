/** The harness of tableStore over the builders, the ORMs and PGlite. */
import { join } from 'node:path';
import {
  describePath,
  testBreakages,
  testHistories,
  testTrials,
  testXmin,
} from '../../rows/harness/describe-path';
import { builderPaths, entityPaths, pglitePath } from './orm-paths';

const script = join(__dirname, 'serve-orms.ts');

/** The ORMs need better-sqlite3, which is compiled on installation: `npm run better-sqlite3` does that, and runs these. */
const isThere = ({ database }: { readonly database: string }) =>
  database !== 'SQLite' || process.env['BETTER_SQLITE3'] === 'true';

for (const path of builderPaths.filter(isThere)) {
  describePath(path, script, (running) => {
    testHistories(running, path);
    testTrials(running, path);
    testBreakages(running, path);
    if (path.database === 'PostgreSQL') testXmin(running);
  });
}

for (const path of [...entityPaths, pglitePath]) {
  describePath(path, script, (running) => {
    testHistories(running, path);
    testTrials(running, path);
  });
}
