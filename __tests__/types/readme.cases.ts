import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { blocksOf, modulesOf } from '../support/doc-blocks';
import { compile, findingsIn } from './compiler';

const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');

const docs = (page: string): string => readFileSync(join(__dirname, `../../docs/${page}.md`), 'utf8');

/** What the reader has around a fragment: the names that it does not declare itself. */
const around = `
import { randomUUID } from 'node:crypto';
import express, { type RequestHandler } from 'express';
import { corsPreflight, declareMethods, declareRoutes, jsonPatch, MemoryStore, mergePatch, patchHandler, patchOptions, resource, type ResourceStore } from 'patch-options';
import { resourceClient } from 'patch-options/client';
import { storeConformance } from 'patch-options/testing';
declare const app: express.Express;
declare const authenticate: RequestHandler;
declare const prisma: object;
declare const insertNote: () => Promise<number>;
declare const PrismaStore: new (client: object) => ResourceStore;
declare const api: express.Router;
declare const methods: readonly string[];
declare const middleware: RequestHandler;
const notes = new MemoryStore();
`;

/** Each block of TypeScript as a module of its own. */
const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => {
  const isWhole = /^import express/.test(text);
  return isWhole ? text : `${around}{\n${text}}`;
});

test('every block of TypeScript in the README compiles', () => {
  expect(blocks).not.toEqual([]);
  expect(findingsIn(blocks).flat()).toEqual([]);
});

test('and the blocks of docs/resource.md do, one after the other', () => {
  const code = blocksOf(docs('resource'), 'ts')
    .join('\n')
    .replace(/^import .*$/gm, '');
  expect(code).not.toBe('');
  expect(findingsIn([`${around}{\n${code}}`]).flat()).toEqual([]);
});

test('and each of docs/query.md does', () => {
  const query = `
import express from 'express';
declare const app: express.Express;
declare const findNotes: (tags: readonly string[], limit: number) => Promise<object[]>;
`;
  const sources = blocksOf(docs('query'), 'ts').map((code) => query + code);
  expect(sources.length).toBeGreaterThan(2);
  expect(findingsIn(sources).flat()).toEqual([]);
});

describe('docs/client.md', () => {
  const page = docs('client');

  test('its fragments compile, one after the other', () => {
    const fragments = blocksOf(page, 'ts').filter((text) => !text.startsWith('// '));
    const [first = '', ...rest] = fragments;
    const declared = `
interface Note { title: string; tags: string[] }
declare const edited: (base: Note) => Promise<Note>;
declare const askWhichOne: (paths: readonly string[]) => Promise<'mine' | 'theirs'>;
`;
    expect(rest.length).toBeGreaterThan(2);
    expect(first).toContain("import { resourceClient } from 'patch-options/client';");
    const own = [first.replace(/^import .*$/m, ''), ...rest].join('\n');
    expect(findingsIn([`${around}${declared}{${own}}`]).flat()).toEqual([]);
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
  const calls = [...readme.matchAll(/`([^`\n…]*declareMethods\([^`\n…]+\))`/g)].map(([, call = '']) => call);
  expect(calls).toEqual(['declareMethods(methods, middleware)', 'declareMethods([], middleware)']);
  expect(findingsIn(calls.map((call) => `${around}${call};`)).flat()).toEqual([]);
});
