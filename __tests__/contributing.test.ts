import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const contributing = read('.github/CONTRIBUTING.md');
const manifest = JSON.parse(read('package.json')) as { scripts: object; engines: { node: string } };

describe('CONTRIBUTING.md', () => {
  /** Every path of the map, by the folders that the indentation puts it in. */
  const [, map = ''] = /^```text\nlib\/\n(.*?)^```$/ms.exec(contributing) ?? [];
  const paths = [...map.matchAll(/^( {2,4})([\w.-]+\/?) /gm)].map(([, indent, name = '']) => ({
    depth: indent?.length,
    name,
  }));
  const mapped: string[] = [];
  for (const { depth, name } of paths) {
    const folder = depth === 2 ? '' : mapped.findLast((path) => path.endsWith('/'));
    mapped.push(`${folder ?? ''}${name}`);
  }

  test('the map of lib/ shows what is there', () => {
    expect(mapped.length).toBeGreaterThan(20);
    expect(mapped.filter((path) => !existsSync(join(root, 'lib', path)))).toEqual([]);
  });

  test('and leaves out no folder, and no file at the top', () => {
    const there = readdirSync(join(root, 'lib'), { withFileTypes: true }).map((entry) =>
      entry.isDirectory() ? `${entry.name}/` : entry.name,
    );
    expect(there.filter((name) => !mapped.includes(name))).toEqual([]);
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
