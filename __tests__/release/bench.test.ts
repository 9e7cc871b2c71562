/** The measurements of `npm run bench`: each starts and answers, and RESULTS.md names nothing that is gone. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describeWhere } from '../support/describe-where';

const root = join(__dirname, '../..');
const packages = join(root, 'bench/node_modules');
const run = promisify(execFile);

interface Row {
  readonly work: string;
  readonly beside: string;
}

interface Checked {
  readonly sections: readonly string[];
  readonly rows: readonly Row[];
  readonly packages: readonly string[];
}

describeWhere(
  existsSync(packages),
  'the measurements',
  'the measurements: node __tests__/support/install.mjs bench',
  () => {
    let folder: string;
    let checked: Promise<Checked>;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'patch-options-bench-'));
      checked = check(folder);
      checked.catch(() => undefined);
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    test('each work starts, and answers as it should', async () => {
      expect((await checked).sections).not.toEqual([]);
    });

    test('RESULTS.md has no row of a work that does not exist', async () => {
      const { rows } = await checked;
      const existing = new Set(rows.map(titleOfRow));
      const found = readTable(results).map(titleOfRow);
      expect(found).not.toEqual([]);
      expect(found.filter((row) => !existing.has(row))).toEqual([]);
    });

    test('RESULTS.md has no section of a work that does not exist', async () => {
      const { sections } = await checked;
      const found = [...results.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
      expect(found).not.toEqual([]);
      expect(found.filter((title) => !sections.includes(title ?? ''))).toEqual([]);
    });

    test('RESULTS.md names no package that nothing is measured with', async () => {
      const found = readPackages(results);
      expect(found).not.toEqual([]);
      const { packages } = await checked;
      expect(found.filter((name) => !packages.includes(name))).toEqual([]);
    });
  },
);

const results = readFileSync(join(root, 'bench/RESULTS.md'), 'utf8');

/** Runs in a copy: other tests build dist/, and a build removes it first. */
async function check(copy: string): Promise<Checked> {
  const copied = [
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'rollup.config.mjs',
    'lib',
    'bench',
  ];
  for (const name of copied) {
    await cp(join(root, name), join(copy, name), { recursive: true, filter: (path) => path !== packages });
  }
  for (const name of ['node_modules', '__tests__', 'bench/node_modules']) {
    await symlink(join(root, name), join(copy, name));
  }
  const { stdout } = await run('npm', ['--prefix', 'bench', 'start', '--silent', '--', '--check'], {
    cwd: copy,
  });
  return JSON.parse(stdout) as Checked;
}

const titleOfRow = ({ work, beside }: Row): string => `${work}, beside ${beside}`;

/** The rows of the first table, which is that of goals. */
function readTable(markdown: string): Row[] {
  const [, , ...lines] = /(?:^\|.*\n)+/m.exec(markdown)?.[0].trimEnd().split('\n') ?? [];
  return lines.map((line) => {
    const [, work = '', beside = ''] = line.split('|').map((cell) => cell.trim());
    return { work, beside };
  });
}

/** Of "… Node 20.20.2, wrk debian/4.1.0, express 5.3.0, …", what comes after the programs. */
function readPackages(markdown: string): string[] {
  const [, list = ''] = /^Measured on .* wrk \S+, (.+)\.$/m.exec(markdown) ?? [];
  return list.split(', ').map((item) => item.replace(/ \S+$/, ''));
}
