/** The package as hosts get it: packed, and installed into projects of every kind. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { frameworks } from '../support/frameworks';
import { freshProject, packTarball, remove, type Tarball, temporaryFolder } from '../support/packed-project';

const root = join(__dirname, '../..');
const run = promisify(execFile);
const expresses = frameworks.map(([name]) => name);

let folder: string;
let tarball: Tarball;

beforeAll(async () => {
  folder = await temporaryFolder();
  tarball = await packTarball(folder);
  const projects = ['no Express', ...expresses] as const;
  await Promise.all(projects.map((project) => freshProject(join(folder, project), tarball, project)));
}, 240_000);

afterAll(() => remove(folder));

async function node(cwd: string, ...args: string[]): Promise<string> {
  return (await run(process.execPath, args, { cwd })).stdout;
}

describe('its size', () => {
  test('packed: under 66 KB', () => {
    const { size, unpackedSize, files } = tarball;
    process.stdout.write(`package: ${size} bytes packed, ${unpackedSize} unpacked\n`);
    // As text, so that a failure shows what it is made of.
    const parts = files.map((file) => `${file.path} ${file.size}`).join(', ');
    expect(size < 66_000 ? '' : `${size} bytes packed: ${parts}`).toBe('');
  });

  test('installed: 8 direct dependencies at most, 5 MB with everything they need, of which lru-cache is three', async () => {
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      dependencies: object;
    };
    const direct = Object.keys(manifest.dependencies).length;
    const modules = join(folder, 'no Express/node_modules');
    const paths = await readdir(modules, { recursive: true });
    const found = await Promise.all(paths.map((path) => stat(join(modules, path))));
    const bytes = found.reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0);
    const lock = JSON.parse(await readFile(join(modules, '.package-lock.json'), 'utf8')) as {
      packages: object;
    };
    const packages = Object.keys(lock.packages).length;
    process.stdout.write(`installed: ${bytes} bytes, ${packages} packages, ${direct} of them direct\n`);
    expect(direct).toBeLessThanOrEqual(8);
    expect(bytes).toBeLessThan(5_000_000);
  });

  test('is that of the two entry points alone', () => {
    expect(tarball.files.map(({ path }) => path).sort()).toEqual([
      'LICENSE',
      'README.md',
      'dist/index.d.ts',
      'dist/index.js',
      'dist/resource-store.d.ts',
      'dist/testing.d.ts',
      'dist/testing.js',
      'package.json',
    ]);
  });
});

test('publint and "Are the types wrong?" find nothing', async () => {
  expect(JSON.parse(await node(__dirname, 'lint-tarball.mjs', tarball.path))).toEqual([]);
});

test('without Express both entry points load, and the cases for stores run', async () => {
  expect(await node(join(folder, 'no Express'), 'conformance.mjs')).toMatch(/^[1-9]\d+ cases: right/);
});

describe.each(expresses)('with %s', (framework) => {
  const project = (): string => join(folder, framework);

  test.each(['server.cjs', 'server.mjs'])('%s answers right', async (server) => {
    expect(await node(project(), 'smoke.mjs', server)).toContain('right');
  });

  describe.each([
    ['node16, ES modules', 'module', { module: ts.ModuleKind.Node16 }],
    ['node16, CommonJS', 'commonjs', { module: ts.ModuleKind.Node16 }],
    [
      'bundler',
      'module',
      { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
    ],
  ] as const)('TypeScript, %s', (name, type, resolution) => {
    const source = (): string => join(project(), name);

    beforeAll(async () => {
      await mkdir(source());
      await writeFile(join(source(), 'package.json'), JSON.stringify({ private: true, type }));
      await cp(join(project(), 'server.mjs'), join(source(), 'server.ts'));
      await cp(join(project(), 'consumer.ts'), join(source(), 'consumer.ts'));
    });

    test.each([
      ['strict', { strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true }],
      ['not strict', { strict: false }],
    ])('%s', (_strictness, strictness) => {
      expect(compiled(source(), { ...resolution, ...strictness })).toEqual([]);
    });

    test('what it compiles to answers right', async () => {
      expect(await node(project(), 'smoke.mjs', join(name, 'server.js'))).toContain('right');
    });
  });
});

/** The standard library and @types, parsed once for all the programs below. */
const shared = new Map<string, ts.SourceFile | undefined>();

/** Compiles a project; tells what is wrong in its two files and in the package's declarations. */
function compiled(source: string, settings: ts.CompilerOptions): string[] {
  const options = { target: ts.ScriptTarget.ES2022, types: ['node'], ...settings };
  const host = ts.createCompilerHost(options);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getCurrentDirectory = () => source;
  host.getSourceFile = (path, version, ...rest) => {
    if (!/\/(?:typescript\/lib|@types)\//.test(path)) return getSourceFile(path, version, ...rest);
    const key = `${path} ${JSON.stringify(version)}`;
    if (!shared.has(key)) shared.set(key, getSourceFile(path, version, ...rest));
    return shared.get(key);
  };
  const server = join(source, 'server.ts');
  const program = ts.createProgram([server, join(source, 'consumer.ts')], options, host);
  // One file, for what is emitted whole is checked whole, the standard library included.
  program.emit(program.getSourceFile(server));
  const files = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(source) || fileName.includes('/patch-options/'));
  return [program.getOptionsDiagnostics(), ...files.map((file) => ts.getPreEmitDiagnostics(program, file))]
    .flat()
    .map(({ file, messageText }) => {
      return `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
}
