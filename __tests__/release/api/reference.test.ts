import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brokenLinks } from '../../support/markdown-links';

const run = promisify(execFile);
const checkedIn = join(__dirname, '../../../docs/api');
const names = [
  'client',
  'explain',
  'index',
  'json',
  'mysql',
  'postgres',
  'redis',
  'rows',
  'sqlite',
  'testing',
];
const page = (name: string): Promise<string> => readFile(join(checkedIn, `${name}.md`), 'utf8');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patch-options-reference-'));
  // Exits with 1 where TypeDoc warns, and where an export has no comment.
  await run(process.execPath, [join(__dirname, 'reference.mjs'), folder]);
});

afterAll(() => rm(folder, { recursive: true }));

test('there is a page for each entry point, and one that leads to them', async () => {
  const pages = [...names, 'README'].map((name) => `${name}.md`).sort();
  expect((await readdir(checkedIn)).sort()).toEqual(pages);
  expect((await readdir(folder)).sort()).toEqual(pages);
});

test.each([...names, 'README'])('%s.md says what the comments say (npm run api)', async (name) => {
  expect(await readFile(join(folder, `${name}.md`), 'utf8')).toBe(await page(name));
});

test('its links lead somewhere', async () => {
  expect(await brokenLinks(checkedIn, await readdir(checkedIn))).toEqual([]);
});

test('no anchor is there twice', async () => {
  for (const name of names) {
    const anchors = [...(await page(name)).matchAll(/<a id="([^"]+)">/g)].map(([, anchor]) => anchor);
    expect(anchors.length).toBeGreaterThan(5);
    expect(anchors.filter((anchor, i) => anchors.indexOf(anchor) !== i)).toEqual([]);
  }
});

test('an option has an anchor, its name, its type, and a text with the default', async () => {
  const [, maxAge = ''] =
    /<a id="api-corsoptions-maxage"><\/a>\n\n(.*?)(?=\n<a )/s.exec(await page('index')) ?? [];
  expect(maxAge).toMatch(/^##### maxAge\?\n\n> .*`number`\n\n.*seconds.*Default 600\.\n$/s);
});

test('names no file of the sources, on this machine or another', async () => {
  for (const name of names)
    expect(await page(name)).not.toMatch(/\/(?:home|tmp|Users|work)\/|\blib\/.*\.ts\b/);
});
