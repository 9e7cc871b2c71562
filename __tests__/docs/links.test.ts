import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { brokenLinks } from '../support/markdown-links';

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
