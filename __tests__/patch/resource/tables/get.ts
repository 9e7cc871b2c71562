import { PRESENT, resource, type PatchTable } from '../../../support/patch-table';

const row = { method: 'GET', status: 200, content: resource } as const;
const past = 'Thu, 01 Jan 1970 00:00:00 GMT';
const future = 'Fri, 31 Dec 2199 23:59:59 GMT';
const hidden = { hidden: ['/size/width', '/none'] };

/** What a GET or HEAD gets. */
export const gets: Readonly<Record<string, PatchTable>> = {
  'RFC 9110 9.3.1 and 9.3.2: GET and HEAD': {
    'the representation, with the validators of the state': {
      ...row,
      answers: {
        ETag: PRESENT,
        'Content-Type': 'application/json; charset=utf-8',
        'Cache-Control': undefined,
      },
    },
    'HEAD is GET without the content': {
      ...row,
      method: 'HEAD',
      content: undefined,
      answers: {
        ETag: PRESENT,
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': String(JSON.stringify(resource).length),
      },
    },
    'a range is not offered: the whole of it, RFC 9110 14.2': {
      ...row,
      headers: { Range: 'bytes=0-3' },
      answers: { 'Content-Range': undefined },
    },
    'without the hidden members': {
      ...row,
      options: hidden,
      content: { id: '7', title: 'Buy milk', tags: ['home', 'shop'], size: { unit: 'cm' } },
    },
    'what represent makes of it, without what is hidden': {
      ...row,
      options: { ...hidden, represent: (value) => [value] },
      content: [{ id: '7', title: 'Buy milk', tags: ['home', 'shop'], size: { unit: 'cm' } }],
    },
    'nothing there: 404': { ...row, stored: null, status: 404, content: { code: 'target-not-found' } },
    'no key: 404': {
      ...row,
      options: { key: () => undefined },
      status: 404,
      content: { code: 'target-not-found' },
    },
    'nothing is required of a request that is safe, RFC 6585 3': {
      ...row,
      options: { precondition: 'required', idempotency: 'required' },
    },
  },

  'RFC 9110 13.2: the preconditions of GET and HEAD': {
    'If-None-Match with the tag: 304': {
      ...row,
      headers: { 'If-None-Match': PRESENT },
      status: 304,
      content: undefined,
      answers: { ETag: PRESENT, 'Content-Type': undefined },
    },
    'If-None-Match with the tag made weak by a proxy: 304, 13.1.2': {
      ...row,
      headers: { 'If-None-Match': `W/${PRESENT}` },
      status: 304,
      content: undefined,
    },
    'Cache-Control: no-cache, as fetch adds it: 304 all the same': {
      ...row,
      headers: { 'If-None-Match': PRESENT, 'Cache-Control': 'no-cache' },
      status: 304,
      content: undefined,
    },
    'If-None-Match with another tag: 200': { ...row, headers: { 'If-None-Match': '"other"' } },
    'If-Modified-Since in the past: 200': { ...row, headers: { 'If-Modified-Since': past } },
    'If-Modified-Since and not modified: 304': {
      ...row,
      headers: { 'If-Modified-Since': future },
      status: 304,
      content: undefined,
    },
    'If-Match with another tag: 412': {
      ...row,
      headers: { 'If-Match': '"other"' },
      status: 412,
      answers: { ETag: PRESENT, 'Cache-Control': undefined },
      content: { code: 'precondition-failed' },
    },
    'of HEAD: 304': {
      ...row,
      method: 'HEAD',
      headers: { 'If-None-Match': PRESENT },
      status: 304,
      content: undefined,
    },
    'nothing there: 404 before 412, 13.2.1': {
      ...row,
      stored: null,
      headers: { 'If-Match': '*' },
      status: 404,
      content: { code: 'target-not-found' },
    },
  },

  'may is asked of GET before anything is told': {
    'no: 403': { ...row, options: { may: () => false }, status: 403, content: { code: 'forbidden' } },
    'no, and nothing is there: 403': {
      ...row,
      stored: null,
      options: { may: () => false },
      status: 403,
      content: { code: 'forbidden' },
    },
    'no, and the tag is known: 403': {
      ...row,
      headers: { 'If-None-Match': PRESENT },
      options: { may: () => false },
      status: 403,
      content: { code: 'forbidden' },
    },
    'yes, by method': { ...row, options: { may: (req) => req.method === 'GET' } },
  },
};
