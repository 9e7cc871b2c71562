import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findingsIn } from '../support/compile-texts';

const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');

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
const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => {
  const isWhole = /^(?:import express|export|\/\*\*)/.test(text);
  return isWhole ? text : text.startsWith('import') ? around + text : `${around}{\n${text}}`;
});

test('every block of TypeScript in the README compiles', () => {
  expect(blocks).toHaveLength(5);
  expect(findingsIn(blocks).flat()).toEqual([]);
});
