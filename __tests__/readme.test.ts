import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { compileFunction } from 'node:vm';
import { resourceClient } from '../lib/client';
import { type RunningExample, runExample } from './examples/running-example';
import { blocksOf } from './support/doc-blocks';
import { comparable, exchangesOf, printedBy, sameTags } from './support/exchanges';

const root = join(__dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const section = (heading: string): string => readme.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

test('the server is examples/minimal.ts', () => {
  expect(blocksOf(section('A server'), 'js')[0]).toBe(
    `// server.mjs\n${readFileSync(join(root, 'examples/minimal.ts'), 'utf8')}`,
  );
});

describe('what it shows', () => {
  let example: RunningExample<unknown>;
  beforeAll(async () => {
    example = await runExample(() => import('../examples/minimal'));
  });
  afterAll(() => example.close());

  const exchanges = exchangesOf(section('A server'));
  let printed: readonly string[];
  beforeAll(async () => {
    printed = await printedBy(exchanges, example.address);
  });

  test.each(exchanges.map((exchange, index) => ({ ...exchange, index })))(
    'is what is printed by $command',
    ({ index, answer }) => {
      expect(comparable(printed[index] ?? '')).toBe(comparable(answer));
    },
  );

  test('and ETags that are the same there are the same when it runs', () => {
    const shown = sameTags(exchanges.map(({ answer }) => answer));
    expect(shown).not.toEqual([]);
    expect(sameTags(printed)).toEqual(shown);
  });

  test('the client prints what its block says, which is then stored', async () => {
    const [code = '', ...more] = blocksOf(section('The client'), 'js');
    expect(more).toEqual([]);
    const lines: unknown[] = [];
    const console = { log: (line: unknown) => void lines.push(line) };
    await runModule(code.replaceAll('http://127.0.0.1:3000', example.address), console);
    const [, said = ''] = /^console\.log\(value\); \/\/ (\{.*\})$/m.exec(code) ?? [];
    expect(lines.map((line) => inspect(line))).toEqual([said]);
    expect(inspect(await (await fetch(`${example.address}/notes/1`)).json())).toBe(said);
  });
});

/** Runs a module whose one import is the client. */
async function runModule(code: string, console: Pick<Console, 'log'>): Promise<void> {
  const own = code.replace("import { resourceClient } from 'patch-options/client';\n", '');
  expect(own).not.toContain('import ');
  const run = compileFunction(`return (async () => { ${own} })();`, ['resourceClient', 'console']);
  await Reflect.apply(run, undefined, [resourceClient, console]);
}

test('the commands that it names are scripts', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
  const named = [...readme.matchAll(/npm (?:run ([\w:]+)|(start|test)\b)/g)].map(
    ([, script, short]) => script ?? short,
  );
  expect(named.length).toBeGreaterThanOrEqual(3);
  expect(named.filter((name) => !(String(name) in scripts))).toEqual([]);
});

test('the picture of the costs has the figures of bench/RESULTS.md', () => {
  expect(readme).toContain('](bench/results.svg)');
  const picture = readFileSync(join(root, 'bench/results.svg'), 'utf8');
  const [, title = ''] = /<title id="title">(.*?)<\/title>/.exec(picture) ?? [];
  expect(title).toContain('npm cors');
  expect(readFileSync(join(root, 'bench/RESULTS.md'), 'utf8')).toContain(`![${title}](results.svg)`);
});

test('the logs that it names are those of lib/', () => {
  const lib = join(root, 'lib');
  const sources = readdirSync(lib, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(lib, file), 'utf8'));
  const logs = new Set([...sources.join('').matchAll(/\bdebugLog\('(\w+)'\)/g)].map(([, name]) => name));
  const named = new Set([...readme.matchAll(/patch-options:(\w+)/g)].map(([, name]) => name));
  expect([...named].sort()).toEqual([...logs].sort());
});

describe('the examples that it names', () => {
  const [, list = ''] = /`npm run example <name>`(.*?)\n\n/s.exec(readme) ?? [];
  const named = [...list.matchAll(/`([a-z-]+)`(?: \(|,)/g)].map(([, name = '']) => name);
  const examples = readdirSync(join(root, 'examples')).map((file) => file.replace('.ts', ''));

  test('are there', () => {
    expect(named.length).toBeGreaterThanOrEqual(10);
    expect(named.filter((name) => !examples.includes(name))).toEqual([]);
  });

  test.each(named.filter((name) => name !== 'minimal'))('%s has a test', (name) => {
    const folder = join(root, '__tests__/examples');
    const isRecipe = readFileSync(join(folder, 'recipes.test.ts'), 'utf8').includes(`describe('${name}', `);
    expect(isRecipe || readdirSync(folder).includes(`${name}.test.ts`)).toBe(true);
  });
});
