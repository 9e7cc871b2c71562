/** One request for each sentence with which it can be refused. */
import { z } from 'zod';
import { keyedMergePatch } from '../../lib/patch/formats/keyed-merge-patch';
import { mergePatch } from '../../lib/patch/formats/merge-patch';
import type { ExpressModule } from '../support/frameworks';
import { PRESENT, type PatchRow } from '../support/patch-table';

const json = 'application/json-patch+json';
const tight = { bytes: 100, depth: 3, operations: 2, result: 100 };

/** By a JSON Patch, of one operation or several, or of text that is not JSON. */
const byJsonPatch = (body: unknown, limits: Partial<typeof tight> = {}): Omit<PatchRow, 'status'> => ({
  type: json,
  body: typeof body === 'string' || Array.isArray(body) ? body : [body],
  options: { limits },
});

/** By a keyed merge patch. */
const byKey = (
  body: unknown,
  stored: unknown = { items: [{ id: 1 }], tags: ['a'] },
): Omit<PatchRow, 'status'> => ({
  ...{ type: 'application/vnd.patch-options.keyed-merge+json', body, stored },
  parsers: [keyedMergePatch({ '/items': 'id', '/tags': 'self' })],
});

const parsed = ({ json: parser }: ExpressModule) => parser({ type: () => true });

