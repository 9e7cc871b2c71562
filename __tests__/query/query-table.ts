import { ProblemError } from '../../lib/http/problem';
import { jsonQuery, type QueryFormat } from '../../lib/query/query-format';
import type { QueryHandlerOptions } from '../../lib/query/query-options';

/** What is looked for, and in what. */
export interface ByTag {
  readonly tag: string;
}
export interface Note {
  readonly title: string;
  readonly tags: readonly string[];
}

const notes: readonly Note[] = [
  { title: 'Buy milk', tags: ['shop'] },
  { title: 'Buy nails', tags: ['shop', 'home'] },
];

export function run({ tag }: ByTag): readonly Note[] {
  if (tag === 'unknown') throw new ProblemError(422, 'unknown-tag', 'There is no such tag.');
  if (tag === 'broken') throw new Error('The index is broken.');
  return notes.filter(({ tags }) => tags.includes(tag));
}

/** Of RFC 10008, appendix A. */
export const formQuery: QueryFormat<ByTag> = {
  mediaType: 'application/x-www-form-urlencoded',
  parse: (content) => ({ tag: new URLSearchParams(content.toString()).get('tag') ?? '' }),
};

const schema = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value: unknown) =>
      typeof value === 'object' && value !== null && 'tag' in value && typeof value.tag === 'string'
        ? { value: { tag: value.tag.trim() } }
        : { issues: [{ message: 'A tag is a string.', path: ['tag'] }] },
  },
} as const;

export const formats = [jsonQuery<ByTag>({ schema }), formQuery];

/** In a row's headers and answers: the entity tag of the result that a row without conditions gets. */
export const PRESENT = '<present>';

export interface QueryRow {
  readonly type?: string | null;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly options?: QueryHandlerOptions<ByTag, readonly Note[]>;
  readonly status: number;
  readonly answers?: Readonly<Record<string, string | null>>;
  readonly content?: unknown;
}

const form = 'application/x-www-form-urlencoded';
const acceptQuery = 'application/json, application/x-www-form-urlencoded';
const shop = [notes[0], notes[1]];
const csv = (found: readonly Note[]) => found.map(({ title }) => title).join('\n');
const both = { 'application/json': (found: readonly Note[]) => JSON.stringify(found), 'text/csv': csv };

