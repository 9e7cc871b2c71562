import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

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
    const named = [...contributing.matchAll(/npm (?:run ([\w:]+)|(start|test)\b)/g)].map(
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
    expect(commands).toEqual(['.ci/run']);
    expect(existsSync(join(root, '.ci/run'))).toBe(true);
  });

  test('begins with the release that the package asks for, and has later ones', () => {
    const [, releases = ''] = /^ +node: \[(.*)\]$/m.exec(workflow) ?? [];
    expect(releases.split(', ').map(Number)).toEqual([20, 22, 24]);
    expect(manifest.engines.node).toMatch(/^>=20\./);
  });
});
