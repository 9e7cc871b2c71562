import { NEW, PRESENT, resource, type PatchTable } from '../../support/patch-table';

const bread = { ...resource, title: 'Buy bread' };
const json = 'application/json-patch+json';

/** Targets that are not there. */
export const targets: Readonly<Record<string, PatchTable>> = {
  'RFC 5789 2.2: a target that does not exist': {
    '404': { stored: null, status: 404, content: { code: 'target-not-found' }, after: null },
    '404 goes before 412': { stored: null, headers: { 'If-Match': '"stale"' }, status: 404 },
    '404 goes before 428': { stored: null, options: { precondition: 'required' }, status: 404 },
    '404 goes before 400': { stored: null, body: 'no JSON', status: 404 },
    'a key that is undefined: 404': { options: { key: () => undefined }, status: 404 },
    'a key with NUL: 404': { path: '/things/%00', status: 404 },
    'a key of 1,025 bytes: 404': { path: `/things/${'k'.repeat(1025)}`, status: 404 },
    'a key with a lone surrogate: 404': { options: { key: () => '\ud800' }, status: 404 },
  },

  'RFC 5789 2: a target that PATCH creates': {
    'create: true patches an empty object: 201': {
      stored: null,
      options: { create: true },
      status: 201,
      answers: { ETag: NEW, 'Content-Location': '/things/7', Location: undefined, 'Content-Length': '0' },
      after: { title: 'Buy bread' },
    },
    'create: (req) => value patches that': {
      stored: null,
      options: { create: (req) => ({ id: req.params.id }) },
      status: 201,
      after: { id: '7', title: 'Buy bread' },
    },
    'create may be async': {
      stored: null,
      options: { create: (req) => Promise.resolve({ id: req.params.id }) },
      headers: { Prefer: 'return=representation' },
      status: 201,
      content: { id: '7', title: 'Buy bread' },
      after: { id: '7', title: 'Buy bread' },
    },
    'create that comes to nothing: 404': {
      stored: null,
      options: { create: () => Promise.resolve(undefined) },
      status: 404,
      after: null,
    },
    'by JSON Patch': {
      stored: null,
      options: { create: true },
      type: json,
      body: [{ op: 'add', path: '/title', value: 'Buy bread' }],
      status: 201,
      after: { title: 'Buy bread' },
    },
    'return=representation: 201 with it': {
      stored: null,
      options: { create: true },
      headers: { Prefer: 'return=representation' },
      status: 201,
      content: { title: 'Buy bread' },
      after: { title: 'Buy bread' },
    },
    'an existing target is patched as ever: 204': { options: { create: true }, status: 204, after: bread },
    'If-None-Match: * creates': {
      stored: null,
      options: { create: true },
      headers: { 'If-None-Match': '*' },
      status: 201,
      after: { title: 'Buy bread' },
    },
    'If-None-Match: * on an existing target: 412': {
      options: { create: true },
      headers: { 'If-None-Match': '*' },
      status: 412,
      answers: { ETag: PRESENT },
    },
    'If-Match: * does not create: 412': {
      stored: null,
      options: { create: true },
      headers: { 'If-Match': '*' },
      status: 412,
      answers: { ETag: undefined },
    },
    'If-Match with a tag does not create: 412': {
      stored: null,
      options: { create: true },
      headers: { 'If-Match': '"stale"' },
      status: 412,
    },
    'If-None-Match: * is the precondition that creation requires': {
      stored: null,
      options: { create: true, precondition: 'required' },
      headers: { 'If-None-Match': '*' },
      status: 201,
      after: { title: 'Buy bread' },
    },
    'without it, where one is required: 428': {
      stored: null,
      options: { create: true, precondition: 'required' },
      status: 428,
      content: {
        detail:
          'The resource does not exist, and writes to it need a precondition. To create it, send If-None-Match: *.',
      },
    },
    'a patch that fails creates nothing: 409': {
      stored: null,
      options: { create: true },
      type: json,
      body: [{ op: 'remove', path: '/title' }],
      status: 409,
    },
  },
};
