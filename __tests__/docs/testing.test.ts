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

describe.each(tests)('docs/testing.md, %s', (name) => {
  new PageModules(texts, load, { test, expect, beforeEach }).load(name);
});
