/** Writes the texts of lib/ into the pages: `npm run docs`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LibTexts } from './lib-texts';
import { readPage, writtenPages } from './written-pages';

for (const [path, text] of writtenPages(new LibTexts())) {
  if (text === readPage(path)) continue;
  writeFileSync(join(__dirname, '../..', path), text);
  console.log(`${path} is written`);
}
