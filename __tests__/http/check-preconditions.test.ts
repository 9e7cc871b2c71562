import { IncomingMessage, type IncomingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import { checkPreconditions, type PreconditionOptions, type Versioned } from '../../lib/http/preconditions';
import { entityTag } from '../../lib/http/entity-tag';

const stored: Versioned = { version: 'v1', modified: new Date('2026-11-21T10:00:00Z') };
const tag = entityTag(stored);
const required: PreconditionOptions<Versioned> = { precondition: 'required' };

function check(method: string, headers: IncomingHttpHeaders, state: Versioned | undefined, options = {}) {
  const req = new IncomingMessage(new Socket());
  req.method = method;
  req.headers = headers;
  const problem = checkPreconditions(req, state, options);
  return problem && [problem.status, problem.code, problem.headers.ETag];
}

describe('RFC 9110 13: the first step of your app’s own handler', () => {
  test.each<{
    readonly title: string;
    readonly method?: string;
    readonly headers: IncomingHttpHeaders;
    /** null: nothing is stored. */
    readonly state?: null;
    readonly options?: PreconditionOptions<Versioned>;
    readonly expected?: readonly unknown[];
  }>([
    { title: 'no precondition where none is required: the write goes on', headers: {} },
    { title: 'If-Match that names the present tag', headers: { 'if-match': tag } },
    {
      title: 'If-Match that names another tag: 412 with the present one, 13.1.1',
      headers: { 'if-match': '"x"' },
      expected: [412, 'precondition-failed', tag],
    },
    {
      title: 'If-Match with the tag made weak: 412, for the comparison is strong, 13.1.1',
      headers: { 'if-match': `W/${tag}` },
      expected: [412, 'precondition-failed', tag],
    },
    {
      title: 'If-Match against the tag that your own entityTag makes',
      headers: { 'if-match': '"mine"' },
      options: { entityTag: () => '"mine"' },
    },
    {
      title: 'If-Match that is no list of tags: 400',
      headers: { 'if-match': 'v1' },
      expected: [400, 'precondition-malformed', undefined],
    },
    {
      title: 'If-None-Match: * on what is there: 412, 13.1.2',
      headers: { 'if-none-match': '*' },
      expected: [412, 'precondition-failed', tag],
    },
    {
      title: 'If-None-Match: * where nothing is: the write may create',
      headers: { 'if-none-match': '*' },
      state: null,
    },
    {
      title: 'If-Match: * where nothing is: 412 without a tag, 13.1.1',
      headers: { 'if-match': '*' },
      state: null,
      expected: [412, 'precondition-failed', undefined],
    },
    {
      title: 'no precondition where one is required: 428, RFC 6585 3',
      headers: {},
      options: required,
      expected: [428, 'precondition-required', undefined],
    },
    { title: 'If-Match where a precondition is required', headers: { 'if-match': tag }, options: required },
    {
      title: 'If-None-Match: * where a precondition is required and nothing is there',
      headers: { 'if-none-match': '*' },
      state: null,
      options: required,
    },
    {
      title: 'If-Unmodified-Since that holds, 13.1.4',
      method: 'DELETE',
      headers: { 'if-unmodified-since': 'Sat, 21 Nov 2026 10:00:00 GMT' },
    },
    {
      title: 'If-Unmodified-Since where a precondition is required: 428, for its clock has whole seconds',
      method: 'DELETE',
      headers: { 'if-unmodified-since': 'Sat, 21 Nov 2026 10:00:00 GMT' },
      options: required,
      expected: [428, 'precondition-required', undefined],
    },
    {
      title: 'If-Modified-Since is ignored but in GET, HEAD and QUERY, 13.1.3',
      method: 'DELETE',
      headers: { 'if-modified-since': 'Sat, 21 Nov 2026 10:00:00 GMT' },
    },
    {
      title: 'GET needs no precondition, whatever is required',
      method: 'GET',
      headers: {},
      options: required,
    },
    {
      title: 'GET with If-None-Match that names the present tag: 304, 13.1.2',
      method: 'GET',
      headers: { 'if-none-match': tag },
      expected: [304, 'not-modified', tag],
    },
    {
      title: 'HEAD with If-None-Match and the tag made weak: 304, for the comparison is weak, 13.1.2',
      method: 'HEAD',
      headers: { 'if-none-match': `W/${tag}` },
      expected: [304, 'not-modified', tag],
    },
    {
      title: 'GET with If-None-Match that names another tag',
      method: 'GET',
      headers: { 'if-none-match': '"x"' },
    },
    {
      title: 'GET with If-Modified-Since of the last change: 304, 13.1.3',
      method: 'GET',
      headers: { 'if-modified-since': 'Sat, 21 Nov 2026 10:00:00 GMT' },
      expected: [304, 'not-modified', tag],
    },
    {
      title: 'GET with If-None-Match that is no list of tags is answered in full',
      method: 'GET',
      headers: { 'if-none-match': 'v1' },
    },
    {
      title: 'and so it is with If-Modified-Since of the last change, which is ignored beside it, 13.1.3',
      method: 'GET',
      headers: { 'if-none-match': 'v1', 'if-modified-since': 'Sat, 21 Nov 2026 10:00:00 GMT' },
    },
    {
      title: 'If-Match that is empty: 412, for no tag of the list matches, 13.1.1',
      headers: { 'if-match': '' },
      expected: [412, 'precondition-failed', tag],
    },
    {
      title: 'If-None-Match that is empty: the write goes on, for no tag of the list matches, 13.1.2',
      headers: { 'if-none-match': ',' },
    },
    {
      title: 'If-None-Match that is empty where a precondition is required: 428',
      headers: { 'if-none-match': '' },
      options: required,
      expected: [428, 'precondition-required', undefined],
    },
    {
      title: 'If-Match: * beside tags: 400, 13.1.1',
      headers: { 'if-match': `*, ${tag}` },
      expected: [400, 'precondition-malformed', undefined],
    },
    {
      title: 'PUT with If-None-Match that is no list of tags: 400',
      headers: { 'if-none-match': 'v1' },
      expected: [400, 'precondition-malformed', undefined],
    },
    {
      title: 'QUERY with If-None-Match that names the present tag: 304, RFC 10008 2.6',
      method: 'QUERY',
      headers: { 'if-none-match': tag },
      expected: [304, 'not-modified', tag],
    },
    {
      title: 'QUERY needs no precondition, whatever is required',
      method: 'QUERY',
      headers: {},
      options: required,
    },
    {
      title: 'GET with If-Match that names another tag: 412',
      method: 'GET',
      headers: { 'if-match': '"x"' },
      expected: [412, 'precondition-failed', tag],
    },
  ])('$title', ({ method = 'PUT', headers, state = stored, options, expected }) => {
    expect(check(method, headers, state ?? undefined, options)).toEqual(expected);
  });

  test.each<{ headers: IncomingHttpHeaders; state?: Versioned; said: string }>([
    { headers: { 'if-match': ',' }, state: stored, said: 'If-Match failed: it contains no entity tag' },
    { headers: { 'if-match': ',' }, said: 'If-Match failed: the resource does not exist' },
    { headers: { 'if-match': 'v1' }, said: 'If-Match must be * or a list of entity tags' },
    { headers: { 'if-none-match': 'v1' }, said: 'If-None-Match must be * or a list of entity tags' },
    { headers: { 'if-none-match': '*' }, state: stored, said: 'If-None-Match failed: the resource exists' },
    { headers: {}, state: stored, said: 'Writes to this resource need a precondition' },
    { headers: {}, said: 'The resource does not exist, and writes to it need a precondition' },
  ])(
    'what the client is told of $headers, where the resource is $state: $said',
    ({ headers, state, said }) => {
      const req = Object.assign(new IncomingMessage(new Socket()), { method: 'PUT', headers });
      expect(checkPreconditions(req, state, required)?.message).toContain(said);
    },
  );

  test.each(['v1', '"a" ', 'x"a"', '', undefined, 1, ['"a"']])(
    'an option entityTag that returns %j is a mistake of your app',
    (returned) => {
      expect(() => check('PUT', {}, stored, { entityTag: () => returned })).toThrow(
        /^The option entityTag returned .*, which is not an entity tag\./,
      );
    },
  );

  test.each<{ title: string; state: object; options: object; said: string }>([
    {
      title: 'entityTag throws what is no error',
      state: stored,
      options: {
        entityTag: () => {
          throw undefined;
        },
      },
      said: 'Your app threw undefined, which cannot be passed to next()',
    },
    {
      title: 'what is stored has a date that is none',
      state: { version: 'v1', modified: 'yesterday' },
      options: {},
      said: 'getTime is not a function',
    },
  ])('$title: that is thrown, and no answer', ({ state, options, said }) => {
    const headers = { 'if-unmodified-since': 'Sat, 21 Nov 2026 10:00:00 GMT' };
    expect(() => check('PUT', headers, state as Versioned, options)).toThrow(said);
  });

  test('428 is not to be stored, RFC 6585 3', () => {
    const req = new IncomingMessage(new Socket());
    req.method = 'PUT';
    expect(checkPreconditions(req, stored, required)?.headers).toEqual({ 'Cache-Control': 'no-store' });
  });
});
