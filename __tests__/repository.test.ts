/** What contributors are told, and what runs on GitHub. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

describe('CONTRIBUTING.md and CI', () => {
  const root = join(__dirname, '..');
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const contributing = read('.github/CONTRIBUTING.md');
  const manifest = JSON.parse(read('package.json')) as { scripts: object; engines: { node: string } };

  describe('CONTRIBUTING.md', () => {
    test('the rooms of lib/ are all there, each with a sentence, and each file that it names', () => {
      const [, rooms = ''] = /^## The rooms of lib\/\n(.*?)^## /ms.exec(contributing) ?? [];
      const described = [...rooms.matchAll(/^ *- `([\w/-]+)\/`: \w/gm)].map(([, room]) => room);
      const folders = readdirSync(join(root, 'lib'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => relative(join(root, 'lib'), join(entry.parentPath, entry.name)));
      expect(described.sort()).toEqual(folders.sort());
      const files = readdirSync(join(root, 'lib'), { recursive: true }).map(String);
      const named = [...rooms.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = '']) => file);
      expect(named.length).toBeGreaterThan(5);
      expect(named.filter((file) => !files.some((path) => `/${path}`.endsWith(`/${file}`)))).toEqual([]);
    });

    test('the commands that it names are scripts', () => {
      const named = [...contributing.matchAll(/npm (?:run ([\w:-]+)|(start|test)\b)/g)].map(
        ([, script, short]) => script ?? short ?? '',
      );
      expect(named.length).toBeGreaterThan(5);
      expect(named.filter((name) => !(name in manifest.scripts))).toEqual([]);
    });
  });

  describe('the workflow', () => {
    const workflow = read('.github/workflows/ci.yml');

    test('runs what runs here', () => {
      const commands = [...workflow.matchAll(/- run: (.*)$/gm)].map(([, command = '']) => command);
      expect(commands).toEqual(['.ci/run', '.ci/mongodb']);
      for (const command of commands) expect(existsSync(join(root, command))).toBe(true);
    });

    test('begins with the release that the package asks for, and has later ones', () => {
      const [, releases = ''] = /^ +node: \[(.*)\]$/m.exec(workflow) ?? [];
      expect(releases.split(', ').map(Number)).toEqual([20, 22, 24]);
      expect(manifest.engines.node).toMatch(/^>=20\./);
    });
  });
});

describe('The workflows', () => {
  const folder = join(__dirname, '../.github/workflows');
  const names = readdirSync(folder);
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

  /** The jobs of a workflow, as they are written. */
  function jobsOf(workflow: string): Map<string, string> {
    const [, jobs = ''] = /^jobs:\n(.*)/ms.exec(workflow) ?? [];
    return new Map(jobs.split(/^(?= {2}[\w-]+:$)/m).map((job) => [/^ *([\w-]+):/.exec(job)?.[1] ?? '', job]));
  }

  test.each(names)('%s names each action by its commit, with the release beside it', (name) => {
    const used = [...read(name).matchAll(/uses: (.*)$/gm)].map(([, action]) => action);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^[\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('what npm and GitHub Pages trust builds and installs nothing', () => {
    const trusted = names.flatMap((name) =>
      [...jobsOf(read(name))].filter(([, job]) => job.includes('id-token: write')),
    );
    expect(trusted.map(([job]) => job)).toEqual(['publish', 'deploy']);
    for (const [, job] of trusted) expect(job).not.toMatch(/checkout|npm (?:ci|install|run)|node /);
  });

  test('someone has to approve what is published', () => {
    const publish = jobsOf(read('release.yml')).get('publish');
    expect(publish).toMatch(/^ {4}environment: npm$/m);
    expect(publish).toMatch(/npm publish .* --ignore-scripts --provenance /);
  });
});
