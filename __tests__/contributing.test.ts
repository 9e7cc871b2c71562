import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
/** The files and folders there, folders with a slash. */
const namesIn = (path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true }).map((entry) =>
    entry.isDirectory() ? `${entry.name}/` : entry.name,
  );
const contributing = read('.github/CONTRIBUTING.md');
const manifest = JSON.parse(read('package.json')) as { scripts: object; engines: { node: string } };

describe('CONTRIBUTING.md', () => {
  test('the map of lib/ has every file, and every room and what is in it', () => {
    const [, map = ''] = /^```text\nlib\/\n(.*?)^```$/ms.exec(contributing) ?? [];
    let room = '';
    const mapped = [...map.matchAll(/^( +)(\S+)/gm)].map(([, indent, name = '']) => {
      if (indent !== '  ') return room + name;
      room = name.endsWith('/') ? name : '';
      return name;
    });
    const rooms = namesIn('lib').filter((name) => name.endsWith('/'));
    const inRooms = rooms.flatMap((name) => namesIn(`lib/${name}`).map((inner) => name + inner));
    expect(mapped.sort()).toEqual([...namesIn('lib'), ...inRooms].sort());
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
