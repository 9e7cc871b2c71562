import { parseHttpDate } from '../../lib/http/http-date';
import { firstFalsePrecondition, readPreconditions } from '../../lib/http/preconditions';

const tag = '"now"';
const modified = new Date('2026-11-21T10:00:00.900Z');
const before = 'Sat, 21 Nov 2026 09:59:59 GMT';
const same = 'Sat, 21 Nov 2026 10:00:00 GMT';
const current = { tag, modified };

describe('RFC 9110 13.2.2: which precondition is false', () => {
  test.each([
    ['none', {}, current, undefined],
    ['If-Match with the tag', { 'if-match': tag }, current, undefined],
    ['If-Match with the tag among others', { 'if-match': '"x", "now"' }, current, undefined],
    ['If-Match with another tag', { 'if-match': '"x"' }, current, 'If-Match'],
    ['If-Match with the tag made weak', { 'if-match': 'W/"now"' }, current, 'If-Match'],
    ['If-Match: *', { 'if-match': '*' }, current, undefined],
    ['If-Match: * and no representation', { 'if-match': '*' }, undefined, 'If-Match'],
    ['If-Match and no representation', { 'if-match': tag }, undefined, 'If-Match'],
    ['If-Unmodified-Since with its date', { 'if-unmodified-since': same }, current, undefined],
    [
      'If-Unmodified-Since with an earlier date',
      { 'if-unmodified-since': before },
      current,
      'If-Unmodified-Since',
    ],
    ['If-Unmodified-Since that is no date', { 'if-unmodified-since': 'yesterday' }, current, undefined],
    ['If-Unmodified-Since and no date known', { 'if-unmodified-since': before }, { tag }, undefined],
    [
      'If-Unmodified-Since beside If-Match',
      { 'if-match': tag, 'if-unmodified-since': before },
      current,
      undefined,
    ],
    ['If-None-Match: *', { 'if-none-match': '*' }, current, 'If-None-Match'],
    ['If-None-Match: * and no representation', { 'if-none-match': '*' }, undefined, undefined],
    ['If-None-Match with the tag made weak', { 'if-none-match': 'W/"now"' }, current, 'If-None-Match'],
    ['If-None-Match with another tag', { 'if-none-match': '"x"' }, current, undefined],
    ['If-Modified-Since with its date', { 'if-modified-since': same }, current, 'If-Modified-Since'],
    ['If-Modified-Since and no date known', { 'if-modified-since': same }, { tag }, undefined],
    ['If-Modified-Since with an earlier date', { 'if-modified-since': before }, current, undefined],
    [
      'If-Modified-Since beside If-None-Match',
      { 'if-none-match': '"x"', 'if-modified-since': same },
      current,
      undefined,
    ],
    ['If-Match false, If-None-Match false', { 'if-match': '"x"', 'if-none-match': tag }, current, 'If-Match'],
    [
      'If-Match true, If-None-Match false',
      { 'if-match': tag, 'if-none-match': tag },
      current,
      'If-None-Match',
    ],
  ])('%s', (_title, headers, state, expected) => {
    expect(firstFalsePrecondition(readPreconditions(headers, true), state)).toBe(expected);
  });

  test('RFC 9110 13.1.3: If-Modified-Since counts where the method is safe alone', () => {
    const headers = { 'if-modified-since': same };
    expect(firstFalsePrecondition(readPreconditions(headers), current)).toBeUndefined();
  });

  test('weak comparison of If-Match, where asked for', () => {
    expect(
      firstFalsePrecondition(readPreconditions({ 'if-match': 'W/"now"' }), current, true),
    ).toBeUndefined();
    expect(firstFalsePrecondition(readPreconditions({ 'if-match': 'W/"x"' }), current, true)).toBe(
      'If-Match',
    );
  });

  test.each(['if-match', 'if-none-match'])('%s that is no list of tags is told', (name) => {
    expect(() => readPreconditions({ [name]: 'now' })).toThrow(
      expect.objectContaining({ status: 400, code: 'precondition-malformed' }),
    );
  });
});

describe('RFC 9110 5.6.7: HTTP-date', () => {
  const time = Date.UTC(1994, 10, 6, 8, 49, 37);
  test.each([
    ['Sun, 06 Nov 1994 08:49:37 GMT', time],
    ['Sunday, 06-Nov-94 08:49:37 GMT', time],
    ['Sun Nov  6 08:49:37 1994', time],
    ['1994-11-06T08:49:37Z', undefined],
    ['Sun, 06 Nov 1994 08:49:37 +0100', undefined],
    ['Sun, 06 Foo 1994 08:49:37 GMT', undefined],
    ['Sun, 06 Nov 1994 25:49:37 GMT', undefined],
    ['0', undefined],
    ['', undefined],
  ])('%j', (text, expected) => {
    expect(parseHttpDate(text)).toBe(expected);
  });
});
