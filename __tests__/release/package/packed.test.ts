/** The package as apps get it: packed, and installed into projects of every kind. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  allEntryPoints,
  expresses,
  freshProject,
  packTarball,
  projectLike,
  remove,
  type Tarball,
  temporaryFolder,
} from './packed-project';
import { freePort } from '../../examples/example-server';
import { blocksOf } from '../../support/doc-blocks';
import { brokenLinks } from '../../support/markdown-links';

const root = join(__dirname, '../../..');
const run = promisify(execFile);
const engines = ['sqlite', 'postgres', 'redis'];
const entryPoints = [
  ...['.', './rows', './mongoose', './explain', './json', './client', './testing'],
  ...engines.map((engine) => `./${engine}`),
];
/** As Node resolves it; the deep test resolves it in every way. */
const compilations = expresses.map((express) => ({ express, resolution: 'node16' }));
const inProject = ({ express, resolution }: (typeof compilations)[number]): object => ({
  project: join(folder, express),
  resolution,
  strict: true,
});

let folder: string;
let tarball: Tarball;
let bare: string;
/** What runs on the other core until a test asks for it. */
let linted: Promise<string>;
let compiled: Promise<string>;

beforeAll(async () => {
  folder = await temporaryFolder();
  bare = join(folder, 'no Express');
  tarball = await packTarball(folder);
  linted = node(__dirname, 'lint-tarball.mjs', tarball.path);
  await freshProject(bare, tarball, 'no Express');
  await Promise.all(expresses.map((express) => projectLike(bare, join(folder, express), express)));
  compiled = node(__dirname, 'compile.mjs', JSON.stringify(compilations.map(inProject)));
  for (const later of [linted, compiled]) later.catch(() => undefined);
});

afterAll(() => remove(folder));

async function node(cwd: string, ...args: string[]): Promise<string> {
  return (await run(process.execPath, args, { cwd })).stdout;
}

/** A file of the package as it is installed. */
const installed = (path: string): string => join(bare, 'node_modules/patch-options', path);

test('the files of README.md run as printed, one after the other, with Node alone', async () => {
  const project = join(folder, 'Express 5');
  const port = await freePort();
  const readme = (await readFile(join(root, 'README.md'), 'utf8')).replaceAll('3000', String(port));
  for (const text of blocksOf(readme, 'js')) {
    const [, name = ''] = /^\/\/ (\w+\.mjs)\n/.exec(text) ?? [];
    await writeFile(join(project, name), text);
  }
  const server = spawn(process.execPath, ['server.mjs'], { cwd: project, stdio: 'inherit' });
  try {
    // The client sends its first request again until the server listens.
    expect(await node(project, 'client.mjs')).toBe("{ title: 'Buy bread', done: true }\n");
  } finally {
    server.kill();
    await once(server, 'exit');
  }
});

