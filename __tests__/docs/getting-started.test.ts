import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express from 'express';
import { compileFunction } from 'node:vm';
import ts from 'typescript';
import * as patchOptions from '../../lib';
import { type RunningExample, runExample } from '../examples/running-example';
import { blocksOf } from '../support/doc-blocks';
import { comparable, exchangesOf, printedBy } from '../support/exchanges';

const page = readFileSync(join(__dirname, '../../docs/getting-started.md'), 'utf8');
const exchanges = exchangesOf(page);

/** The first block of the page, with its imports handed in. */
function runServer(): Promise<void> {
  const [code = ''] = blocksOf(page, 'ts');
  const { outputText } = ts.transpileModule(code.replace(/^import .*$/gm, ''), {
    compilerOptions: { target: ts.ScriptTarget.ES2022 },
  });
  const names = Object.keys(patchOptions);
  const run = compileFunction(outputText, ['express', ...names]);
  Reflect.apply(run, undefined, [express, ...Object.values(patchOptions)]);
  return Promise.resolve();
}

describe('docs/getting-started.md', () => {
  let example: RunningExample<unknown>;
  let printed: readonly string[];
  beforeAll(async () => {
    example = await runExample(runServer);
    printed = await printedBy(exchanges, example.address);
  });
  afterAll(() => example.close());

  test.each(exchanges.map((exchange, index) => ({ ...exchange, index })))(
    'shows what is printed by $command',
    ({ index, answer }) => {
      expect(comparable(printed[index] ?? '')).toBe(comparable(answer));
    },
  );
});
