import { resource, type PatchTable } from '../../support/patch-table';

const bread = { ...resource, title: 'Buy bread' };
const json = 'application/json-patch+json';
const document = JSON.stringify({ title: 'Buy bread' });

/** How large a patch may be. */
export const limits: Readonly<Record<string, PatchTable>> = {
  'RFC 9110 15.5.14: more than your app allows': {
    'limits.bytes: 413': {
      options: { limits: { bytes: 20 } },
      status: 413,
      content: { code: 'limit-bytes', title: 'Content Too Large' },
    },
    'exactly limits.bytes is no more': {
      options: { limits: { bytes: document.length } },
      status: 204,
      after: bread,
    },
    'limits.operations: 413': {
      options: { limits: { operations: 1 } },
      type: json,
      body: [
        { op: 'test', path: '/id', value: '7' },
        { op: 'test', path: '/id', value: '7' },
      ],
      status: 413,
      content: { code: 'limit-operations' },
    },
    'limits.depth, of the document: 413': {
      options: { limits: { depth: 3 } },
      body: { a: { b: { c: { d: 1 } } } },
      status: 413,
      content: { code: 'limit-depth' },
    },
    'copies of more than limits.bytes: 413': {
      options: { limits: { bytes: 120 } },
      type: json,
      body: [
        { op: 'copy', from: '', path: '/a' },
        { op: 'copy', from: '/a', path: '/b' },
      ],
      status: 413,
      content: { code: 'limit-copied' },
    },
    'insertions that shift more than 10,000,000 elements: 413': {
      type: json,
      body: [
        { op: 'add', path: '/tags', value: Array(50_000).fill(0) },
        ...Array<object>(300).fill({ op: 'add', path: '/tags/0', value: 1 }),
      ],
      status: 413,
      content: { code: 'limit-shifted', operation: 200, pointer: '/tags/0' },
    },
    '413 goes before 404': { stored: null, options: { limits: { bytes: 1 } }, status: 413 },
    '413 goes before 412': {
      headers: { 'If-Match': '"stale"' },
      options: { limits: { bytes: 1 } },
      status: 413,
    },
  },
};