describe('what is packed', () => {
  const paths = (): string[] => tarball.files.map(({ path }) => path).sort();

  test('the declarations of each source, a module of each entry point, and what README.md leads to', async () => {
    const sources = (await readdir(join(root, 'lib'), { recursive: true })).filter((path) =>
      path.endsWith('.ts'),
    );
    const docs = (await readdir(join(root, 'docs'), { recursive: true })).filter((path) =>
      path.endsWith('.md'),
    );
    const declared = sources
      .filter((path) => !path.endsWith('.d.ts'))
      .map((path) => path.replace(/\.ts$/, '.d.ts'));
    const { exports: entries } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      exports: Record<string, string | { default: string }>;
    };
    const built = Object.values(entries).flatMap((entry) => {
      if (typeof entry === 'string') return [];
      const made = entry.default.slice('./dist/'.length, -'.js'.length);
      const isForBrowsers = ['client/index', 'json/index'].includes(made);
      const forNode = isForBrowsers ? made.replace('index', 'node') : made;
      return [
        ...['.js', ...(isForBrowsers ? ['.mjs'] : [])].map((end) => made + end),
        ...['.mjs', '.d.mts'].map((end) => forNode + end),
      ];
    });
    const isShared = (path: string): boolean => /^dist\/shared\/[a-z-]+\.js$/.test(path);
    expect(paths().filter(isShared).length).toBeGreaterThan(2);
    expect(paths().filter((path) => !isShared(path))).toEqual(
      [
        ...['.github/CONTRIBUTING.md', '.github/SECURITY.md', 'CHANGELOG.md', 'LICENSE', 'README.md'],
        ...docs.map((path) => `docs/${path}`),
        ...['bench/RESULTS.md', 'bench/results.svg', 'package.json'],
        ...['article-store', 'articles', 'index'].map((name) => `examples/existing-app/${name}.ts`),
        ...['examples/notes/page/screenshot.png', 'examples/patch-once.ts', 'examples/text-edits.ts'],
        ...[...declared, ...built, 'explain/bin.js'].map((path) => `dist/${path}`),
      ].sort(),
    );
  });

  test('what is loaded when it is needed is loaded at once', async () => {
    const built = paths().filter((path) => /^dist\/.*\.js$/.test(path));
    const texts = await Promise.all(built.map((path) => readFile(installed(path), 'utf8')));
    // As Rollup writes a module that shares its file.
    expect(built.filter((_path, i) => /\brequire\([^)]*\)\.then\(/.test(texts[i] ?? ''))).toEqual([]);
  });

  test('no source has a character for which V8 keeps all of it in twice the memory', async () => {
    const built = paths().filter((path) => /^dist\/.*\.m?js$/.test(path));
    const texts = await Promise.all(built.map((path) => readFile(installed(path), 'utf8')));
    expect(built.length).toBeGreaterThan(20);
    expect(built.filter((_path, i) => /[^\0-\xff]/.test(texts[i] ?? ''))).toEqual([]);
  });

  test('it takes at most 2.5 MB unpacked', () => {
    expect(tarball.unpackedSize).toBeLessThan(2.5e6);
  });

  test('links in its Markdown lead to what is packed', async () => {
    expect(await brokenLinks(installed('.'), paths())).toEqual([]);
  });

  test('8 direct dependencies at most, which with theirs take 5 MB on the disk at most', async () => {
    const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      dependencies: object;
    };
    const [all, ours] = await Promise.all([onDisk(join(bare, 'node_modules')), onDisk(installed('.'))]);
    expect(Object.keys(dependencies).length).toBeLessThanOrEqual(8);
    expect(all - ours).toBeLessThan(5 * 2 ** 20);
  });

  test('README.md says what all of it takes on the disk', async () => {
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    const [, said] = /\*\*Sizes:\*\* (\d+) MB on disk with its dependencies/.exec(readme) ?? [];
    const all = await onDisk(join(bare, 'node_modules'));
    expect(Number(said)).toBe(Math.round(all / 2 ** 20));
    const [, list] = /the public suffix list takes ([\d.]+) MB/.exec(readme) ?? [];
    const folders = ['tldts', 'tldts-core'].map((name) => onDisk(join(bare, 'node_modules', name)));
    const [suffixes = 0, core = 0] = await Promise.all(folders);
    expect(Number(list)).toBeCloseTo((suffixes + core) / 2 ** 20, 0);
  });
});

