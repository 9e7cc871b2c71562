/**
 * Writes the code of the pages, and of the comments in lib/, as modules to `generated/`, where the compiler checks them with
 * everything else: `npm run types`. What runs in browsers goes to `generated/dom/`.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf, modulesOf } from '../support/doc-blocks';

const root = join(__dirname, '../..');
const folder = join(__dirname, 'generated');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** All that the entry points export, each name once. */
const ownImports = importsOfEntryPoints();

/** What fragments of the pages use without importing or declaring it. */
const aroundFragments = `${ownImports}
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import express, { type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
interface Note { title: string; tags: string[] }
declare const app: express.Express;
declare const users: ResourceStore;
declare const hash: (password: string) => Promise<string>;
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
declare const res: express.Response;
declare const stored: { version: string };
declare const edited: (base: Note) => Promise<Note>;
declare const askWhichOne: (paths: readonly string[]) => Promise<'mine' | 'theirs'>;
interface PrismaModel {
  findFirst(args: object): Promise<object | null>;
  update(args: object): Promise<object>;
  create(args: object): Promise<object>;
  delete(args: object): Promise<object>;
}
declare const primary: TableConnection;
declare const replica: TableConnection;
declare const poolOf: (req: unknown) => TableConnection;
declare const knexOf: (req: unknown) => Parameters<typeof knexRows>[0];
declare const prisma: { article: PrismaModel };
declare const notes: MemoryStore<Note>;
const note = resource(notes, [jsonPatch()]);
`;

/** What the examples in comments use without importing or declaring it. */
const aroundExamples = `${ownImports}
import http from 'node:http';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Pool } from 'pg';
import { z } from 'zod';
import mongoose from 'mongoose';
interface Note { title: string }
declare const noteSchema: mongoose.Schema;
declare const notes: MemoryStore<Note>;
declare const client: ResourceClient<Note>;
declare function findNotes(tag: string): Promise<Note[]>;
declare const app: express.Express;
declare const api: express.Router;
declare const authenticate: RequestHandler;
declare const pool: Pool;
interface PrismaModel {
  findFirst(args: object): Promise<object | null>;
  update(args: object): Promise<object>;
  create(args: object): Promise<object>;
  delete(args: object): Promise<object>;
}
declare const prisma: { readonly note: PrismaModel };
declare function knexOf(req: unknown): Parameters<typeof knexRows>[0];
declare function poolOf(req: unknown): TableConnection;
declare const db: Parameters<typeof drizzleRows>[0] & Parameters<typeof kyselyRows>[0];
declare const notesTable: object;
declare const knex: Parameters<typeof knexRows>[0];
declare const dataSource: { getRepository(entity: object): Parameters<typeof typeormRows>[0] };
declare const orm: { readonly em: Parameters<typeof mikroormRows>[0] };
declare const Note: Parameters<typeof sequelizeRows>[0];
declare const PrismaStore: new (client: object) => ResourceStore;
declare const req: Request;
declare const res: Response;
declare const stored: Stored<Note>;
declare function inTransaction(act: () => void): void;
`;

function importsOfEntryPoints(): string {
  const { compilerOptions } = JSON.parse(read('tsconfig.json')) as {
    compilerOptions: { paths: Record<string, [string]> };
  };
  const seen = new Set<string>();
  const lines = Object.entries(compilerOptions.paths).map(([entry, [file]]) => {
    const lists = [...read(file).matchAll(/^export (type )?\{([^}]*)\}/gm)].flatMap(
      ([, type = '', list = '']) => (list.match(/(?:type )?\w+/g) ?? []).map((name) => `${type}${name}`),
    );
    const names = lists.filter((name) => !seen.has(name));
    for (const name of names) seen.add(name);
    return `import { ${names.join(', ')} } from '${entry}';`;
  });
  return `\n${lines.join('\n')}`;
}

