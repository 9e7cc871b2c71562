/** The harness over the drivers of `tableStore`. */
import { join } from 'node:path';
import { describePath, testBreakages, testHistories, testTrials, testXmin } from './describe-path';
import { tablePaths } from './table-paths';

for (const path of tablePaths) {
  describePath(path, join(__dirname, 'serve-tables.ts'), (running) => {
    testHistories(running, path);
    testTrials(running, path);
    testBreakages(running, path);
    if (path.database === 'PostgreSQL') testXmin(running);
  });
}
