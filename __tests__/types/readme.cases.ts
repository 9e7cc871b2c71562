import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findingsIn } from './compiler';

const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');

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
  const code = blocksOf('resource')
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
  const sources = blocksOf('query').map((code) => query + code);
  expect(sources.length).toBeGreaterThan(2);
  expect(findingsIn(sources).flat()).toEqual([]);
});

function blocksOf(page: string): readonly string[] {
  const text = readFileSync(join(__dirname, `../../docs/${page}.md`), 'utf8');
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
}

test('and so does every call of declareMethods that stands within a sentence', () => {
  const calls = [...readme.matchAll(/`([^`\n…]*declareMethods\([^`\n…]+\))`/g)].map(([, call = '']) => call);
  expect(calls).toEqual(['declareMethods(methods, middleware)', 'declareMethods([], middleware)']);
  expect(findingsIn(calls.map((call) => `${around}${call};`)).flat()).toEqual([]);
});
