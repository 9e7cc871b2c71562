import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { jsonPatch } from '../../lib/parsers/json-patch/json-patch';
import { mergePatch } from '../../lib/parsers/merge-patch';
import type { ResourceStore } from '../../lib/stores/contract/resource-store';
import { frameworks } from './frameworks';
import { describePatches, NEW, PRESENT, resource, type PatchTable } from './patch-table';

const bread = { ...resource, title: 'Buy bread' };
const json = 'application/json-patch+json';
const both = 'application/json-patch+json, application/merge-patch+json';
const long = 'x'.repeat(200);

const document = JSON.stringify({ title: 'Buy bread' });
const schema = z.object({ id: z.string(), title: z.string().max(100) });

/** What a PATCH gets, clause by clause: of every kind of store the same. */
export const patchTables: Readonly<Record<string, PatchTable>> = {
  'RFC 5789 2: a patch that is applied': {
    'merge patch: 204 with the new ETag and Content-Location': {
      status: 204,
      answers: {
        ETag: NEW,
        'Content-Location': '/things/7',
        'Content-Type': undefined,
        'Content-Length': undefined,
      },
      after: bread,
    },
    'JSON Patch: the same': {
      type: json,
      body: [{ op: 'replace', path: '/title', value: 'Buy bread' }],
      status: 204,
      answers: { ETag: NEW, 'Content-Location': '/things/7' },
      after: bread,
    },
    'a patch that changes nothing gets a new ETag all the same': {
      body: {},
      status: 204,
      answers: { ETag: NEW },
    },
    'an empty JSON Patch does so too': { type: json, body: [], status: 204, answers: { ETag: NEW } },
    'the answer cannot be cached by accident': {
      status: 204,
      answers: { 'Cache-Control': undefined, Expires: undefined, 'Last-Modified': undefined },
      after: bread,
    },
    'Content-Location is the path without the query': {
      path: '/things/7?verbose=1',
      status: 204,
      answers: { 'Content-Location': '/things/7' },
      after: bread,
    },
    'Content-Location keeps the encoding of the path': {
      path: '/things/%37',
      status: 204,
      answers: { 'Content-Location': '/things/%37' },
      after: bread,
    },
    'location names where the representation lives': {
      options: { location: (_req, key) => `/v2/things/${key}` },
      status: 204,
      answers: { 'Content-Location': '/v2/things/7', Location: undefined },
      after: bread,
    },
    'the whole value may be replaced': {
      type: json,
      body: [{ op: 'replace', path: '', value: ['anything'] }],
      status: 204,
      after: ['anything'],
    },
  },

  'RFC 7240 4.2: what comes back': {
    'return=representation: 200 with the value': {
      headers: { Prefer: 'return=representation' },
      status: 200,
      answers: {
        ETag: NEW,
        'Content-Location': '/things/7',
        'Preference-Applied': 'return=representation',
        'Content-Type': 'application/json; charset=utf-8',
      },
      content: bread,
      after: bread,
    },
    'return=minimal: 204': {
      headers: { Prefer: 'return=minimal' },
      status: 204,
      answers: { 'Preference-Applied': 'return=minimal' },
      after: bread,
    },
    'no preference: none is applied': {
      status: 204,
      answers: { 'Preference-Applied': undefined },
      after: bread,
    },
    'another preference is none': {
      headers: { Prefer: 'respond-async, wait=10' },
      status: 204,
      answers: { 'Preference-Applied': undefined },
      after: bread,
    },
    'respond: representation is the default that a host may choose': {
      options: { respond: 'representation' },
      status: 200,
      answers: { 'Preference-Applied': undefined },
      content: bread,
      after: bread,
    },
    'the client’s preference goes before the host’s': {
      options: { respond: 'representation' },
      headers: { Prefer: 'return=minimal' },
      status: 204,
      after: bread,
    },
    'represent decides what a client gets to see': {
      options: { represent: () => ({ seen: true }) },
      headers: { Prefer: 'return=representation' },
      status: 200,
      content: { seen: true },
      after: bread,
    },
    'represent may be async': {
      options: { represent: () => Promise.resolve({ seen: true }) },
      headers: { Prefer: 'return=representation' },
      status: 200,
      content: { seen: true },
      after: bread,
    },
  },

  'RFC 5789 2.2 and 3.1: the media type of the patch document': {
    'none: 415 with Accept-Patch': {
      type: null,
      status: 415,
      answers: { 'Accept-Patch': both, 'Accept-Encoding': undefined },
      content: { code: 'unsupported-media-type' },
    },
    'another: 415 with Accept-Patch': {
      type: 'application/json',
      status: 415,
      answers: { 'Accept-Patch': both, 'Accept-Encoding': undefined },
      content: { code: 'unsupported-media-type' },
    },
    'one that is no media type: 415': {
      type: 'json',
      status: 415,
      content: { code: 'unsupported-media-type' },
    },
    'case does not matter': { type: 'Application/MERGE-patch+json', status: 204, after: bread },
    'parameters do not matter': {
      type: 'application/merge-patch+json; version="1"',
      status: 204,
      after: bread,
    },
    'charset=utf-8 is what it is anyway': {
      type: 'application/merge-patch+json;charset=UTF-8',
      status: 204,
      after: bread,
    },
    'another charset: 415': {
      type: 'application/merge-patch+json; charset=iso-8859-1',
      status: 415,
      answers: { 'Accept-Patch': both },
      content: { code: 'unsupported-charset' },
    },
    'mergePatch({ mediaType }) serves clients that send plain JSON': {
      parsers: [mergePatch({ mediaType: 'application/json' })],
      type: 'application/json',
      status: 204,
      after: bread,
    },
    'Accept-Patch lists each format once, in the order of the parsers': {
      parsers: [mergePatch({ mediaType: ['application/merge-patch+json', 'application/json'] }), jsonPatch()],
      type: 'text/plain',
      status: 415,
      answers: {
        'Accept-Patch': 'application/merge-patch+json, application/json, application/json-patch+json',
      },
    },
    '415 goes before 404': {
      stored: null,
      type: 'text/plain',
      status: 415,
      content: { code: 'unsupported-media-type' },
    },
    '415 goes before 412': { headers: { 'If-Match': '"stale"' }, type: 'text/plain', status: 415 },
  },

  'RFC 9110 8.4: the content coding of the patch document': {
    gzip: { headers: { 'Content-Encoding': 'gzip' }, body: gzipSync(document), status: 204, after: bread },
    'x-gzip, its old name': {
      headers: { 'Content-Encoding': 'x-gzip' },
      body: gzipSync(document),
      status: 204,
      after: bread,
    },
    deflate: {
      headers: { 'Content-Encoding': 'deflate' },
      body: deflateSync(document),
      status: 204,
      after: bread,
    },
    br: {
      headers: { 'Content-Encoding': 'br' },
      body: brotliCompressSync(document),
      status: 204,
      after: bread,
    },
    identity: { headers: { 'Content-Encoding': 'identity' }, status: 204, after: bread },
    'case does not matter': {
      headers: { 'Content-Encoding': 'GZIP' },
      body: gzipSync(document),
      status: 204,
      after: bread,
    },
    'another: 415 with Accept-Encoding, and not Accept-Patch': {
      headers: { 'Content-Encoding': 'compress' },
      status: 415,
      answers: { 'Accept-Encoding': 'gzip, deflate, br', 'Accept-Patch': undefined },
      content: { code: 'unsupported-content-coding' },
    },
    'a name of Object.prototype is another': {
      headers: { 'Content-Encoding': 'constructor' },
      status: 415,
      content: { code: 'unsupported-content-coding' },
    },
    'several at once: 415': {
      headers: { 'Content-Encoding': 'gzip, br' },
      body: gzipSync(document),
      status: 415,
    },
    'bytes that are not in the coding: 400': {
      headers: { 'Content-Encoding': 'gzip' },
      body: document,
      status: 400,
      content: { code: 'body-broken' },
    },
    'bytes that end too early: 400': {
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync(document).subarray(0, 20),
      status: 400,
      content: { code: 'body-broken' },
    },
    'a bomb: 413, by what it inflates to': {
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync(Buffer.alloc(50_000_000)),
      status: 413,
      content: { code: 'limit-bytes' },
    },
  },

  'RFC 9110 15.5.14: more than the host allows': {
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
    'limits.copied: 413': {
      options: { limits: { copied: 5 } },
      type: json,
      body: [{ op: 'copy', from: '/title', path: '/more' }],
      status: 413,
      content: { code: 'limit-copied' },
    },
    '413 goes before 404': { stored: null, options: { limits: { bytes: 1 } }, status: 413 },
    '413 goes before 412': {
      headers: { 'If-Match': '"stale"' },
      options: { limits: { bytes: 1 } },
      status: 413,
    },
  },

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
    'Location where it is another path': {
      stored: null,
      options: { create: true, location: () => '/elsewhere/7' },
      status: 201,
      answers: { Location: '/elsewhere/7', 'Content-Location': '/elsewhere/7' },
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
          'A write here needs a precondition: the resource does not exist. To create it, send If-None-Match: *.',
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

  'RFC 9110 13: preconditions': {
    'If-Match with the present tag': {
      headers: { 'If-Match': PRESENT },
      status: 204,
      answers: { ETag: NEW },
      after: bread,
    },
    'If-Match with the present tag among others': {
      headers: { 'If-Match': `"a,b", ${PRESENT}` },
      status: 204,
      after: bread,
    },
    'If-Match with another: 412 with the present ETag': {
      headers: { 'If-Match': '"stale"' },
      status: 412,
      answers: { ETag: PRESENT },
      content: { code: 'precondition-failed', status: 412 },
    },
    'If-Match with the tag made weak: 412, 13.1.1, which says so': {
      headers: { 'If-Match': `"other", W/${PRESENT}` },
      status: 412,
      answers: { ETag: PRESENT },
      content: { detail: expect.stringMatching(/^If-Match does not hold: the tag is weak,.* Send the ETag/) },
    },
    'If-Match with another tag, made weak: 412, which says that the resource has changed': {
      headers: { 'If-Match': 'W/"other"' },
      status: 412,
      content: { detail: expect.stringContaining('has changed since') },
    },
    'If-Match with the tag made weak, weakMatch: true': {
      options: { weakMatch: true },
      headers: { 'If-Match': `W/${PRESENT}` },
      status: 204,
      after: bread,
    },
    'If-Match: *': { headers: { 'If-Match': '*' }, status: 204, after: bread },
    'If-Match without quotes: 400, which says so': {
      headers: { 'If-Match': 'abc' },
      status: 400,
      content: { code: 'precondition-malformed', detail: expect.stringContaining('quotes') },
    },
    'If-Match with nothing: 400': {
      headers: { 'If-Match': ',' },
      status: 400,
      content: { code: 'precondition-malformed' },
    },
    'If-None-Match with the present tag: 412': { headers: { 'If-None-Match': PRESENT }, status: 412 },
    'If-None-Match with another': { headers: { 'If-None-Match': '"other"' }, status: 204, after: bread },
    'If-Unmodified-Since that holds': {
      headers: { 'If-Unmodified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
      status: 204,
      after: bread,
    },
    'If-Unmodified-Since that does not: 412': {
      headers: { 'If-Unmodified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' },
      status: 412,
      answers: { ETag: PRESENT },
    },
    'If-Unmodified-Since beside If-Match has no say, 13.1.4': {
      headers: { 'If-Match': PRESENT, 'If-Unmodified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' },
      status: 204,
      after: bread,
    },
    'If-Unmodified-Since that is no date has no say, 13.1.4': {
      headers: { 'If-Unmodified-Since': 'yesterday' },
      status: 204,
      after: bread,
    },
    'If-Modified-Since has no say in a PATCH, 13.1.3': {
      headers: { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
      status: 204,
      after: bread,
    },
    'entityTag keeps the tags that the host’s GET already sends': {
      options: { entityTag: () => '"mine"' },
      headers: { 'If-Match': '"mine"' },
      status: 204,
      answers: { ETag: NEW },
      after: bread,
    },
    '412 goes before 400': { headers: { 'If-Match': '"stale"' }, body: 'no JSON', status: 412 },
    '412 goes before 422': {
      headers: { 'If-Match': '"stale"' },
      options: { readOnly: ['/title'] },
      status: 412,
    },
  },

  'RFC 6585 3: a precondition is required': {
    'none: 428, not to be stored': {
      options: { precondition: 'required' },
      status: 428,
      answers: { 'Cache-Control': 'no-store' },
      content: { code: 'precondition-required' },
    },
    'If-Match': {
      options: { precondition: 'required' },
      headers: { 'If-Match': PRESENT },
      status: 204,
      after: bread,
    },
    'If-Match that does not hold: 412': {
      options: { precondition: 'required' },
      headers: { 'If-Match': '"stale"' },
      status: 412,
    },
    'If-Unmodified-Since alone, with its one second, is none': {
      options: { precondition: 'required' },
      headers: { 'If-Unmodified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
      status: 428,
    },
    'If-None-Match with a tag protects nothing': {
      options: { precondition: 'required' },
      headers: { 'If-None-Match': '"other"' },
      status: 428,
    },
  },

  'RFC 5789 2.2: a malformed patch document': {
    empty: { body: '', status: 400, content: { code: 'patch-malformed' } },
    'not JSON': { body: '{"title":', status: 400, content: { code: 'patch-malformed' } },
    'not UTF-8': { body: Buffer.from([0x22, 0xff, 0x22]), status: 400, content: { code: 'patch-malformed' } },
    'JSON Patch that is no array': {
      type: json,
      body: { title: 1 },
      status: 400,
      content: { code: 'patch-malformed' },
    },
    'an unknown op names its index': {
      type: json,
      body: [
        { op: 'test', path: '/id', value: '7' },
        { op: 'toString', path: '/id' },
      ],
      status: 400,
      content: { code: 'patch-malformed', operation: 1 },
    },
    'a pointer that is none': {
      type: json,
      body: [{ op: 'remove', path: 'title' }],
      status: 400,
      content: { code: 'patch-malformed', operation: 0, pointer: 'title' },
    },
    'add without value': {
      type: json,
      body: [{ op: 'add', path: '/x' }],
      status: 400,
      content: { code: 'patch-malformed' },
    },
  },

  'RFC 5789 2.2: a conflicting state': {
    'a path that is not there: 409, with operation and pointer': {
      type: json,
      body: [
        { op: 'replace', path: '/title', value: 'x' },
        { op: 'remove', path: '/size/height' },
      ],
      status: 409,
      content: { code: 'patch-conflict', operation: 1, pointer: '/size/height' },
    },
    'an index out of range: 409': {
      type: json,
      body: [{ op: 'add', path: '/tags/3', value: 'x' }],
      status: 409,
      content: { code: 'patch-conflict' },
    },
    'a test that fails: 409, and does not tell the stored value': {
      type: json,
      body: [{ op: 'test', path: '/title', value: 'Buy wine' }],
      status: 409,
      content: { code: 'patch-test-failed', operation: 0, detail: expect.not.stringContaining('milk') },
    },
    'a member of Object.prototype is no member: 409': {
      type: json,
      body: [{ op: 'copy', from: '/constructor', path: '/x' }],
      status: 409,
    },
  },

  'RFC 5789 2.2: a result that is not valid': {
    'a function’s issues: 422 with pointers': {
      options: { validate: () => [{ detail: 'Too dull.', pointer: '/title' }] },
      status: 422,
      content: { code: 'invalid-result', errors: [{ detail: 'Too dull.', pointer: '/title' }] },
    },
    'a function that finds nothing': { options: { validate: () => [] }, status: 204, after: bread },
    'a function that returns nothing': { options: { validate: () => undefined }, status: 204, after: bread },
    'an async function': {
      options: { validate: () => Promise.resolve([{ detail: 'Too dull.' }]) },
      status: 422,
      content: { errors: [{ detail: 'Too dull.' }] },
    },
    'a function sees what was': {
      options: { validate: (next, current) => (next === current ? [] : [{ detail: 'No change, please.' }]) },
      status: 422,
    },
    'a Standard Schema’s issues, here zod’s: 422 with pointers': {
      options: { validate: schema },
      body: { title: long },
      status: 422,
      content: { code: 'invalid-result', errors: [{ pointer: '/title' }] },
    },
    'a schema judges, and its output is not stored': {
      options: { validate: schema },
      status: 204,
      after: bread,
    },
    'transform: true stores its output': {
      options: { validate: schema, transform: true },
      status: 204,
      after: { id: '7', title: 'Buy bread' },
    },
    'a read-only member: 422 with its pointer': {
      options: { readOnly: ['/id'] },
      body: { id: '8' },
      status: 422,
      content: { code: 'read-only', pointer: '/id' },
    },
    'a read-only member removed: 422': { options: { readOnly: ['/id'] }, body: { id: null }, status: 422 },
    'a read-only member nested in what is replaced: 422': {
      options: { readOnly: ['/size/unit'] },
      body: { size: 'large' },
      status: 422,
      content: { pointer: '/size/unit' },
    },
    'a read-only member that gets its own value again': {
      options: { readOnly: ['/size'] },
      type: json,
      body: [{ op: 'replace', path: '/size', value: { unit: 'cm', width: 3 } }],
      status: 204,
    },
    'a read-only member that is not there stays so: 422': {
      options: { readOnly: ['/made'] },
      body: { made: 1 },
      status: 422,
    },
    'authorize says no: 403': {
      options: { authorize: () => false },
      status: 403,
      content: { code: 'forbidden' },
    },
    'authorize says yes': { options: { authorize: () => true }, status: 204, after: bread },
    'authorize is told what differs': {
      options: {
        authorize: (_req, { changed }) =>
          JSON.stringify(changed) === '["/title","/tags/1","/size/depth","/none"]',
      },
      type: json,
      body: [
        { op: 'replace', path: '/title', value: 'Buy bread' },
        { op: 'remove', path: '/tags/1' },
        { op: 'add', path: '/size/depth', value: 1 },
        { op: 'remove', path: '/none' },
      ],
      status: 204,
      after: { id: '7', title: 'Buy bread', tags: ['home'], size: { width: 3, unit: 'cm', depth: 1 } },
    },
    '422 goes before 403': {
      options: { validate: () => [{ detail: 'x' }], authorize: () => false },
      status: 422,
    },
  },

  'A body that the host’s own parser has read': {
    'express.json() for other types: the stream is unread, whatever req.body says': {
      behind: (express) => express.json(),
      status: 204,
      after: bread,
    },
    'express.json() for this type: the parsed object': {
      behind: (express) => express.json({ type: 'application/merge-patch+json' }),
      status: 204,
      after: bread,
    },
    'express.json() with an array': {
      behind: (express) => express.json({ type: json }),
      type: json,
      body: [{ op: 'replace', path: '/title', value: 'Buy bread' }],
      status: 204,
      after: bread,
    },
    'express.raw()': { behind: (express) => express.raw({ type: () => true }), status: 204, after: bread },
    'express.text()': { behind: (express) => express.text({ type: () => true }), status: 204, after: bread },
    'express.json({ strict: false }) with a string: taken for the text of the document': {
      behind: (express) => express.json({ type: () => true, strict: false }),
      body: JSON.stringify(document),
      status: 204,
      after: bread,
    },
    'express.raw() has undone the coding': {
      behind: (express) => express.raw({ type: () => true }),
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync(document),
      status: 204,
      after: bread,
    },
    'express.json() made {} of an empty body: 400 all the same': {
      behind: (express) => express.json({ type: () => true }),
      body: '',
      status: 400,
      content: { code: 'patch-malformed' },
    },
    'limits.bytes holds there too: 413': {
      behind: (express) => express.raw({ type: () => true }),
      options: { limits: { bytes: 20 } },
      status: 413,
    },
  },

  'A dry run': {
    'all but the write, answered as if, without an ETag': {
      options: { dryRun: () => true },
      status: 204,
      answers: { ETag: undefined, 'Content-Location': '/things/7' },
    },
    'with the representation that would be': {
      options: { dryRun: (req) => req.query.dry === '1' },
      path: '/things/7?dry=1',
      headers: { Prefer: 'return=representation' },
      status: 200,
      answers: { ETag: undefined },
      content: bread,
      after: resource,
    },
    'every check is made': {
      options: { dryRun: () => true },
      headers: { 'If-Match': '"stale"' },
      status: 412,
    },
    'a creation': { stored: null, options: { dryRun: () => true, create: true }, status: 201, after: null },
  },
};

/** The tables over one kind of store, on the newest Express alone: what Express does is proved with MemoryStore. */
export function describePatchesOver(openStore: () => Promise<EmptiedStore>): void {
  const opened = async () => {
    const store = await openStore();
    await store.delete(resource.id);
    return store;
  };
  for (const [title, table] of Object.entries(patchTables)) {
    describePatches(title, table, opened, frameworks.slice(0, 1));
  }
}

export interface EmptiedStore extends ResourceStore {
  delete(key: string): Promise<boolean>;
}
