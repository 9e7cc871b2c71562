/** The tests of docs/testing.md, which pass. */
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as patchOptions from '../../lib';
import * as client from '../../lib/client';
import * as explain from '../../lib/explain';
import { modulesOf } from '../support/doc-blocks';
import { PageModules } from '../support/page-modules';

const page = readFileSync(join(__dirname, '../../docs/testing.md'), 'utf8');
const texts = new Map([...modulesOf(page)].map(([file, text]) => [file.replace('.ts', ''), text]));

const own: Readonly<Record<string, unknown>> = {
  'patch-options': patchOptions,
  'patch-options/client': client,
  'patch-options/explain': explain,
};
const requireHere = createRequire(__filename);
const load = (name: string): unknown => own[name] ?? requireHere(name);

const tests = [...texts.keys()].filter((name) => name.endsWith('.test'));

test('the page shows tests', () => {
  expect(tests.length).toBeGreaterThan(2);
});

/** Runs the tests of one block over another app, and returns the titles of those that fail. */
async function failing(name: string, app: string): Promise<string[]> {
  const bodies = new Map<string, () => unknown>();
  const collect = (title: string, body: () => unknown): void => void bodies.set(title, body);
  new PageModules(new Map([...texts, ['app', app]]), load, { test: collect, expect }).load(name);
  const failed: string[] = [];
  for (const [title, body] of bodies) {
    try {
      await body();
    } catch {
      failed.push(title);
    }
  }
  return failed;
}

test.each([
  { title: 'the app of the page', replaced: '', by: '', fails: 0 },
  {
    title: 'authentication before patchOptions',
    replaced: 'app.use(patchOptions(',
    by: 'app.use((_req, res) => void res.status(401).end());\n  app.use(patchOptions(',
    fails: 2,
  },
  {
    title: 'a guard that lets these requests pass',
    replaced: 'app.use(patchOptions(',
    by: 'app.use((_req, _res, next) => next());\n  app.use(patchOptions(',
    fails: 0,
  },
  { title: 'no PATCH route', replaced: "app.patch('/notes/:id', note.patch);", by: '', fails: 2 },
])('the tests of what browsers may do, $title: $fails fail', async ({ replaced, by, fails }) => {
  const app = texts.get('app') ?? '';
  expect(app).toContain(replaced);
  expect(await failing('methods.test', app.replace(replaced, by))).toHaveLength(fails);
});

describe.each(tests)('docs/testing.md, %s', (name) => {
  new PageModules(texts, load, { test, expect, beforeEach }).load(name);
});
