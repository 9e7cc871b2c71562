/** What a page loads of it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { bundleOf, clientBundle } from '../support/client-bundle';

let bundle: string;
beforeAll(async () => {
  bundle = await clientBundle();
});

test('it holds nothing of the server: of lib/, the client, and what it reads JSON and its options by', () => {
  const files = [...bundle.matchAll(/^\/\/ (lib\/.*\.ts)$/gm)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(10);
  const beside = files.filter((file) => !/^lib\/(?:client|json\/diff)\//.test(file));
  const shared = [
    ...['expectation', 'object', 'printable', 'prototype-pollution', 'read-options'].map(
      (name) => `lib/config/${name}.ts`,
    ),
    ...['json-error', 'pointer', 'recipe', 'to-json', 'value'].map((name) => `lib/json/${name}.ts`),
  ];
  expect(beside.sort()).toEqual(shared);
});

test('it needs nothing of Node, and imports nothing', () => {
  expect(bundle).not.toMatch(/\b(?:process|Buffer|require|node:|__dirname|setImmediate)\b/);
  expect(bundle).not.toMatch(/^\s*import\b/m);
});

test('it runs where there is what browsers have, and no more', async () => {
  const script = bundle.replace(/^export \{[^]*?\};$/m, 'globalThis.made = resourceClient;');
  const sent: string[] = [];
  const context = createContext({
    ...{
      URL,
      AbortController,
      AbortSignal,
      structuredClone,
      performance,
      setTimeout,
      clearTimeout,
      crypto,
      Headers,
      Request,
    },
    location: { href: 'https://app.example/notes/' },
    fetch: (url: string, { method }: { method: string }) => {
      sent.push(`${method} ${url}`);
      return Promise.resolve(
        new Response('{"a":1}', { headers: { ETag: '"1"', 'Content-Type': 'application/json' } }),
      );
    },
  });
  runInContext(script, context);
  const read: unknown = await runInContext(
    "made('/api').get('notes/1').then(({ value, etag }) => JSON.stringify([value, etag]))",
    context,
  );
  expect(read).toBe('[{"a":1},"\\"1\\""]');
  expect(sent).toEqual(['GET https://app.example/api/notes/1']);
});

describe('its size', () => {
  const sizeOf = (text: string) => gzipSync(text, { level: 9 }).length;

  test('minified and gzipped, is under 13 KB, and what README.md says', async () => {
    const minified = await clientBundle('--minify');
    process.stdout.write(
      `patch-options/client: ${minified.length} bytes minified, ${sizeOf(minified)} gzipped\n`,
    );
    expect(sizeOf(minified)).toBeLessThan(13_000);
    const readme = await readFile(join(__dirname, '../../README.md'), 'utf8');
    const [, said] = /The client is (\d+) KB, minified and gzipped/.exec(readme) ?? [];
    expect(Number(said)).toBe(Math.ceil(sizeOf(minified) / 1_000));
  });

  test.each([
    ['nothing', "import 'patch-options/client';", 0],
    ['an error alone', "export { UncertainError } from 'patch-options/client';", 500],
  ])('of a module that imports %s, next to nothing', async (_what, source, most) => {
    const made = await bundleOf(source);
    expect(made.length === 0 ? 0 : sizeOf(made)).toBeLessThanOrEqual(most);
  });
});
