import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findingsIn } from '../support/compile-texts';

const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');

/** What the reader has around a fragment: the names that it does not declare itself. */
const around = `
import express, { type RequestHandler } from 'express';
import { corsPreflight, jsonPatch, MemoryStore, mergePatch, patchHandler, patchOptions, type ResourceStore } from 'patch-options';
import { storeConformance } from 'patch-options/testing';
declare const app: express.Express;
declare const authenticate: RequestHandler;
declare const prisma: object;
declare const PrismaStore: new (client: object) => ResourceStore;
const notes = new MemoryStore();
`;

/** Each block of TypeScript as a module of its own. */
const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => {
  const isWhole = /^import express/.test(text);
  return isWhole ? text : `${around}{\n${text}}`;
});

test('every block of TypeScript in the README compiles', () => {
  expect(blocks).toHaveLength(4);
  expect(findingsIn(blocks).flat()).toEqual([]);
});
