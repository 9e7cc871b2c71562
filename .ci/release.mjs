/**
 * Whether the tag, package.json, the lock file and CHANGELOG.md name one release: `node .ci/release.mjs v1.0.0 notes.md`.
 * Writes what the changelog says of it to the file, and prints the npm dist-tag. Ends with 1 and each mistake otherwise.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , tag = '', notes] = process.argv;
const root = process.env.RELEASE_ROOT ?? join(import.meta.dirname, '..');
const read = (path) => readFileSync(join(root, path), 'utf8');

const { version } = JSON.parse(read('package.json'));
const lock = JSON.parse(read('package-lock.json'));
const sections = new Map(
  read('CHANGELOG.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading, ...lines] = section.split('\n');
      return [/^\[(.*?)\]/.exec(heading)?.[1], { heading, text: lines.join('\n').trim() }];
    }),
);
const section = sections.get(version);

const mistakes = [
  tag !== `v${version}` && `The tag is ${tag}, and the version in package.json ${version}.`,
  lock.version !== version && `package-lock.json has the version ${lock.version}: run npm install.`,
  lock.packages[''].version !== version && `package-lock.json has two versions: run npm install.`,
  section === undefined && `CHANGELOG.md has no section [${version}].`,
  section?.text === '' && `The section [${version}] of CHANGELOG.md is empty.`,
  section !== undefined &&
    !/ - \d{4}-\d\d-\d\d$/.test(section.heading) &&
    `The heading "${section.heading}" of CHANGELOG.md must end with the date, as in "[${version}] - 2026-01-31".`,
  (sections.get('Unreleased')?.text ?? '') !== '' &&
    `CHANGELOG.md has entries under [Unreleased]: move them to [${version}].`,
].filter((mistake) => mistake !== false);

if (mistakes.length > 0) {
  console.error(mistakes.join('\n'));
  process.exitCode = 1;
} else {
  if (notes !== undefined) writeFileSync(notes, `${section.text}\n`);
  // `npm install patch-options` never gives a prerelease.
  console.log(version.includes('-') ? 'next' : 'latest');
}
