/** What the workflows on GitHub may do, and whose code they run. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(__dirname, '../.github/workflows');
const names = readdirSync(folder);
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** The jobs of a workflow, as they are written. */
function jobsOf(workflow: string): Map<string, string> {
  const [, jobs = ''] = /^jobs:\n(.*)/ms.exec(workflow) ?? [];
  return new Map(jobs.split(/^(?= {2}[\w-]+:$)/m).map((job) => [/^ *([\w-]+):/.exec(job)?.[1] ?? '', job]));
}

test('they are there', () => {
  expect(names.sort()).toEqual(['ci.yml', 'codeql.yml', 'nightly.yml', 'release.yml']);
});

describe.each(names)('%s', (name) => {
  const workflow = read(name);

  test('names each action by its commit, with the release beside it', () => {
    const used = [...workflow.matchAll(/uses: (.*)$/gm)].map(([, action]) => action);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^[\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('names one release of each action alone', () => {
    const used = names.flatMap((each) => [...read(each).matchAll(/uses: ([\w-]+\/[\w-]+)\S*@(\S+)/g)]);
    const releases = new Map<string, Set<string>>();
    for (const [, action = '', commit = ''] of used) {
      releases.set(action, (releases.get(action) ?? new Set()).add(commit));
    }
    for (const [action, commits] of releases) expect([action, commits.size]).toEqual([action, 1]);
  });

  test('names each image by its digest, but for the newest of each line', () => {
    const images = [...workflow.matchAll(/(?:container|image): (\S+)/g)].map(([, image]) => image);
    const byTag = images.filter((image) => !/@sha256:[\da-f]{64}$/.test(image ?? ''));
    expect(byTag).toEqual(name === 'nightly.yml' ? ['node:${{'] : name === 'ci.yml' ? ['${{'] : []);
  });

  test('may read what is there, and no more unless a job says so', () => {
    expect(workflow).toMatch(/^permissions:(?: \{\}|\n {2}contents: read)\n\n/m);
  });

  test('checks out without leaving credentials behind', () => {
    const checkouts = [...workflow.matchAll(/uses: actions\/checkout@.*\n(.*\n.*)\n/g)].map(
      ([, next]) => next,
    );
    for (const next of checkouts) expect(next).toBe('        with:\n          persist-credentials: false');
  });
});

test('what npm trusts builds and installs nothing, and someone has to approve it', () => {
  const trusted = names.flatMap((name) =>
    [...jobsOf(read(name))].filter(([, job]) => job.includes('id-token: write')),
  );
  expect(trusted.map(([job]) => job)).toEqual(['publish']);
  const publish = trusted[0]?.[1] ?? '';
  expect(publish).toMatch(/^ {4}environment: npm$/m);
  expect(publish).toMatch(/npm publish .* --ignore-scripts --provenance /);
  expect(publish).not.toMatch(/checkout|npm (?:ci|install|run)|node /);
});
