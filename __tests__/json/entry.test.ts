/** `patch-options/json`: what it exports, where it runs, and what it adds to a page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import * as json from '../../lib/json';
import { jsonBundle } from '../support/client-bundle';

test('it exports no more than what its page lists', () => {
  expect(Object.keys(json).sort()).toEqual([
    ...['JsonError', 'applyJsonPatch', 'applyMergePatch', 'createJsonPatch', 'createMergePatch', 'merge'],
    ...['parsePointer', 'valueAt'],
  ]);
});

test('it holds nothing but lib/json, and what escapes a text for a message; needs nothing of Node, and imports nothing', async () => {
  const bundle = await jsonBundle("export * from 'patch-options/json';");
  const files = [...bundle.matchAll(/^\/\/ (lib\/.*\.ts)$/gm)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => !file.startsWith('lib/json/'))).toEqual(['lib/config/printable.ts']);
  expect(bundle).not.toMatch(/\b(?:process|Buffer|require|node:|__dirname|setImmediate)\b|^\s*import\b/m);
});

test('it runs where there is only what the language has; TextEncoder only for the limit of copies', async () => {
  const bundle = await jsonBundle("export * from 'patch-options/json';");
  const script = bundle.replace(/^export \{([^]*?)\};$/m, 'globalThis.json = {$1};');
  const context = createContext({ TextEncoder });
  runInContext(script, context);
  expect(() => runInContext(script, createContext({})) as unknown).not.toThrow();
  const copied = "json.applyJsonPatch({ a: 'é' }, [{ op: 'copy', from: '/a', path: '/b' }])";
  expect(runInContext(`JSON.stringify(${copied})`, context)).toBe('{"a":"é","b":"é"}');
  const merged = 'json.merge(["b"], ["b", "c"], ["a", "b"]).withMine.join("")';
  expect(runInContext(merged, context)).toBe('abc');
});

const page = readFileSync(join(__dirname, '../../docs/json.md'), 'utf8');

test.each([
  { name: 'nothing', source: "import 'patch-options/json';", most: 0 },
  { name: 'applyJsonPatch', most: 4_400 },
  { name: 'applyMergePatch', most: 1_500 },
  { name: 'createJsonPatch', most: 2_650 },
  { name: 'createMergePatch', most: 1_700 },
  { name: 'merge', most: 3_850 },
  { name: 'parsePointer', most: 300 },
  { name: 'valueAt', most: 350 },
])(
  'a page that imports $name loads no more than that needs: under $most bytes gzipped, as json.md says',
  async ({ name, source, most }) => {
    const made = await jsonBundle(source ?? `export { ${name} } from 'patch-options/json';`, '--minify');
    const bytes = made.length === 0 ? 0 : gzipSync(made, { level: 9 }).length;
    process.stdout.write(`patch-options/json, ${name}: ${bytes} bytes gzipped\n`);
    expect(bytes).toBeLessThanOrEqual(most);
    if (source !== undefined) return;
    const [, said] = new RegExp(`^\\| \\[?\`${name}\\(.* ([\\d.]+) KB \\|$`, 'm').exec(page) ?? [];
    expect(said).toBe((bytes / 1_000).toFixed(1));
  },
);
