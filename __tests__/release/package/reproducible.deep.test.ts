/** What is published can be built again from the same sources, byte by byte: in another folder, time zone and time. */
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { remove, temporaryFolder } from './packed-project';

const root = join(__dirname, '../../..');
const run = promisify(execFile);

test('two builds give one tarball', async () => {
  const folder = await temporaryFolder();
  try {
    // Ends with 1 where they differ.
    const { stdout } = await run(join(root, '.ci/pack'), [folder]);
    expect(stdout).toMatch(/^[\da-f]{128} {2}patch-options-.*\.tgz\n$/m);
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^patch-options-\d.*\.tgz$/)]);
  } finally {
    await remove(folder);
  }
});
