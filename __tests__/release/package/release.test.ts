/** What a release workflow asks before it publishes: do tag, package, lock file and changelog name one release? */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '../../..');
const entries = '### Added\n\n- All of it.';
const fits = {
  tag: 'v1.2.0',
  version: '1.2.0',
  locked: '1.2.0',
  changelog: `# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-01-31\n\n${entries}\n\n## [1.1.0] - 2026-01-01\n\n- Old.\n`,
};

function ask(given: Partial<typeof fits>): { status: number | null; out: string; notes?: string } {
  const { tag, version, locked, changelog } = { ...fits, ...given };
  const folder = mkdtempSync(join(tmpdir(), 'patch-options-release-'));
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ version }));
    const lock = { version: locked, packages: { '': { version: locked } } };
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
    writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
    const notes = join(folder, 'notes.md');
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(root, '.ci/release.mjs'), tag, notes],
      { encoding: 'utf8', env: { ...process.env, RELEASE_ROOT: folder } },
    );
    return { status, out: stdout + stderr, ...(status === 0 && { notes: readFileSync(notes, 'utf8') }) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('what fits gets the notes of its section, and the dist-tag latest', () => {
  expect(ask({})).toEqual({ status: 0, out: 'latest\n', notes: `${entries}\n` });
});

test('a prerelease gets the dist-tag next', () => {
  const changelog = fits.changelog.replace('[1.2.0]', '[1.2.0-rc.1]');
  const rc = { tag: 'v1.2.0-rc.1', version: '1.2.0-rc.1', locked: '1.2.0-rc.1', changelog };
  expect(ask(rc)).toMatchObject({ status: 0, out: 'next\n' });
});

test.each<[string, Partial<typeof fits>, RegExp]>([
  ['another tag', { tag: 'v1.2.1' }, /The tag is v1\.2\.1/],
  ['a tag without v', { tag: '1.2.0' }, /The tag is 1\.2\.0/],
  ['an old lock file', { locked: '1.1.0' }, /package-lock\.json has the version 1\.1\.0/],
  ['no section', { changelog: '# Changelog\n' }, /no section \[1\.2\.0\]/],
  ['an empty section', { changelog: fits.changelog.replace(entries, '') }, /is empty/],
  [
    'no date',
    { changelog: fits.changelog.replace(' - 2026-01-31', ' - unreleased') },
    /must end with the date/,
  ],
  [
    'entries that are not released',
    { changelog: fits.changelog.replace('[Unreleased]\n', '[Unreleased]\n\n- More.\n') },
    /entries under \[Unreleased\]/,
  ],
])('%s is refused', (_title, given, mistake) => {
  const { status, out } = ask(given);
  expect(status).toBe(1);
  expect(out).toMatch(mistake);
});

test('this repository names one version', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const { out } = spawnAsIs(`v${version}`);
  // The date is set on the day of the release.
  const others = out
    .split('\n')
    .filter((line) => line !== '' && !/must end with the date|^(?:next|latest)$/.test(line));
  expect(others).toEqual([]);
});

function spawnAsIs(tag: string): { out: string } {
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, '.ci/release.mjs'), tag], {
    encoding: 'utf8',
  });
  return { out: stdout + stderr };
}
