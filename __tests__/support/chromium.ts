import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

const missing =
  `There is no Chromium at ${executablePath}, so nothing was tried in a real browser. ` +
  'Install it (Debian: apt-get install chromium), or name its path in CHROMIUM_PATH.';

/**
 * Describes what is tried in a real browser. Without one, CI fails; elsewhere the cases are reported as skipped, and
 * it is said what to install.
 */
export function describeInChromium(title: string, cases: () => void): void {
  if (existsSync(executablePath)) {
    describe(title, cases);
  } else if (process.env['CI'] === 'true') {
    test(title, () => {
      throw new Error(missing);
    });
  } else {
    process.stderr.write(`\n${missing}\n\n`);
    describe.skip(title, cases);
  }
}

/** Chromium as it comes, web security and all, but for what a container needs and what calls home. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
