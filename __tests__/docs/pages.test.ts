/** What the pages say is what lib/ has. */
import { brokenLinks } from '../support/markdown-links';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

describe('errors.md', () => {
  const root = join(__dirname, '../..');
  const page = readFileSync(join(root, 'docs/errors.md'), 'utf8');
  const section = (heading: string): string => page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

  const sourcesIn = (folder: string): readonly { readonly file: string; readonly text: string }[] =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => ({ file, text: readFileSync(join(root, folder, file), 'utf8') }));

  /** Every problem that lib/ can make, by what it is made with: `new ProblemError(412, 'precondition-failed', …`. */
  const problems = sourcesIn('lib').flatMap(({ text }) => [
    ...[...text.matchAll(/new ProblemError\(\s*(\d{3}),\s*'([a-z-]+)'/g)].map(
      ([, status, code]) => `${status} ${code}`,
    ),
    ...[...text.matchAll(/\binvalidMembers\('([a-z-]+)'[^;]*?(?:, (\d{3}))?\);/g)].map(
      ([, code, status = '422']) => `${status} ${code}`,
    ),
    ...[...text.matchAll(/^ {2}'([a-z-]+)': (\d{3}),$/gm)].map(([, code, status]) => `${status} ${code}`),
  ]);

  /** Every row for an answer, with its cause. */
  const answers = [
    ...section('Answers to clients').matchAll(/^\| `([a-z-]+)` \| (\d{3}) \| ([^|]{10,}) \|/gm),
  ].map(([, code, status, cause = '']) => ({ problem: `${status} ${code}`, cause }));

  test('every code of a problem document has a row with its status, and no other has', () => {
    expect(problems.length).toBeGreaterThan(20);
    expect(answers.map(({ problem }) => problem).toSorted()).toEqual([...new Set(problems)].sort());
  });

  test('the one answer with a 4xx after which a write may be made is marked, and nothing else is', () => {
    const perhaps = '**It may still be carried out.**';
    const marked = answers.filter(({ cause }) => cause.includes(perhaps));
    expect(marked.map(({ problem }) => problem)).toEqual(['409 idempotency-key-in-flight']);
    expect(section('Answers to clients').split('**')).toHaveLength(3);
  });

  test('every code of a mistake has a row that says what its comment says', () => {
    const source = readFileSync(join(root, 'lib/config/mistake-code.ts'), 'utf8');
    const codes = [...source.matchAll(/\/\*\*\s((?:(?!\*\/)[^])*)\*\/\s*\| '([a-z\d-]+)'/g)].map(
      ([, comment = '', code]) => `| \`${code}\` | ${comment.replace(/\s+(?:\* )?\s*/g, ' ').trim()} |`,
    );
    const rows = section('Configuration errors')
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    expect(codes.length).toBeGreaterThan(30);
    expect(rows).toEqual(codes);
  });

  test('every code of CORS has a row', () => {
    const codes = new Set(
      [...sourcesIn('lib/cors'), ...sourcesIn('lib/explain')].flatMap(({ text }) =>
        [...text.matchAll(/^ {2}\| '(cors-[a-z-]+)'/gm)].map(([, code]) => code),
      ),
    );
    const listed = [...section('CORS codes').matchAll(/^\| `(cors-[a-z-]+)` \| \S.* \|$/gm)].map(
      ([, code]) => code,
    );
    expect(codes).toContain('cors-allowed');
    expect(listed.toSorted()).toEqual([...codes].sort());
  });

  test('every error class with a code that stores throw, or what is given to them, has a row', () => {
    const thrown = ['lib/stores', 'lib/rows', 'lib/json']
      .flatMap(sourcesIn)
      .flatMap(({ text }) =>
        [...text.matchAll(/class (\w+Error) extends \w+ \{\n(?:.*\n)*? +readonly code = '(\w+)'/g)].map(
          ([, name, code]) => `${name} ${code}`,
        ),
      );
    const listed = [...section('Errors thrown').matchAll(/^\| `(\w+)` \| `(\w+)` \| \S.* \|$/gm)].map(
      ([, name, code]) => `${name} ${code}`,
    );
    expect(thrown.length).toBeGreaterThan(3);
    expect(listed.toSorted()).toEqual(thrown.toSorted());
  });
});

describe('errors.md, warnings', () => {
  const root = join(__dirname, '../..');
  const docs = readFileSync(join(root, 'docs/errors.md'), 'utf8');

  /** The codes of process warnings: all in lib but those of error classes. */
  const emitted = readdirSync(join(root, 'lib'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(root, 'lib', file), 'utf8').replace(/readonly code = '\w+'/g, '');
      return [...text.matchAll(/'(PATCH_OPTIONS_\w+)'/g)].map(([, code]) => code);
    })
    // Where a lost connection is recognized, errors are named, too.
    .filter((code) => code !== 'PATCH_OPTIONS_REDIS_TIMEOUT');

  test('docs/errors.md has a row for each warning that the process may be given, and for no other', () => {
    const [, table = ''] = /^## Warnings\n(.*?)^(?:## |Two common mistakes)/ms.exec(docs) ?? [];
    const rows = [...table.matchAll(/^\| `(PATCH_OPTIONS_\w+)` +\| [^|]{20,} \| [^|]{10,} \|$/gm)];
    const listed = rows.map(([, code]) => code);
    expect(listed.length).toBeGreaterThan(10);
    expect(listed.toSorted()).toEqual([...new Set(emitted)].sort());
  });

  test('whatever is emitted has a code that this test sees', () => {
    const calls = readdirSync(join(root, 'lib'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && file !== join('config', 'process-warning.ts'))
      .map((file) => readFileSync(join(root, 'lib', file), 'utf8'))
      .flatMap((text) => text.match(/\b(?:emitWarning|warnOnce)\(/g) ?? []);
    expect(calls).toHaveLength(emitted.length);
  });
});

describe('idempotency.md', () => {
  const docs = join(__dirname, '../../docs');

  test('the loop that docs/idempotency.md links to has the lines that it says, 15 at most', () => {
    const page = readFileSync(join(docs, 'idempotency.md'), 'utf8');
    const [, lines, path = ''] = /\[a loop in (\d+) lines\]\((.*?)\)/.exec(page) ?? [];
    const loop = readFileSync(join(docs, path), 'utf8').trim().split('\n');
    expect(String(loop.length)).toBe(lines);
    expect(loop.length).toBeLessThanOrEqual(15);
  });
});

describe('standards.md', () => {
  const root = join(__dirname, '../..');
  const page = readFileSync(join(root, 'docs/standards.md'), 'utf8');

  test('the tests that docs/standards.md names exist', () => {
    const named = [...page.matchAll(/^\| .* \| ([^|]+) \|$/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    );
    expect(named.length).toBeGreaterThan(10);
    const isThere = (name: string) =>
      ['.test.ts', ''].some((end) => existsSync(join(root, '__tests__', name + end)));
    expect(named.filter((name) => !isThere(name))).toEqual([]);
  });
});

describe('frameworks.md', () => {
  const folder = join(__dirname, '../frameworks/recipes');

  /** What stands between the marks, by its heading, without the indentation of the function around it; and what it imports. */
  const recipes = readdirSync(folder).flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    return [...text.matchAll(/^( *)\/\/ docs: ([^\n]+)\n(.*?)^ *\/\/ end$/gms)].map(
      ([, indentation = '', heading = '', marked = '']) => {
        const code = marked.replaceAll(new RegExp(`^${indentation}`, 'gm'), '');
        return { heading, code: `${importsFor(code, text).join('\n')}\n\n${code}` };
      },
    );
  });

  /** The imports of a file without the names that the code does not use. */
  function importsFor(code: string, text: string): string[] {
    const imports = text.matchAll(/^import (type )?(\w+)?(?:, )?(?:\{([^}]*)\})? from '([^']+)';$/gm);
    return [...imports].flatMap(([, type = '', whole, list = '', from]) => {
      const isUsed = (name: string) => new RegExp(`\\b${name.replace(/^.* /, '')}\\b`).test(code);
      const names = list
        .split(/,\s*/)
        .map((name) => name.trim())
        .filter((name) => name !== '' && isUsed(name));
      const parts = [
        ...(whole !== undefined && isUsed(whole) ? [whole] : []),
        ...(names.length > 0 ? [`{ ${names.join(', ')} }`] : []),
      ];
      return parts.length > 0 ? [`import ${type}${parts.join(', ')} from '${from}';`] : [];
    });
  }

  const docs = readFileSync(join(__dirname, '../../docs/frameworks.md'), 'utf8');
  // The page opens with the three calls that every recipe has.
  const shown = [...docs.slice(docs.indexOf('\n## ')).matchAll(/^```ts\n(.*?)^```$/gms)].map(
    ([, code]) => code,
  );

  test.each(recipes)('$heading', ({ heading, code }) => {
    const [, section = ''] = docs.split(new RegExp(`^#+ ${heading}\n`, 'm'));
    expect(/^```ts\n(.*?)^```$/ms.exec(section)?.[1]).toBe(code);
  });

  test('imports what it uses', () => {
    const withoutImports = shown.filter((code) => !/^import .* from 'patch-options';$/m.test(code ?? ''));
    expect(withoutImports).toEqual([]);
  });

  test('the page shows no other code', () => {
    expect(recipes.length).toBeGreaterThan(7);
    expect(shown.toSorted()).toEqual(recipes.map(({ code }) => code).sort());
  });
});

