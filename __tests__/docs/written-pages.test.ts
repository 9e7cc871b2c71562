/** The pages have the words of lib/, and errors.md has every code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LibTexts } from './lib-texts';
import { readPage, writtenPages } from './written-pages';

const root = join(__dirname, '../..');
const texts = new LibTexts();

test.each([...writtenPages(texts)].map(([path, text]) => ({ path, text })))(
  '$path is what `npm run docs` writes',
  ({ path, text }) => {
    expect(readPage(path)).toBe(text);
  },
);

describe('errors.md', () => {
  const page = readPage('docs/errors.md');
  const section = (heading: string): string => page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const codesIn = (heading: string): string[] =>
    [...section(heading).matchAll(/^\| `([\w-]+)` \|/gm)].map(([, code = '']) => code).sort();
  const sources = readdirSync(join(root, 'lib'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(root, 'lib', file), 'utf8'))
    .join('\n');

  test.each([
    { heading: 'Answers to clients', listed: texts.problems(), least: 40 },
    { heading: 'Configuration errors', listed: texts.union('MistakeCode'), least: 30 },
    { heading: 'Warnings', listed: texts.union('WarningCode'), least: 10 },
    {
      heading: 'CORS codes',
      listed: new Map([...texts.union('CorsRefusalCode'), ...texts.union('ExplanationCode')]),
      least: 20,
    },
    { heading: 'Errors thrown', listed: texts.errors(), least: 10 },
  ])('$heading: a row for every code, and for no other', ({ heading, listed, least }) => {
    const codes = [...listed.keys()].filter((code) => code !== 'ConfigurationError');
    expect(codes.length).toBeGreaterThanOrEqual(least);
    expect(codesIn(heading)).toEqual(codes.sort());
  });

  test('every problem that lib/ makes has its code and status in the table, and no other is there', () => {
    const made = [
      ...[...sources.matchAll(/new ProblemError\(\s*(\d{3}),\s*'([a-z-]+)'/g)].map(
        ([, status, code]) => `${code} ${status}`,
      ),
      ...[...sources.matchAll(/\binvalidMembers\('([a-z-]+)'[^;]*?(?:, (\d{3}))?\);/g)].map(
        ([, code, status = '422']) => `${code} ${status}`,
      ),
      ...[...sources.matchAll(/^ {2}'([a-z-]+)': (\d{3}),$/gm)].map(
        ([, code, status]) => `${code} ${status}`,
      ),
    ];
    const listed = [...texts.problems()].map(([code, [status]]) => `${code} ${status}`);
    expect([...new Set(made)].sort()).toEqual(listed.sort());
  });

  test('every warning that lib/ emits is in the table, and no other is there', () => {
    const emitted = [...sources.matchAll(/(?:emitWarning|warnOnce)\(\s*'(\w+)'/g)].map(([, code]) => code);
    expect([...new Set(emitted)].sort()).toEqual([...texts.union('WarningCode').keys()].sort());
  });

  test('the one answer with a 4xx after which a write may be made is marked, and nothing else is', () => {
    const marked = [...texts.problems()].filter(([, [, cause]]) =>
      cause?.includes('**It may still be carried out.**'),
    );
    expect(marked.map(([code, [status]]) => `${status} ${code}`)).toEqual(['409 idempotency-key-in-flight']);
    expect(section('Answers to clients').split('**')).toHaveLength(3);
  });
});