export const refusals: readonly Omit<PatchRow, 'status'>[] = [
  { type: null },
  { type: 'application/json' },
  { type: 'application/merge-patch+json; charset=latin1' },
  { headers: { 'Content-Encoding': 'gzip' } },
  {
    // As if the connection broke, which nobody could answer.
    behind: () => (req, _res, next) => {
      next();
      req.emit('aborted');
    },
  },
  { body: 'x'.repeat(101), options: { limits: tight } },
  { body: '{"title":9007199254740993}', behind: parsed },
  { body: '{"size":{"width":1e400}}', behind: parsed },
  { body: 'null', options: { prepare: (document) => document } },
  { stored: null },

  {
    ...{ type: 'application/json', body: { id: 8 }, parsers: [mergePatch({ json: true })] },
    options: { readOnly: ['/id'], stateMembers: [], unwritable: 'ignore' },
  },
  { headers: { 'If-Match': '"other"' } },
  { headers: { 'If-Match': '"other"' }, options: { conflict: 'representation' } },
  { body: { id: '8', more: 1 }, options: { writable: () => ['/title'] } },
  { headers: { 'If-Match': `W/${PRESENT}` } },
  { headers: { 'If-Match': 'W/"other"' } },
  { headers: { 'If-Match': 'W/"own"' }, options: { entityTag: () => 'W/"own"' } },
  { headers: { 'If-Match': '"own-gzip"' }, options: { entityTag: () => '"own"' } },
  { headers: { 'If-Match': '' } },
  { headers: { 'If-Match': '*' }, stored: null, options: { create: true } },
  { headers: { 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' } },
  { headers: { 'If-None-Match': '*' } },
  { headers: { 'If-Match': 'unquoted' } },
  { options: { precondition: 'required' } },
  { options: { precondition: 'required', create: true }, stored: null },

  { options: { idempotency: 'required' } },
  { options: { idempotency: 'optional' }, headers: { 'Idempotency-Key': 'unquoted' } },

  {
    body: { isAdmin: true },
    options: { validate: z.object({ title: z.string() }) },
  },
  {
    body: { title: '[[[[[]]]]]' },
    options: {
      validate: z.object({ title: z.preprocess((text) => JSON.parse(String(text)) as unknown, z.any()) }),
      limits: { depth: 3 },
    },
    stored: { title: '1' },
  },

  { body: [] },
  byKey({ items: [] }),
  byKey({ items: { 1: 5 } }),
  byKey({ items: { 1: { id: 2 } } }),
  byKey({ items: { 42: { done: true } } }),
  byKey({ tags: { a: 'a' } }),
  byKey({ items: {} }, { items: [{}] }),
  byKey({ tags: {} }, { tags: [1] }),
  { body: {}, stored: [1] },
  { body: '' },
  { body: Buffer.from([0xff]) },
  { body: '{"a":1,"a":2}' },
  { body: '[[[[1]]]]', options: { limits: tight } },
  { body: '{"a":1e999}' },
  { body: '{"a":[9007199254740993]}' },
  ...['{', '[', '{a', '{"a"', '{"a":1', '[1', '"\\x"', '"a', '-', '1 2', 'nul'].map((body) => ({ body })),

  byJsonPatch('{}'),
  byJsonPatch([1, 2, 3], tight),
  byJsonPatch([5]),
  byJsonPatch({}),
  byJsonPatch({ op: 'append' }),
  byJsonPatch({ op: 'remove' }),
  byJsonPatch({ op: 'move', path: '/title' }),
  byJsonPatch({ op: 'remove', path: 5 }),
  byJsonPatch({ op: 'remove', path: 'title' }),
  byJsonPatch({ op: 'add', path: '/title' }),
  byJsonPatch({ op: 'add', path: '/a', value: [[[1]]] }, { depth: 2 }),
  byJsonPatch({ op: 'move', from: '/size', path: '/size/width' }),
  byJsonPatch({ op: 'remove', path: '' }),
  byJsonPatch({ op: 'remove', path: '/absent' }),
  byJsonPatch({ op: 'remove', path: '/absent/width' }),
  byJsonPatch({ op: 'add', path: '/absent/width', value: 1 }),
  byJsonPatch({ op: 'add', path: '/title/width', value: 1 }),
  byJsonPatch({ op: 'remove', path: '/title/width' }),
  byJsonPatch({ op: 'replace', path: '/absent', value: 1 }),
  byJsonPatch({ op: 'replace', path: '/', value: 1 }),
  byJsonPatch({ op: 'replace', path: '/tags/-', value: 1 }),
  byJsonPatch({ op: 'remove', path: '/tags/-' }),
  byJsonPatch({ op: 'replace', path: '/tags/-1', value: 1 }),
  byJsonPatch({ op: 'remove', path: '/tags/7' }),
  byJsonPatch({ op: 'remove', path: '/tags/7/name' }),
  byJsonPatch({ op: 'add', path: '/tags/last', value: 1 }),
  byJsonPatch({ op: 'add', path: '/tags/7', value: 1 }),
  byJsonPatch({ op: 'test', path: '/title', value: 'Buy bread' }),
  byJsonPatch(
    [
      { op: 'copy', from: '', path: '/a' },
      { op: 'copy', from: '/a', path: '/b' },
    ],
    { bytes: 120 },
  ),
  byJsonPatch([
    { op: 'add', path: '/tags', value: Array(50_000).fill(0) },
    ...Array<object>(300).fill({ op: 'add', path: '/tags/0', value: 1 }),
  ]),
  byJsonPatch({ op: 'copy', from: '/size', path: '/size/again' }, { depth: 2 }),

  { body: { id: '8' }, options: { readOnly: ['/id'] } },
  { options: { validate: () => [{ detail: 'A title has three words.', pointer: '/title' }] } },
  { options: { validate: () => [{ detail: 'Milk is out.' }, { detail: 'And so is bread.' }] } },
  { options: { authorize: () => false } },
  { options: { may: () => false } },
  {
    stored: { ['a'.repeat(20)]: {} },
    body: { ['a'.repeat(20)]: { a: 1, b: 1, c: 1 } },
    options: { authorize: () => true, limits: { bytes: 60 } },
  },
  { body: { id: '8' }, options: { writable: ['/title'] } },
  { body: { id: '8' }, options: { hidden: ['/id'] } },
  { body: { size: 1 }, options: { hidden: ['/size/width'] } },
  { options: { hidden: ['/id'], validate: () => [{ detail: 'Not an id.', pointer: '/id' }] } },
  { method: 'PUT', type: 'text/plain' },
  { method: 'PUT', headers: { 'Content-Range': 'bytes 0-1/2' } },
  { method: 'PUT', body: '' },
  { method: 'PUT', body: '{"a"}' },
  { method: 'PUT', options: { may: () => false } },
  { method: 'DELETE', options: { may: () => false } },
  { options: { validate: { '~standard': { version: 1, vendor: 'own', validate: () => ({ issues: [] }) } } } },
];
