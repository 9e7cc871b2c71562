import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** What the reader has around a fragment: the names that it does not declare itself. */
const around = `
import http from 'node:http';
import express, { type RequestHandler } from 'express';
import { corsPreflight, declareMethods, jsonPatch, MemoryStore, mergePatch, optionsListener, patchHandler, patchOptions, type ResourceStore } from 'patch-options';
declare const app: express.Express;
declare const api: express.Router;
declare const cors: { origin: string };
declare const authenticate: RequestHandler;
declare function inTransaction(act: () => void): void;
declare const prisma: object;
declare const PrismaStore: new (client: object) => ResourceStore;
const notes = new MemoryStore();
const formats = [jsonPatch(), mergePatch()];
`;

/** Each block of TypeScript as a module of its own. */
const blocks = new Map(
  [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = ''], i) => {
    const isWhole = /^(?:import express|export|\/\*\*)/.test(text);
    const source = isWhole ? text : text.startsWith('import') ? around + text : `${around}{\n${text}}`;
    return [join(__dirname, `readme-${i + 1}.ts`), `${source}\nexport {};\n`] as const;
  }),
);

test('every block of TypeScript in the README compiles', () => {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const onDisk = ts.createCompilerHost(options);
  host.fileExists = (path) => blocks.has(path) || onDisk.fileExists(path);
  host.readFile = (path) => blocks.get(path) ?? onDisk.readFile(path);
  host.getSourceFile = (path, ...rest) => {
    const block = blocks.get(path);
    return block === undefined
      ? onDisk.getSourceFile(path, ...rest)
      : ts.createSourceFile(path, block, ts.ScriptTarget.ES2022);
  };
  const files = [...blocks.keys()];
  const program = ts.createProgram(
    files,
    { ...options, module: ts.ModuleKind.ESNext, noUnusedLocals: false },
    host,
  );
  const found = files.flatMap((file) =>
    ts.getPreEmitDiagnostics(program, program.getSourceFile(file)).map(({ messageText, start = 0 }) => {
      const line = blocks.get(file)?.slice(0, start).split('\n').pop() ?? '';
      return `${line} … ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    }),
  );
  expect(files.length).toBeGreaterThan(5);
  expect(found).toEqual([]);
});
