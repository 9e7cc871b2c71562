import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that is deleted when this process ends. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'patch-options-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
