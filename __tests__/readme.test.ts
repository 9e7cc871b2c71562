import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Server } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { portOf } from './support/serving';

const root = join(__dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const run = promisify(execFile);

function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, text = '']) => text,
  );
}

/** The exchanges of the console blocks: a command after `$`, lines continued by a backslash, then what came back. */
const exchanges = blocks('console')
  .flatMap((block) => block.split(/^\$ /m).slice(1))
  .map((text) => {
    const [, command = '', answer = ''] = /^((?:.*\\\n)*.*\n)([^]*)$/.exec(text) ?? [];
    return { command, answer };
  });

test('the server is examples/minimal.ts', () => {
  expect(blocks('ts')[0]).toBe(readFileSync(join(root, 'examples/minimal.ts'), 'utf8'));
});

test('the loop that it links to has the lines that it says, 15 at most', () => {
  const [, lines, path = ''] = /\[a loop in (\d+) lines\]\((.*?)\)/.exec(readme) ?? [];
  const loop = readFileSync(join(root, path), 'utf8').trim().split('\n');
  expect(String(loop.length)).toBe(lines);
  expect(loop.length).toBeLessThanOrEqual(15);
});

describe('the exchange is what curl prints', () => {
  const servers: Server[] = [];

  beforeAll(async () => {
    const listen = jest.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
      servers.push(this);
      return this;
    });
    await import('../examples/minimal');
    listen.mockRestore();
    for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening');
  });

  afterAll(() => {
    for (const server of servers) server.close();
  });

  // In the order of the README: each builds on the state that the one before has left, and on its entity tags.
  const tags = new Map<string, string>();
  test.each(exchanges)('$command', async ({ command, answer }) => {
    const [address = ''] = servers.map((server) => `http://127.0.0.1:${portOf(server)}`);
    const toRun = [...tags].reduce((text, [shown, present]) => text.replaceAll(shown, present), command);
    const { stdout } = await run('bash', ['-c', toRun.replaceAll('http://127.0.0.1:3000', address)]);
    const printed = stdout.replaceAll('\r', '').trimEnd();

    const shownTag = tagIn(answer);
    const presentTag = tagIn(printed);
    if (shownTag !== undefined && presentTag !== undefined) {
      expect(tags.get(shownTag) ?? presentTag).toBe(presentTag);
      tags.set(shownTag, presentTag);
    }
    expect(comparable(printed).trimEnd()).toBe(comparable(answer).trimEnd());
  });
});

function tagIn(answer: string): string | undefined {
  return /^ETag: "(.*)"$/m.exec(answer)?.[1];
}

/** The tags are new in every run; that they agree is tested apart. The README leaves out what every answer has. */
function comparable(answer: string): string {
  return answer
    .replace(/^(?:X-Powered-By|Date|Connection|Keep-Alive): .*\n?/gm, '')
    .replace(/^Last-Modified: .*$/m, 'Last-Modified:')
    .replace(/^ETag: .*$/m, 'ETag:');
}

test('the commands that it names are scripts', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
  const named = [...readme.matchAll(/npm (?:run ([\w:]+)|(start|test)\b)/g)].map(
    ([, script, short]) => script ?? short,
  );
  expect(named.length).toBeGreaterThanOrEqual(3);
  expect(named.filter((name) => !(String(name) in scripts))).toEqual([]);
});

test('the files that it links to are there', () => {
  const linked = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = '']) => path);
  expect(linked.length).toBeGreaterThan(3);
  expect(linked.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('the tests of the standards are there', () => {
  const [, table = ''] = /## Standards\n(.*?)\n\*\*Compatibility/s.exec(readme) ?? [];
  const named = [...table.matchAll(/\| ([^|]+) \|$/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
  expect(named.length).toBeGreaterThan(10);
  const isThere = (name: string) =>
    ['.test.ts', ''].some((end) => existsSync(join(root, '__tests__', name + end)));
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});

describe('the examples that it names', () => {
  const [, list = ''] = /`npm run example <name>`(.*?)\n\n/s.exec(readme) ?? [];
  const named = [...list.matchAll(/`([a-z-]+)` \(/g)].map(([, name = '']) => name);
  const examples = readdirSync(join(root, 'examples')).map((file) => file.replace('.ts', ''));

  test('are there', () => {
    expect(named.filter((name) => !examples.includes(name))).toEqual([]);
  });

  test.each(named.filter((name) => name !== 'minimal'))('%s has a test', (name) => {
    expect(readdirSync(join(root, '__tests__/examples'))).toContain(`${name}.test.ts`);
  });
});

describe('the catalogue of codes', () => {
  /** Every problem that lib/ can make, by what it is made with: `new ProblemError(412, 'precondition-failed', …`. */
  const made = readdirSync(join(root, 'lib'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(root, 'lib', file), 'utf8'))
    .flatMap((source) => [
      ...[...source.matchAll(/new ProblemError\(\s*(\d{3}),\s*'([a-z-]+)'/g)].map(
        ([, status, code]) => `${code} ${status}`,
      ),
      ...[...source.matchAll(/\binvalidMembers\('([a-z-]+)'/g)].map(([, code]) => `${code} 422`),
      ...[...source.matchAll(/^ {2}'([a-z-]+)': (\d{3}),$/gm)].map(([, code, status]) => `${code} ${status}`),
    ]);
  const listed = [...readme.matchAll(/^\| `([a-z-]+)` +\| (\d{3}) /gm)].map(
    ([, code, status]) => `${code} ${status}`,
  );

  test('lists every code that there is, with its status, and no other', () => {
    expect(made.length).toBeGreaterThan(20);
    expect([...listed].sort()).toEqual([...new Set(made)].sort());
  });
});
