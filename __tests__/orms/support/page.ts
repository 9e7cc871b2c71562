import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import ts from 'typescript';
import * as patchOptions from '../../../lib';
import * as rows from '../../../lib/rows';
import { compile, findingsIn, toModules } from '../../types/compiler';

const requireHere = createRequire(__filename);
const root = join(__dirname, '../../..');
const page = readFileSync(join(root, 'docs/your-data.md'), 'utf8');

/** The code blocks of one language below a heading. */
export function blocksOf(heading: string, language: string): string[] {
  const [, text = ''] = new RegExp(`^## ${heading}\\n(.*?)(?=^## |(?![^]))`, 'ms').exec(page) ?? [];
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))];
  return blocks.map(([, code = '']) => code);
}

/** The headings below which there is code in TypeScript. */
export const headings = [...page.matchAll(/^## (.*)$/gm)]
  .map(([, heading = '']) => heading)
  .filter((heading) => blocksOf(heading, 'ts').length > 0);

/** What the compiler finds in blocks, each with what the reader has around it. */
export function findingsInBlocks(texts: readonly string[]): string[] {
  const modules = toModules(__dirname, texts);
  const declarations = readdirSync(join(root, 'lib'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.d.ts'))
    .map((file) => join(root, 'lib', file));
  return findingsIn(compile(declarations, {}, modules), modules).flat();
}

/** Runs a block with these names around it, and gives what it calls `result`. */
export function runBlock(block: string, around: Readonly<Record<string, unknown>>, result: string): unknown {
  const { outputText } = ts.transpileModule(`${block}\nexport { ${result} as result };`, {
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      esModuleInterop: true,
    },
  });
  const modules: Readonly<Record<string, unknown>> = {
    'patch-options': patchOptions,
    'patch-options/rows': rows,
  };
  const load = (name: string): unknown => modules[name] ?? requireHere(name);
  const exported: { result?: unknown } = {};
  const names = Object.keys(around);
  const run = compileFunction(outputText, ['require', 'exports', ...names]);
  Reflect.apply(run, undefined, [load, exported, ...Object.values(around)]);
  return exported.result;
}

/** Whether every line of a model is in a schema here, but for attributes that stand after it there. */
export function isModelIn(model: string, schema: string): boolean {
  const lines = (text: string) => text.split('\n').map((line) => line.trim().replace(/\s+/g, ' '));
  const there = lines(readFileSync(join(__dirname, '../prisma', schema), 'utf8'));
  return lines(model).every((line) => there.some((one) => one.startsWith(line)));
}
