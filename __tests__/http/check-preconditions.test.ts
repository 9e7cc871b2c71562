import { IncomingMessage, type IncomingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import {
  checkPreconditions,
  type PreconditionOptions,
  type Versioned,
} from '../../lib/http/check-preconditions';
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

describe('RFC 9110 13: the first step of a host’s own handler', () => {
  test.each([
    ['PUT', {}, stored, {}, undefined],
    ['PUT', { 'if-match': tag }, stored, {}, undefined],
    ['PUT', { 'if-match': '"x"' }, stored, {}, [412, 'precondition-failed', tag]],
    ['PUT', { 'if-match': `W/${tag}` }, stored, {}, [412, 'precondition-failed', tag]],
    ['PUT', { 'if-match': `W/${tag}` }, stored, { weakMatch: true }, undefined],
    ['PUT', { 'if-match': '"mine"' }, stored, { entityTag: () => '"mine"' }, undefined],
    ['PUT', { 'if-match': 'v1' }, stored, {}, [400, 'precondition-malformed', undefined]],
    ['PUT', { 'if-none-match': '*' }, stored, {}, [412, 'precondition-failed', tag]],
    ['PUT', { 'if-none-match': '*' }, undefined, {}, undefined],
    ['PUT', { 'if-match': '*' }, undefined, {}, [412, 'precondition-failed', undefined]],
    ['PUT', {}, stored, required, [428, 'precondition-required', undefined]],
    ['PUT', { 'if-match': tag }, stored, required, undefined],
    ['PUT', { 'if-none-match': '*' }, undefined, required, undefined],
    ['DELETE', { 'if-unmodified-since': 'Sat, 21 Nov 2026 10:00:00 GMT' }, stored, {}, undefined],
    [
      'DELETE',
      { 'if-unmodified-since': 'Sat, 21 Nov 2026 10:00:00 GMT' },
      stored,
      required,
      [428, 'precondition-required', undefined],
    ],
    ['DELETE', { 'if-modified-since': 'Sat, 21 Nov 2026 10:00:00 GMT' }, stored, {}, undefined],
    ['GET', {}, stored, required, undefined],
    ['GET', { 'if-none-match': tag }, stored, {}, [304, 'not-modified', tag]],
    ['HEAD', { 'if-none-match': `W/${tag}` }, stored, {}, [304, 'not-modified', tag]],
    ['GET', { 'if-none-match': '"x"' }, stored, {}, undefined],
    ['GET', { 'if-modified-since': 'Sat, 21 Nov 2026 10:00:00 GMT' }, stored, {}, [304, 'not-modified', tag]],
    ['GET', { 'if-none-match': 'v1' }, stored, {}, undefined],
    ['PUT', { 'if-none-match': 'v1' }, stored, {}, [400, 'precondition-malformed', undefined]],
    ['GET', { 'if-match': '"x"' }, stored, {}, [412, 'precondition-failed', tag]],
  ])('%s %j of %j with %j → %j', (method, headers, state, options, expected) => {
    expect(check(method, headers, state, options)).toEqual(expected);
  });

  test('428 is not to be stored, RFC 6585 3', () => {
    const req = new IncomingMessage(new Socket());
    req.method = 'PUT';
    expect(checkPreconditions(req, stored, required)?.headers).toEqual({ 'Cache-Control': 'no-store' });
  });
});
