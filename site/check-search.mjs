/** Checks that the search leads from words that people type to the section that answers them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { searchOptions } from './.vitepress/search.mjs';

/** The section that comes first, by the words. */
const answers = new Map([
  ['upsert', '/patch#create'],
  ['owner', '/security#only-the-owner'],
  ['version', '/rows#version'],
  ['lost update', '/patch#when-both-changes-are-kept'],
  ['CORS error', '/cors#what-the-cors-error-says'],
  ['partial update', '/patch#patch'],
  ['updatedAt', '/whole-records#a-record-that-is-stale'],
  ['explain', '/cors#npx-patch-options-explain'],
]);

const chunks = join(import.meta.dirname, 'dist/assets/chunks');
const file = readdirSync(chunks).find((name) => name.startsWith('@localSearchIndexroot'));
const [, text] = /^const \w+\s*=\s*("[^]*"|'[^]*'|`[^]*`);\s*export/.exec(
  readFileSync(join(chunks, file), 'utf8'),
);
const { default: json } = await import(`data:text/javascript,export default ${encodeURIComponent(text)}`);
const index = MiniSearch.loadJSON(json, {
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
  // What VitePress sets, and what config.mjs adds.
  searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 }, ...searchOptions },
});
const faults = [...answers].flatMap(([words, section]) => {
  const found = index
    .search(words)
    .slice(0, 3)
    .map(({ id }) => id);
  return found[0]?.endsWith(section)
    ? []
    : [`${words}: ${section} is not what is found first: ${found.join(', ')}`];
});
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
} else {
  console.log(`${answers.size} searches lead to the section that answers them`);
}
