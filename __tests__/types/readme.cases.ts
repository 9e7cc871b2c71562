import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { blocksOf, modulesOf } from '../support/doc-blocks';
import { compile, findingsIn } from './compiler';

const root = join(__dirname, '../..');

/** What fragments use of `patch-options` without importing it. */
const used = [
  ...[
    'cachedStore',
    'checkPreconditions',
    'corsPreflight',
    'declareMethods',
    'declareRoutes',
    'entityTag',
    'jsonPatch',
  ],
  ...[
    'MemoryStore',
    'mergePatch',
    'methodNotAllowed',
    'optionsListener',
    'patchHandler',
    'patchOptions',
    'resource',
  ],
  ...['sendProblem', 'type PatchRequest', 'type ResourceStore'],
];

/** What else the reader has around a fragment: the names that it does not declare itself. */
const around = `
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import express, { type Request, type RequestHandler } from 'express';
import { resourceClient } from 'patch-options/client';
import { PostgresStore } from 'patch-options/postgres';
import { storeConformance } from 'patch-options/testing';
interface Note { title: string; tags: string[] }
declare const app: express.Express;
declare const authenticate: RequestHandler;
declare const insertNote: () => Promise<number>;
declare const PrismaStore: new (client: object) => ResourceStore;
declare const api: express.Router;
declare const middleware: RequestHandler;
declare const readNote: RequestHandler;
declare const deleteNote: RequestHandler;
declare const findNotes: (tags: readonly string[], limit: number) => Promise<object[]>;
declare const isOwner: (req: PatchRequest, account: unknown) => boolean;
declare const userIdOf: (req: PatchRequest) => string;
declare const accounts: ResourceStore<Account> & { readonly keepsOutcomes: true };
interface Account { name: string; email: string; passwordHash: string; payments: number[] }
interface NoteRow { note: Note; version: string; modified: Date }
declare const readRow: (key: string) => Promise<NoteRow | undefined>;
declare const writeRowIf: (key: string, expected: string | null, row: NoteRow) => Promise<boolean>;
declare const FileStore: new () => ResourceStore<Note>;
declare const pool: PostgresPool;
type PostgresPool = ConstructorParameters<typeof PostgresStore>[0];
declare const res: express.Response;
declare const stored: { version: string };
interface PrismaModel {
  findFirst(args: object): Promise<object | null>;
  updateMany(args: object): Promise<{ count: number }>;
  create(args: object): Promise<object>;
  deleteMany(args: object): Promise<{ count: number }>;
}
declare const prisma: { article: PrismaModel };
const notes = new MemoryStore<Note>();
const note = resource(notes, [jsonPatch()]);
`;

/** A fragment as a module: its imports above, and what it does not declare around it, or its page `declares` for it. */
function moduleOf(text: string, declares = ''): string {
  if (/^import express/.test(text)) return text;
  const imports = text.match(/^import .*$/gm) ?? [];
  const imported = imports.flatMap((line) => line.match(/[A-Za-z]\w*(?=[,\s}])/g) ?? []);
  const isImported = (name: string) => imported.includes(name.replace('type ', ''));
  const others = around.replace(/^import (?:\{ )?(\w+)(?: \})? from .*\n/gm, (line, name: string) =>
    isImported(name) ? '' : line,
  );
  const names = used.filter((name) => !isImported(name));
  return `${imports.join('\n')}
import { ${names.join(', ')} } from 'patch-options';
${others}${declares}{
${text.replace(/^import .*$/gm, '')}}`;
}

const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((file) => `docs/${file}`)].filter(
  // Each of these three has a test of its own.
  (page) => page.endsWith('.md') && !/client|frameworks|your-data/.test(page),
);

test.each(pages)('every block of TypeScript in %s compiles', (page) => {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = blocksOf(text, 'ts').map((block) => moduleOf(block));
  expect(findingsIn(blocks).flat()).toEqual([]);
});

describe('docs/client.md', () => {
  const page = readFileSync(join(root, 'docs/client.md'), 'utf8');

  test('its fragments compile, one after the other', () => {
    const fragments = blocksOf(page, 'ts').filter((text) => !text.startsWith('// '));
    const [first = '', ...rest] = fragments;
    const declared = `
declare const edited: (base: Note) => Promise<Note>;
declare const askWhichOne: (paths: readonly string[]) => Promise<'mine' | 'theirs'>;
`;
    expect(rest.length).toBeGreaterThan(2);
    expect(first).toContain("import { resourceClient } from 'patch-options/client';");
    const own = [first.replace(/^import .*$/m, ''), ...rest].join('\n');
    expect(findingsIn([moduleOf(own, declared)]).flat()).toEqual([]);
  });

  test('its modules compile together, under the strict settings of this project', () => {
    const texts = new Map([...modulesOf(page)].map(([name, text]) => [join(__dirname, name), text]));
    expect([...texts.keys()]).toHaveLength(6);
    const settings = {
      ...{ module: ts.ModuleKind.ESNext, jsx: ts.JsxEmit.ReactJSX },
      ...{ lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'] },
    };
    const program = compile([], settings, texts);
    const findings = [...texts.keys()].flatMap((path) =>
      ts
        .getPreEmitDiagnostics(program, program.getSourceFile(path))
        .map(({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`),
    );
    expect(findings).toEqual([]);
  });
});

test('and so does every call of declareMethods that stands within a sentence', () => {
  const text = readFileSync(join(root, 'docs/options-and-405.md'), 'utf8');
  const calls = [...text.matchAll(/`([^`\n…]*declareMethods\([^`\n…]+\))`/g)].map(([, call = '']) => call);
  expect(calls).toEqual(['declareMethods([], middleware)']);
  expect(findingsIn(calls.map((call) => moduleOf(`${call};`))).flat()).toEqual([]);
});
