/** What the pages say is what lib/ has. */
import { brokenLinks } from '../support/markdown-links';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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

describe('json.md', () => {
  const root = join(__dirname, '../..');
  const results = readFileSync(join(root, 'bench/RESULTS.md'), 'utf8');
  const page = readFileSync(join(root, 'docs/json.md'), 'utf8');
  const rows = [...page.matchAll(/^\| \[([\w-]+)\]\(.*?\) \| (\d.*?) \| (.*?) \| (.*?) \| \w+ \|$/gm)].map(
    ([, library = '', passed = '', small = '', large = '']) => ({ library, passed, small, large }),
  );

  test('compares four libraries', () => {
    expect(rows).toHaveLength(4);
  });

  test.each(rows)('has the figures of bench/RESULTS.md for $library', ({ library, passed, small, large }) => {
    const measured = (work: string, suffix = '') => {
      const row = new RegExp(
        `^\\| ${work} +\\| ${library}${suffix} +\\|[^|]*\\| +([\\d.]+) \\| (\\d+ of \\d+)`,
        'm',
      );
      const [, ratio = '', suite = ''] = row.exec(results) ?? [];
      return { ratio: Number(ratio), suite };
    };
    const [first, strict] = ['', ' strict'].map((suffix) =>
      measured('5 operations on a small document', suffix),
    );
    expect(passed.split(',')[0]).toBe(first?.suite);
    expect(small.split(',')[0]).toBe(first?.ratio.toFixed(2));
    if (passed.includes('with validation')) {
      expect(passed).toContain(`, ${strict?.suite.replace(/ of .*/, '')} with validation`);
      expect(small).toContain(`, ${strict?.ratio.toFixed(2)} with validation`);
    }
    const { ratio } = measured('1 operation on 0.9 MB');
    expect(large).toBe(ratio < 0.001 ? 'below 0.001' : String(Number(ratio.toPrecision(2))));
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
