/** The recipes that docs/frameworks.md shows are those that frameworks.deep.test.ts runs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(__dirname, 'recipes');

/** What stands between the marks, by its heading, without the indentation of the function around it. */
const recipes = readdirSync(folder).flatMap((file) => {
  const text = readFileSync(join(folder, file), 'utf8');
  return [...text.matchAll(/^( *)\/\/ docs: ([^\n]+)\n(.*?)^ *\/\/ end$/gms)].map(
    ([, indentation = '', heading = '', code = '']) => ({
      heading,
      code: code.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
    }),
  );
});

const docs = readFileSync(join(__dirname, '../../docs/frameworks.md'), 'utf8');
// The page opens with the three calls that every recipe has.
const shown = [...docs.slice(docs.indexOf('\n## ')).matchAll(/^```ts\n(.*?)^```$/gms)].map(
  ([, code]) => code,
);

test.each(recipes)('$heading', ({ heading, code }) => {
  const [, section = ''] = docs.split(new RegExp(`^#+ ${heading}\n`, 'm'));
  expect(/^```ts\n(.*?)^```$/ms.exec(section)?.[1]).toBe(code);
});

test('the page shows no other code', () => {
  expect(recipes.length).toBeGreaterThan(7);
  expect(shown.toSorted()).toEqual(recipes.map(({ code }) => code).sort());
});