/** A fragment as a module: its imports above, what it does not import around it, and the rest in a function, which may await. */
function toModule(fragment: string, around: string): string {
  // A whole file.
  if (/^import express/.test(fragment)) return fragment;
  if (fragment.startsWith('declare global')) return `${fragment}\nexport {};\n`;
  const imports = fragment.match(/^import .*$/gm) ?? [];
  const imported = imports.flatMap((line) => line.match(/[A-Za-z]\w*(?=[,\s}])/g) ?? []);
  const isImported = (name: string) => imported.includes(name.replace('type ', ''));
  const others = around.replace(
    /^import (\w+)?(?:, )?(?:\{ (.*) \})? from (.*);$/gm,
    (_line, whole, list, from) => {
      const names = String(list ?? '')
        .split(', ')
        .filter((name) => !isImported(name));
      const all = whole === undefined || isImported(String(whole)) ? '' : `${String(whole)}, `;
      return `import ${all}{ ${names.join(', ')} } from ${String(from)};`;
    },
  );
  const body = fragment.replace(/^import .*$/gm, '');
  return `${imports.join('\n')}${others}
export async function fragment(): Promise<unknown> {
${body}
return undefined;
}
`;
}

let written = 0;
function write(name: string, from: string, text: string): void {
  writeFileSync(join(folder, name), `// ${from}\n${text}`);
  written += 1;
}

function writePage(page: string): void {
  const text = read(page);
  const name = page.replace('docs/', '').replace('.md', '');
  for (const [index, fragment] of fragmentsIn(page, text).entries()) {
    write(`${name}-${index + 1}.ts`, `${page}, block ${index + 1}`, toModule(fragment, aroundFragments));
  }
}

/** What is not in a module of its own. The fragments of client.md are read one after the other, and the last of lists-and-post.md after the first. */
function fragmentsIn(page: string, text: string): string[] {
  const blocks = blocksOf(text, 'ts').filter((block) => !(modulesIn.has(page) && block.startsWith('// ')));
  if (page === 'docs/client.md') return [blocks.join('\n')];
  if (page === 'docs/lists-and-post.md') return [[blocks[0], blocks[2]].join('\n'), blocks[1] ?? ''];
  return page === 'docs/options-and-405.md' ? [...blocks, ...callsInSentences(text)] : blocks;
}

/** `declareMethods([], middleware)` */
function callsInSentences(text: string): string[] {
  return [...text.matchAll(/`([^`\n…]*declareMethods\([^`\n…]+\))`/g)].map(([, call = '']) => `${call};`);
}

function writeExamples(file: string): void {
  const comments = read(join('lib', file)).matchAll(/^ *\* ```ts\n(.*?)^ *\* ```$/gms);
  for (const [index, [, code = '']] of [...comments].entries()) {
    const name = `lib-${file.replaceAll(/[\\/]/g, '-').replace('.ts', '')}-${index + 1}.ts`;
    write(name, `lib/${file}, example ${index + 1}`, toModule(code.replace(/^ *\* ?/gm, ''), aroundExamples));
  }
}

/** Where the modules of these pages go, which import each other. Those in `dom` are for browsers. */
const modulesIn = new Map([
  ['docs/client.md', 'dom'],
  ['docs/conflict-form.md', 'dom'],
  ['docs/testing.md', 'testing'],
  ['docs/orms/mongoose.md', 'mongoose'],
]);

rmSync(folder, { recursive: true, force: true });
for (const name of modulesIn.values()) mkdirSync(join(folder, name), { recursive: true });
const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((file) => `docs/${file}`)];
// Those need the frameworks and the other ORMs of which they speak: the packages __tests__/frameworks and __tests__/orms compile them.
const elsewhere = /docs\/(?:frameworks|your-data|rows|row-recipes|whole-records)\.md$/;
for (const page of pages) if (page.endsWith('.md') && !elsewhere.test(page)) writePage(page);
for (const [page, to] of modulesIn) {
  // Jest takes no `-test.ts` for one of its own.
  for (const [name, text] of modulesOf(read(page)))
    write(`${to}/${name.replace('.test', '-test')}`, page, text);
}
const sources = readdirSync(join(root, 'lib'), { recursive: true, encoding: 'utf8' });
for (const file of sources) if (file.endsWith('.ts')) writeExamples(file);
if (written < 70)
  throw new Error(`Only ${written} blocks of code were found: has the form of the pages changed?`);