test('npx patch-options explain asks the server that is named, and its exit status is the verdict', async () => {
  const server = createServer((req, res) => {
    res.setHeader('Access-Control-Allow-Origin', 'https://app.example');
    if (req.url === '/moved') res.writeHead(302, { Location: '/' });
    res.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
  const explain = async (...args: string[]): Promise<unknown> => {
    try {
      const command = ['--offline', 'patch-options', 'explain', ...args];
      return (await run('npx', command, { cwd: bare })).stdout.split('\n')[1];
    } catch (error) {
      return Reflect.get(Object(error) as object, 'code');
    }
  };
  expect([
    await explain(url),
    await explain(url, '--origin', 'https://b.example'),
    await explain(`${url}/moved`),
  ]).toEqual(['allowed: cors-allowed', 1, 2]);
  server.close();
});

describe('entry points', () => {
  test('publint and "Are the types wrong?" find nothing wrong, and types for each', async () => {
    const { problems, resolved } = JSON.parse(await linted) as { problems: object[]; resolved: object };
    expect(problems).toEqual([]);
    const kinds = ['node10', 'node16-cjs', 'node16-esm', 'bundler'];
    expect(resolved).toEqual({
      ...Object.fromEntries(entryPoints.map((name) => [name, kinds])),
      './package.json': [],
    });
  });

  test('without Express each loads, by import and by require, and they share their classes', async () => {
    expect(await node(bare, 'entry-points.mjs')).toMatch(allEntryPoints);
  });

  test.each(entryPoints)(
    'an import of a name that %s does not export is refused with that reason',
    async (path) => {
      const name = path.replace('.', 'patch-options');
      const importing = node(bare, '--input-type=module', '-e', `import { nothing } from '${name}'`);
      const reason = `SyntaxError: The requested module '${name}' does not provide an export named 'nothing'\n`;
      await expect(importing).rejects.toMatchObject({ stderr: expect.stringContaining(reason) as string });
    },
  );

  test('the root loads no engine and no tests for them, each of the others nothing but its own', async () => {
    const rooms: Readonly<Record<string, string[]>> = {
      'patch-options': [],
      'patch-options/explain': ['explain'],
      // Its files are those that the others use, too.
      'patch-options/json': [],
      'patch-options/client': ['client'],
      'patch-options/testing': ['testing'],
      'patch-options/rows': ['rows'],
      'patch-options/mongoose': ['mongoose'],
      ...Object.fromEntries(engines.map((engine) => [`patch-options/${engine}`, [`stores/${engine}`]])),
    };
    const loaded = JSON.parse(await node(bare, 'loaded-files.mjs', ...Object.keys(rooms))) as Record<
      string,
      string[]
    >;
    const roomsLoaded = Object.entries(loaded).map(([name, files]) => [
      name,
      Object.values(rooms)
        .flat()
        .filter((room) => files.some((file) => file.startsWith(`dist/${room}/`))),
    ]);
    expect(Object.fromEntries(roomsLoaded)).toEqual(rooms);
  });
});

describe.each(expresses)('with %s', (framework) => {
  const project = (): string => join(folder, framework);

  test('the server of README.md answers right as CommonJS and as ES module', async () => {
    expect(await node(project(), 'smoke.mjs', 'server.cjs', 'server.mjs')).toMatch(
      /cjs: right\n.*mjs: right\n$/,
    );
  });

  test('a stack trace through validate names functions, and lines that one can read', async () => {
    const stack = await node(project(), 'stack.mjs');
    expect(stack).toMatch(/^Error: a fault\n +at checkNote \(.*stack\.mjs:/);
    const frames = await framesOf(stack);
    expect(frames[0]?.line).toContain('validate(');
    // Arrow functions that are returned have no names.
    const named = frames.filter(({ name }) => name !== '<anonymous>');
    expect(named.length).toBeGreaterThan(1);
    for (const { name, source } of named) expect(source).toContain(name);
    expect(named.map(({ name }) => name)).toContain('carryOut');
    for (const { line = '' } of frames) expect(line.length).toBeLessThan(150);
  });

  test('TypeScript compiles it to what answers right', async () => {
    const errors = JSON.parse(await compiled) as string[][];
    for (const [i, { express, resolution }] of compilations.entries()) {
      if (express === framework)
        expect({ resolution, errors: errors[i] }).toEqual({ resolution, errors: [] });
    }
    const servers = ['module/server.js', 'commonjs/server.js'];
    expect(await node(project(), 'smoke.mjs', ...servers)).toMatch(/module.*: right\n.*commonjs.*: right\n$/);
  });
});

test('TypeScript 5.0 takes the types, and what uses them, with either Express', async () => {
  const projects = JSON.stringify(compilations.map(inProject));
  const errors: unknown = JSON.parse(await node(__dirname, 'compile.mjs', projects, 'typescript50'));
  expect(errors).toEqual(compilations.map(() => []));
});

test.each(expresses)('TypeScript 7 takes the types, and what uses them, with %s', async (framework) => {
  // It writes the sources into module/ and commonjs/.
  await compiled;
  const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
  const sources = ['module', 'commonjs'].flatMap((type) => [`${type}/server.ts`, `${type}/consumer.ts`]);
  const settings =
    '--noEmit --strict --exactOptionalPropertyTypes --target es2022 --module node16 --types node';
  await expect(node(join(folder, framework), tsc, ...settings.split(' '), ...sources)).resolves.toBe('');
});

/** The frames of a stack trace that are in the package, with the line that each names. */
function framesOf(stack: string): Promise<{ name: string; line: string | undefined; source: string }[]> {
  const frames = stack.matchAll(
    / at (?:async )?(?:\w+\.)?(\S+) .*patch-options[\\/](dist[\\/].*):(\d+):\d+/g,
  );
  return Promise.all(
    [...frames].map(async ([, name = '', path = '', line]) => {
      const source = await readFile(installed(path), 'utf8');
      return { name, line: source.split('\n')[Number(line) - 1], source };
    }),
  );
}

/** What the files and folders in a folder take in blocks of 4 KiB, as `du` counts it. */
async function onDisk(path: string): Promise<number> {
  const names = await readdir(path, { recursive: true });
  const entries = await Promise.all(names.map((name) => stat(join(path, name))));
  return entries.reduce((sum, { size }) => sum + Math.ceil(size / 4096) * 4096, 4096);
}