/** Clause by clause of RFC 10008. */
export const queryTable: Readonly<Record<string, Readonly<Record<string, QueryRow>>>> = {
  '2: the content and its media type are the query': {
    'in JSON': {
      status: 200,
      content: shop,
      answers: { 'content-type': 'application/json; charset=utf-8', etag: PRESENT, 'cache-control': null },
    },
    'in another format': { type: form, body: 'tag=home', status: 200, content: [notes[1]] },
    'parameters do not matter': { type: 'application/json; charset=UTF-8', status: 200, content: shop },
    'no result is a result': { body: '{"tag":"none"}', status: 200, content: [] },
  },

  '2.1: what is refused, and how': {
    'without a Content-Type: 400, and none is assumed': {
      type: null,
      status: 400,
      content: { code: 'content-type-missing' },
      answers: { 'accept-query': acceptQuery },
    },
    'a media type that is not supported: 415 with Accept-Query': {
      type: 'application/sql',
      status: 415,
      content: { code: 'unsupported-media-type' },
      answers: { 'accept-query': acceptQuery, 'accept-patch': null },
    },
    'another charset: 415': {
      type: 'application/json; charset=latin1',
      status: 415,
      content: { code: 'unsupported-charset' },
      answers: { 'accept-query': acceptQuery },
    },
    'a content coding: 415 with Accept-Encoding, RFC 9110 12.5.3': {
      headers: { 'Content-Encoding': 'zstd' },
      status: 415,
      content: { code: 'unsupported-content-coding' },
      answers: { 'accept-encoding': 'identity' },
    },
    'content that is not of its media type: 400': {
      body: 'tag=shop',
      status: 400,
      content: { code: 'query-malformed' },
    },
    'no content: 400': { body: '', status: 400, content: { code: 'query-malformed' } },
    'a member twice: 400': {
      body: '{"tag":"a","tag":"b"}',
      status: 400,
      content: { code: 'query-malformed' },
    },
    'JSON that is no query of this kind: 422 with pointers': {
      body: '{"tag":1}',
      status: 422,
      content: { code: 'invalid-query', errors: [{ detail: 'A tag is a string.', pointer: '/tag' }] },
    },
    'a query that cannot be answered: 422, as run says': {
      body: '{"tag":"unknown"}',
      status: 422,
      content: { code: 'unknown-tag' },
    },
    'no acceptable result: 406': {
      headers: { Accept: 'text/html' },
      status: 406,
      content: { code: 'not-acceptable' },
    },
    'the charset that the result has is acceptable': {
      headers: { Accept: 'application/json; charset=UTF-8' },
      status: 200,
      content: shop,
      answers: { 'content-type': 'application/json; charset=utf-8' },
    },
    'another one is not': {
      headers: { Accept: 'application/json; charset=latin1' },
      status: 406,
      content: { code: 'not-acceptable' },
    },
    'over limits.bytes: 413': {
      options: { limits: { bytes: 3 } },
      status: 413,
      content: { code: 'limit-bytes' },
    },
    'over limits.depth: 413': {
      body: '{"tag":[[]]}',
      options: { limits: { depth: 2 } },
      status: 413,
      content: { code: 'limit-depth' },
    },
  },

  'RFC 9110 12.5.1: the result in another media type': {
    'the first without Accept': {
      options: { results: both },
      status: 200,
      content: shop,
      answers: { vary: 'Accept' },
    },
    'the one that Accept prefers': {
      headers: { Accept: 'application/json;q=0.5, text/*' },
      options: { results: both },
      status: 200,
      content: 'Buy milk\nBuy nails',
      answers: { 'content-type': 'text/csv; charset=utf-8', vary: 'Accept' },
    },
    'none that Accept allows: 406, which another Accept would not get': {
      headers: { Accept: 'application/json;q=0, text/html' },
      options: { results: both },
      status: 406,
      content: { code: 'not-acceptable' },
      answers: { vary: 'Accept' },
    },
    'the first is excluded by q=0, however little the second is wanted': {
      headers: { Accept: 'application/json;q=0, */*;q=0.001' },
      options: { results: both },
      status: 200,
      content: 'Buy milk\nBuy nails',
    },
    'the same content in two media types has two tags, 8.8.1': {
      headers: { Accept: 'application/ld+json', 'If-None-Match': PRESENT },
      options: { results: { 'application/json': JSON.stringify, 'application/ld+json': JSON.stringify } },
      status: 200,
      content: shop,
      answers: { 'content-type': 'application/ld+json; charset=utf-8' },
    },
    'a media type that your app writes in upper case': {
      options: { results: { 'Text/CSV': csv } },
      status: 200,
      content: 'Buy milk\nBuy nails',
      answers: { 'content-type': 'text/csv; charset=utf-8' },
    },
    bytes: {
      options: { results: { 'application/octet-stream': () => new Uint8Array([0x62, 0x79]) } },
      status: 200,
      content: 'by',
      answers: { 'content-type': 'application/octet-stream', vary: null },
    },
  },

  '2.2 to 2.4: the result and the query as resources': {
    'Content-Location and Location': {
      options: {
        contentLocation: (_query, found) => `/results/${found.length}`,
        location: ({ tag }) => `/notes?tag=${tag}`,
      },
      status: 200,
      answers: { 'content-location': '/results/2', location: '/notes?tag=shop' },
    },
    'none of them where the functions give none': {
      options: { contentLocation: () => undefined, location: () => undefined },
      status: 200,
      answers: { 'content-location': null, location: null },
    },
    'a location in the characters that a field may have': {
      options: { location: () => '/ä\nb' },
      status: 200,
      answers: { location: '/%C3%A4%0Ab' },
    },
  },

  '2.6: conditional requests, as of GET': {
    'If-None-Match with the tag of the result: 304': {
      headers: { 'If-None-Match': PRESENT },
      options: { cacheControl: 'no-cache' },
      status: 304,
      answers: { etag: PRESENT, 'cache-control': 'no-cache', 'content-type': null },
    },
    'the same query in other words has the same result': {
      type: form,
      body: 'tag=shop',
      headers: { 'If-None-Match': PRESENT },
      status: 304,
    },
    'If-None-Match with another tag: 200': {
      headers: { 'If-None-Match': '"other"' },
      status: 200,
      content: shop,
    },
    'If-Match with another tag: 412': {
      headers: { 'If-Match': '"other"' },
      status: 412,
      content: { code: 'precondition-failed' },
    },
  },

  '2.7: caching': {
    'Cache-Control by option': {
      options: { cacheControl: 'max-age=60' },
      status: 200,
      answers: { 'cache-control': 'max-age=60' },
    },
  },

  '2.8: ranges are not offered': {
    'Range is ignored, RFC 9110 14.2': { headers: { Range: 'bytes=0-1' }, status: 200, content: shop },
  },
};
