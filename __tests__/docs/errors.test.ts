import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contraryProblems } from '../../lib/client/connection/certainty';

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
  ...[...text.matchAll(/\binvalidMembers\('([a-z-]+)'/g)].map(([, code]) => `422 ${code}`),
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

describe('what an answer says of a write', () => {
  const nothing = '**Nothing was written.**';
  const perhaps = '**It may still be carried out.**';

  test('the rows that say the opposite of their status are those that the client knows', () => {
    const marked = answers.filter(({ problem, cause }) =>
      cause.includes(problem.startsWith('5') ? nothing : perhaps),
    );
    expect(marked.map(({ problem }) => problem).toSorted()).toEqual(contraryProblems.toSorted());
    // And nothing else is marked.
    expect(section('Answers to clients').split('**')).toHaveLength(1 + 2 * marked.length);
  });

  test('each of them is one that lib/ can make', () => {
    expect(problems).toEqual(expect.arrayContaining([...contraryProblems]));
  });

  test('a 5xx without a mark is not the answer to a write', () => {
    const unmarked = problems.filter((made) => made.startsWith('5') && !contraryProblems.includes(made));
    // Of optionsListener, which answers OPTIONS.
    expect(unmarked).toEqual(['500 options-failed']);
  });
});

test('every code of a mistake has a row that says what its comment says', () => {
  const source = readFileSync(join(root, 'lib/mistake-code.ts'), 'utf8');
  const codes = [...source.matchAll(/\/\*\* ((?:(?!\*\/)[^])*) \*\/\s*\| '([a-z\d-]+)'/g)].map(
    ([, comment = '', code]) => `| \`${code}\` | ${comment.replace(/\s+\*?\s*/g, ' ')} |`,
  );
  const rows = section('Configuration errors')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(codes.length).toBeGreaterThan(30);
  expect(rows).toEqual(codes);
});

test('every code of CORS has a row', () => {
  const codes = new Set(
    sourcesIn('lib/cors').flatMap(({ text }) =>
      [...text.matchAll(/^ {2}\| '(cors-[a-z-]+)'/gm)].map(([, code]) => code),
    ),
  );
  const listed = [...section('CORS codes').matchAll(/^\| `(cors-[a-z-]+)` \| \S.* \|$/gm)].map(([, code]) => code);
  expect(codes).toContain('cors-allowed');
  expect(listed.toSorted()).toEqual([...codes].sort());
});

test('every error class with a code that stores throw has a row', () => {
  const thrown = sourcesIn('lib/stores').flatMap(({ text }) =>
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
