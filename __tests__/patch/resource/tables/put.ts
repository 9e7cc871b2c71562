import { gzipSync } from 'node:zlib';
import { NEW, PRESENT, resource, type PatchTable } from '../../../support/patch-table';

const bread = { id: '7', title: 'Buy bread' };
/** What is stored, with another title; as text it is what GET would give. */
const whole = { ...resource, title: 'Buy bread' };
const row = { method: 'PUT', body: whole, status: 204, after: whole } as const;
const refused = { method: 'PUT', body: whole } as const;
const { size, none, ...withoutSize } = whole;

/** What a PUT gets. */
export const puts: Readonly<Record<string, PatchTable>> = {
  'RFC 9110 9.3.4: PUT replaces the representation': {
    whole: { ...row, answers: { 'Content-Location': '/things/7', Location: undefined } },
    'a member that is left out is removed': { ...row, body: bread, after: bread },
    'any JSON': { ...row, body: '5', after: 5 },
    'what is equal is a new state all the same': {
      ...row,
      body: resource,
      after: resource,
      answers: { ETag: NEW },
    },
    'nothing there, and no create: 404': {
      ...row,
      stored: null,
      after: null,
      status: 404,
      content: { code: 'target-not-found' },
    },
    'nothing there, and create: 201': {
      ...row,
      stored: null,
      options: { create: true },
      status: 201,
      answers: { ETag: NEW, 'Content-Location': '/things/7', Location: undefined },
    },
  },

  'RFC 9110 9.3.4: a validator only where GET gives byte for byte what was sent': {
    'it does': { ...row, answers: { ETag: NEW } },
    'white space makes a difference': {
      ...row,
      body: JSON.stringify(whole, undefined, 2),
      answers: { ETag: undefined },
    },
    'so does a number that is written otherwise': {
      ...row,
      body: '{"a":1.0}',
      after: { a: 1 },
      answers: { ETag: undefined },
    },
    'and what GET shows otherwise': {
      ...row,
      options: { represent: (value) => ({ value }) },
      answers: { ETag: undefined },
    },
    'and what stays though it was not sent': {
      ...row,
      options: { readOnly: ['/id'] },
      body: { title: 'Buy bread' },
      after: bread,
      answers: { ETag: undefined },
    },
    'what is hidden makes none': {
      ...row,
      options: { hidden: ['/size/width', '/none'] },
      body: { ...withoutSize, size: { unit: 'm' } },
      after: { ...whole, size: { width: 3, unit: 'm' } },
      answers: { ETag: NEW },
    },
    'a content coding that the app has decoded makes a difference, 8.4': {
      ...row,
      behind: (express) => express.raw({ type: 'application/json' }),
      body: gzipSync(JSON.stringify(whole)),
      headers: { 'Content-Encoding': 'gzip' },
      answers: { ETag: undefined },
    },
    'identity is no coding, 12.5.3': {
      ...row,
      headers: { 'Content-Encoding': 'identity' },
      answers: { ETag: NEW },
    },
    'what the app has parsed cannot tell': {
      ...row,
      behind: (express) => express.json(),
      answers: { ETag: undefined },
    },
    'what the app has read as bytes can': {
      ...row,
      behind: (express) => express.raw({ type: 'application/json' }),
      answers: { ETag: NEW },
    },
  },

  'RFC 7240 4.2: Prefer of PUT': {
    'return=representation: 200 with what GET gives': {
      ...row,
      headers: { Prefer: 'return=representation' },
      status: 200,
      content: whole,
      answers: { ETag: NEW, 'Preference-Applied': 'return=representation' },
    },
    'return=minimal': {
      ...row,
      options: { respond: 'representation' },
      headers: { Prefer: 'return=minimal' },
      answers: { 'Preference-Applied': 'return=minimal' },
    },
    'respond: 200 without it': {
      ...row,
      options: { respond: 'representation' },
      status: 200,
      content: whole,
    },
    'no validator beside a body that differs from what was sent': {
      ...row,
      body: JSON.stringify(whole, undefined, 2),
      headers: { Prefer: 'return=representation' },
      status: 200,
      content: whole,
      answers: { ETag: undefined },
    },
  },

  'what a PUT has to be': {
    'another media type: 415 with Accept, RFC 9110 12.5.1': {
      ...refused,
      type: 'application/merge-patch+json',
      status: 415,
      answers: { Accept: 'application/json', 'Accept-Patch': undefined },
      content: { code: 'unsupported-media-type' },
    },
    'none: 415': {
      ...refused,
      type: null,
      status: 415,
      answers: { Accept: 'application/json' },
      content: { code: 'unsupported-media-type' },
    },
    'charset=utf-8 is what it is anyway': { ...row, type: 'Application/JSON; charset=UTF-8' },
    'another charset: 415': {
      ...refused,
      type: 'application/json; charset=latin1',
      status: 415,
      answers: { Accept: 'application/json' },
      content: { code: 'unsupported-charset' },
    },
    'a content coding: 415 with Accept-Encoding': {
      ...refused,
      headers: { 'Content-Encoding': 'gzip' },
      status: 415,
      answers: { 'Accept-Encoding': 'identity', Accept: undefined },
      content: { code: 'unsupported-content-coding' },
    },
    'a part of it: 400, RFC 9110 14.5': {
      ...refused,
      headers: { 'Content-Range': 'bytes 0-1/9' },
      status: 400,
      content: { code: 'content-range' },
    },
    'empty: 400': { ...refused, body: '', status: 400, content: { code: 'representation-malformed' } },
    'empty behind express.json(), which makes {} of it: 400': {
      ...refused,
      body: '',
      behind: (express) => express.json(),
      status: 400,
      content: { code: 'representation-malformed' },
    },
    'empty behind a parser that makes null of it: 400': {
      ...refused,
      body: '',
      behind: () => (req, _res, next) => {
        req.resume().once('end', () => {
          req.body = null;
          next();
        });
      },
      status: 400,
      content: { code: 'representation-malformed' },
    },
    'not JSON: 400': { ...refused, body: '{"a"', status: 400, content: { code: 'representation-malformed' } },
    'a name twice: 400': {
      ...refused,
      body: '{"a":1,"a":2}',
      status: 400,
      content: { code: 'representation-malformed' },
    },
    'over limits.bytes: 413': {
      ...refused,
      options: { limits: { bytes: 10 } },
      status: 413,
      content: { code: 'limit-bytes' },
    },
    'over limits.depth: 413': {
      ...refused,
      options: { limits: { depth: 1 } },
      status: 413,
      content: { code: 'limit-depth' },
    },
    '__proto__ is a member like any other': {
      ...row,
      body: '{"__proto__":{"a":1}}',
      after: JSON.parse('{"__proto__":{"a":1}}') as unknown,
    },
  },

  'RFC 9110 13.2: the preconditions of PUT': {
    'If-Match holds': { ...row, headers: { 'If-Match': PRESENT } },
    'If-Match does not: 412 with the tag': {
      ...refused,
      headers: { 'If-Match': '"other"' },
      status: 412,
      answers: { ETag: PRESENT },
      content: { code: 'precondition-failed' },
    },
    'If-None-Match: * and there is one: 412': {
      ...refused,
      headers: { 'If-None-Match': '*' },
      status: 412,
      content: { code: 'precondition-failed' },
    },
    'If-None-Match: * and there is none: 201': {
      ...row,
      stored: null,
      options: { create: true, precondition: 'required' },
      headers: { 'If-None-Match': '*' },
      status: 201,
    },
    'If-Match and there is none: 412, though it could create': {
      ...row,
      stored: null,
      after: null,
      options: { create: true },
      headers: { 'If-Match': '*' },
      status: 412,
      content: { code: 'precondition-failed' },
    },
    'none where one is required: 428': {
      ...refused,
      options: { precondition: 'required' },
      status: 428,
      answers: { 'Cache-Control': 'no-store' },
      content: { code: 'precondition-required' },
    },
    'a false one is told before a representation that cannot be read': {
      ...refused,
      body: '{',
      headers: { 'If-Match': '"other"' },
      status: 412,
    },
  },

  'readOnly: what PUT may not change stays': {
    'left out: it stays': {
      ...row,
      options: { readOnly: ['/id', '/size/unit'] },
      body: { title: 'Buy bread' },
      after: { id: '7', title: 'Buy bread', size: { unit: 'cm' } },
    },
    'sent as it is': { ...row, options: { readOnly: ['/id', '/size'] } },
    'sent and different: 422': {
      ...refused,
      options: { readOnly: ['/id'] },
      body: { ...whole, id: '8' },
      status: 422,
      content: { code: 'read-only', pointer: '/id' },
    },
    'sent where there is none: 422': {
      ...refused,
      options: { readOnly: ['/made'] },
      body: { ...whole, made: 1 },
      status: 422,
      content: { code: 'read-only', pointer: '/made' },
    },
    'the object above it replaced by something else: 422': {
      ...refused,
      options: { readOnly: ['/size/unit'] },
      body: { ...whole, size: 5 },
      status: 422,
      content: { code: 'read-only', pointer: '/size/unit' },
    },
    'an element of an array that is left out: 422': {
      ...refused,
      options: { readOnly: ['/tags/0'] },
      body: bread,
      status: 422,
      content: { code: 'read-only', pointer: '/tags/0' },
    },
    'null stays null': {
      ...row,
      options: { readOnly: ['/none'] },
      body: bread,
      after: { ...bread, none: null },
    },
    'all of it: 422': {
      ...refused,
      options: { readOnly: [''] },
      status: 422,
      content: { code: 'read-only', pointer: '' },
    },
    'what creation begins with stays': {
      ...row,
      stored: null,
      options: { readOnly: ['/owner'], create: () => ({ owner: 'me', title: 'none yet' }) },
      body: { title: 'Buy bread' },
      status: 201,
      after: { owner: 'me', title: 'Buy bread' },
    },
  },

  'writable: all else stays': {
    'left out: it stays': {
      ...row,
      options: { writable: ['/title', '/size/width'] },
      body: { title: 'Buy bread' },
      after: { ...whole, size: { unit: 'cm' } },
    },
    'left out and writable: it is removed': {
      ...row,
      options: { writable: ['/title', '/tags'] },
      body: {},
      after: { id: '7', size, none },
    },
    'sent and different: 422': {
      ...refused,
      options: { writable: ['/title'] },
      body: { ...whole, none: 1 },
      status: 422,
      content: { code: 'read-only', pointer: '/none' },
    },
    'an object that holds what is writable is not writable itself: 422': {
      ...refused,
      options: { writable: ['/size/width'] },
      body: { ...resource, size: null },
      status: 422,
      content: { code: 'read-only', pointer: '/size' },
    },
    'a new member: 422': {
      ...refused,
      options: { writable: ['/title'] },
      body: { ...whole, more: 1 },
      status: 422,
      content: { code: 'read-only', pointer: '/more' },
    },
  },

  'hidden: neither seen nor reached by PUT': {
    'it stays': {
      ...row,
      options: { hidden: ['/none', '/size/width'] },
      body: { size: {} },
      after: { size: { width: 3 }, none: null },
    },
    'sent: 422, whatever is stored': {
      ...refused,
      options: { hidden: ['/none'] },
      status: 422,
      content: { code: 'hidden-member', pointer: '/none' },
    },
    'an object above one left out: 422': {
      ...refused,
      options: { hidden: ['/size/width'] },
      body: bread,
      status: 422,
      content: { code: 'hidden-member', pointer: '/size' },
    },
    'one that is absent stays absent': {
      ...row,
      options: { hidden: ['/pin'] },
    },
  },

  'the rules of PUT': {
    'validate sees the whole of it': {
      ...refused,
      options: {
        hidden: ['/none'],
        validate: (next) => [{ detail: Object.keys(Object(next) as object).join() }],
      },
      body: bread,
      status: 422,
      content: { code: 'invalid-result', errors: [{ detail: 'id,title,none' }] },
    },
    'authorize is told what differs': {
      ...refused,
      options: { authorize: (_req, { changed }) => changed.join() !== '/title' },
      status: 403,
      content: { code: 'forbidden' },
    },
    'may is asked first, and told the method': {
      ...refused,
      options: { may: (req) => req.method !== 'PUT' },
      headers: { 'If-Match': '"other"' },
      status: 403,
      content: { code: 'forbidden' },
    },
  },

  'a PATCH that changes nothing': {
    'makes a new state': { body: {}, status: 204, after: resource, answers: { ETag: NEW } },
  },
};
