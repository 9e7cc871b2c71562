import { mkdtempSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where each line that was said is a file, so that it is said once, however many files and workers need the same. */
export function openNotTested(): void {
  process.env['NOT_TESTED'] = mkdtempSync(join(tmpdir(), 'not-tested-'));
}

export function closeNotTested(): void {
  rmSync(process.env['NOT_TESTED'] ?? '', { recursive: true, force: true });
}

/** Says what a run leaves out for want of something that is not installed, and how to install it. */
export function tellNotTested(missing: string): void {
  try {
    writeFileSync(join(process.env['NOT_TESTED'] ?? '', encodeURIComponent(missing).slice(0, 200)), '', {
      flag: 'wx',
    });
  } catch {
    return;
  }
  // Not by process.stderr, of which a file that passes shows nothing.
  writeSync(2, `NOT TESTED: ${missing}\n`);
}
