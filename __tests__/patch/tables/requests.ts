import { deflateSync, gzipSync } from 'node:zlib';
import { jsonPatch } from '../../../lib/patch/formats/json-patch';
import { mergePatch } from '../../../lib/patch/formats/merge-patch';
import { resource, type PatchTable } from '../../support/patch-table';

const bread = { ...resource, title: 'Buy bread' };
const json = 'application/json-patch+json';
const both = 'application/json-patch+json, application/merge-patch+json';
const document = JSON.stringify({ title: 'Buy bread' });

/** How the patch document arrives: its type, its coding, and who has read it. */
export const requests: Readonly<Record<string, PatchTable>> = {
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
    'charset=utf8, as some write it': {
      type: 'application/merge-patch+json;charset=utf8',
      status: 204,
      after: bread,
    },
    'a charset whose name has utf-8 in it: 415': {
      type: 'application/merge-patch+json;charset=utf-8-mac',
      status: 415,
      content: { code: 'unsupported-charset' },
    },
    'a charset whose name ends like ASCII: 415': {
      type: 'application/merge-patch+json;charset=x-us-ascii',
      status: 415,
      content: { code: 'unsupported-charset' },
    },
    'a semicolon with nothing behind it, RFC 9110 5.6.6': {
      type: 'application/merge-patch+json;',
      status: 204,
      after: bread,
    },
    'empty parameters, RFC 9110 5.6.6': {
      type: 'application/merge-patch+json; ;charset=utf-8;',
      status: 204,
      after: bread,
    },
    'another charset behind an empty parameter: 415': {
      type: 'application/merge-patch+json;;charset=iso-8859-1',
      status: 415,
      content: { code: 'unsupported-charset' },
    },
    'a list of media types: 415, RFC 9110 8.3': {
      type: 'application/merge-patch+json, application/merge-patch+json',
      status: 415,
      content: { code: 'unsupported-media-type' },
    },
    'another charset: 415': {
      type: 'application/merge-patch+json; charset=iso-8859-1',
      status: 415,
      answers: { 'Accept-Patch': both },
      content: { code: 'unsupported-charset' },
    },
    'mergePatch({ json: true }) serves clients that send plain JSON': {
      parsers: [mergePatch({ json: true })],
      type: 'application/json; charset=utf-8',
      status: 204,
      after: bread,
    },
    'mergePatch({ json: true }) serves clients that send a merge patch': {
      parsers: [mergePatch({ json: true })],
      type: 'application/merge-patch+json',
      status: 204,
      after: bread,
    },
    'mergePatch({ mediaType }) serves a media type of the app': {
      parsers: [mergePatch({ mediaType: 'application/vnd.own+json' })],
      type: 'application/vnd.own+json',
      status: 204,
      after: bread,
    },
    'Accept-Patch lists each format once, in the order of the parsers': {
      parsers: [mergePatch({ json: true }), jsonPatch()],
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

  'RFC 9110 8.4 and RFC 7694: no content coding of the patch document': {
    ...Object.fromEntries(
      ['gzip', 'GZIP', 'deflate', 'br', 'zstd', 'gzip, br', ', gzip,', 'gzip, identity', 'constructor'].map(
        (coding) => [
          `${coding}: 415 with Accept-Encoding, and not Accept-Patch`,
          {
            headers: { 'Content-Encoding': coding },
            body: gzipSync(document),
            status: 415,
            answers: { 'Accept-Encoding': 'identity', 'Accept-Patch': undefined },
            content: {
              code: 'unsupported-content-coding',
              detail: expect.stringContaining(JSON.stringify(coding)),
            },
          },
        ],
      ),
    ),
    identity: { headers: { 'Content-Encoding': 'identity' }, status: 204, after: bread },
    'identity, and an empty element, 5.6.1.2': {
      headers: { 'Content-Encoding': 'identity,' },
      status: 204,
      after: bread,
    },
    'an empty list, 5.6.1.2': { headers: { 'Content-Encoding': '' }, status: 204, after: bread },
    '415 goes before 413': {
      headers: { 'Content-Encoding': 'gzip' },
      options: { limits: { bytes: 1 } },
      status: 415,
    },
    '415 goes before 404': { headers: { 'Content-Encoding': 'gzip' }, stored: null, status: 415 },
    '415 goes before 400 of an empty body': {
      headers: { 'Content-Encoding': 'gzip' },
      body: '',
      status: 415,
    },
  },

  'A body that your app’s own parser has read': {
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
    'express.raw() has undone the coding, and left Content-Encoding as it was': {
      behind: (express) => express.raw({ type: () => true }),
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync(document),
      status: 204,
      after: bread,
    },
    'so has express.json()': {
      behind: (express) => express.json({ type: () => true }),
      headers: { 'Content-Encoding': 'deflate' },
      body: deflateSync(document),
      status: 204,
      after: bread,
    },
    'express.json() for other types has not: 415': {
      behind: (express) => express.json(),
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync(document),
      status: 415,
      content: { code: 'unsupported-content-coding' },
    },
    'express.json() made {} of an empty body in a coding: 400': {
      behind: (express) => express.json({ type: () => true }),
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync(''),
      status: 400,
      content: { code: 'patch-malformed' },
    },
    'limits.bytes holds for what has been decoded: 413': {
      behind: (express) => express.raw({ type: () => true }),
      options: { limits: { bytes: 20 } },
      headers: { 'Content-Encoding': 'gzip' },
      body: gzipSync(document),
      status: 413,
      content: { code: 'limit-bytes' },
    },
    'express.json() made {} of an empty body: 400 all the same': {
      behind: (express) => express.json({ type: () => true }),
      body: '',
      status: 400,
      content: { code: 'patch-malformed' },
    },
    'a parser that made null of an empty body: 400 all the same': {
      behind: () => (req, _res, next) => {
        req.resume().once('end', () => {
          req.body = null;
          next();
        });
      },
      body: '',
      status: 400,
      content: { code: 'patch-malformed' },
    },
    'express.json({ strict: false }) and null of a length that is told': {
      behind: (express) => express.json({ type: () => true, strict: false }),
      parsers: [mergePatch({ allowRootReplacement: true })],
      body: 'null',
      status: 204,
      after: null,
    },
    'express.json() and {} of a length that is told, with Content-Encoding: identity': {
      behind: (express) => express.json({ type: () => true }),
      headers: { 'Content-Encoding': 'identity' },
      body: '{}',
      status: 204,
    },
    'limits.depth holds there too: 413': {
      behind: (express) => express.json({ type: () => true }),
      options: { limits: { depth: 3 } },
      body: { a: { b: { c: { d: 1 } } } },
      status: 413,
      content: { code: 'limit-depth' },
    },
    'exactly limits.depth is no more': {
      behind: (express) => express.json({ type: () => true }),
      options: { limits: { depth: 2 } },
      body: { title: 'Buy bread', size: { width: 3 } },
      status: 204,
      after: bread,
    },
    'more levels than JSON.stringify has stack for: 413': {
      behind: (express) => express.json({ type: () => true }),
      body: `${'['.repeat(45_000)}${']'.repeat(45_000)}`,
      status: 413,
      content: { code: 'limit-depth' },
    },
    'limits.bytes holds for a parsed value: 413': {
      behind: (express) => express.json({ type: () => true }),
      options: { limits: { bytes: 20 } },
      status: 413,
      content: { code: 'limit-bytes' },
    },
    'limits.bytes holds there too: 413': {
      behind: (express) => express.raw({ type: () => true }),
      options: { limits: { bytes: 20 } },
      status: 413,
    },
  },
};
