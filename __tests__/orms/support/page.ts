import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import * as patchOptions from '../../../lib';
import * as rows from '../../../lib/rows';
import { modulesOf } from '../../support/doc-blocks';
import { evaluate, PageModules } from '../../support/page-modules';
import { compile, findingsIn } from '../../types/compiler';

const requireHere = createRequire(__filename);
const root = join(__dirname, '../../..');

/** The pages about rows, by their paths in docs/. */
export const pages: ReadonlyMap<string, string> = new Map(
  [
    ...['your-data', 'rows', 'columns', 'row-recipes', 'whole-records'],
    ...readdirSync(join(root, 'docs/orms')).map((file) => `orms/${file.slice(0, -3)}`),
  ].map((page) => [page, readFileSync(join(root, `docs/${page}.md`), 'utf8')]),
);

/** The code blocks of one language below a heading of a page, up to the next heading of its level. */
export function blocksBelow(page: string, heading: string, language: string): string[] {
  const below = new RegExp(`^(#+) ${heading}\\n(.*?)(?=^\\1 |^## |(?![^]))`, 'ms');
  const [, , text = ''] = below.exec(pages.get(page) ?? '') ?? [];
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))];
  return blocks.map(([, code = '']) => code);
}

/** The modules that a page shows, by their names: `app`, `schema`. */
export function modulesOfPage(page: string): ReadonlyMap<string, string> {
  return new Map(
    [...modulesOf(pages.get(page) ?? '')].map(([file, text]) => [file.replace('.ts', ''), text]),
  );
}

/** What the compiler finds in modules, by their paths without `.ts`, as if they were in this folder. */
export function findingsInModules(modules: ReadonlyMap<string, string>): string[] {
  const texts = new Map([...modules].map(([path, text]) => [join(__dirname, `${path}.ts`), text]));
  const declarations = readdirSync(join(root, 'lib'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.d.ts'))
    .map((file) => join(root, 'lib', file));
  const program = compile(
    declarations,
    { module: ts.ModuleKind.ESNext, experimentalDecorators: true },
    texts,
  );
  return findingsIn(program, texts).flatMap((findings, i) =>
    findings.map((finding) => `${[...modules.keys()][i]}: ${finding}`),
  );
}

/** Runs a block with these names around it, and returns what it calls `result`. */
export function runBlock(block: string, around: Readonly<Record<string, unknown>>, result: string): unknown {
  return evaluate(`${block}\nexport { ${result} as result };`, around, load)['result'];
}

/** The modules of a page, to run them. */
export function loadModules(modules: ReadonlyMap<string, string>): PageModules {
  return new PageModules(modules, load);
}

function load(name: string): unknown {
  const modules: Readonly<Record<string, unknown>> = {
    'patch-options': patchOptions,
    'patch-options/rows': rows,
  };
  return modules[name] ?? requireHere(name);
}

/** Whether every line of a model is in a schema here, but for attributes that stand after it there. */
export function isModelIn(model: string, schema: string): boolean {
  const lines = (text: string) => text.split('\n').map((line) => line.trim().replace(/\s+/g, ' '));
  const there = lines(readFileSync(join(__dirname, '../prisma', schema), 'utf8'));
  return lines(model).every((line) => there.some((one) => one.startsWith(line)));
}