describe('Pages that everybody reads', () => {
  const root = join(__dirname, '../..');
  const wordsOf = (path: string): number => {
    const prose = readFileSync(join(root, path), 'utf8')
      .replaceAll(/^```[^]*?^```$/gm, '')
      .replaceAll(/\]\([^)]*\)/g, ']');
    return (prose.match(/\S*[\dA-Za-z]\S*/g) ?? []).length;
  };
  const first = ['README.md', 'docs/getting-started.md', 'docs/your-data.md'];

  test.each(
    ['prisma', 'drizzle', 'knex', 'kysely', 'typeorm', 'sequelize', 'mikro-orm', 'sql'].map((orm) => ({
      orm,
    })),
  )('with the one of $orm, they are at most 2,500 words of prose', ({ orm }) => {
    const words = [...first, `docs/orms/${orm}.md`].map(wordsOf);
    expect(words.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(2_500);
  });
});

describe('All pages', () => {
  const root = join(__dirname, '../..');
  const folders = ['.github', 'docs', 'bench', 'examples', 'lib'];

  test('links of the pages lead to files and headings that exist', async () => {
    const top = readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
    const below = folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => !path.includes('node_modules'))
        .map((path) => `${folder}/${path}`),
    );
    expect(await brokenLinks(root, [...top, ...below])).toEqual([]);
  });
});
