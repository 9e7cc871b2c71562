import { firstFalsePrecondition, readPreconditions } from '../../lib/http/preconditions';

const tag = '"now"';
const modified = new Date('2026-11-21T10:00:00.900Z');
const before = 'Sat, 21 Nov 2026 09:59:59 GMT';
const same = 'Sat, 21 Nov 2026 10:00:00 GMT';
const current = { tag, modified };

describe('RFC 9110 13.2.2: which precondition is false', () => {
  test.each([
    { title: 'none', headers: {}, state: current, expected: undefined },
    { title: 'If-Match with the tag', headers: { 'if-match': tag }, state: current, expected: undefined },
    {
      title: 'If-Match with the tag among others',
      headers: { 'if-match': '"x", "now"' },
      state: current,
      expected: undefined,
    },
    {
      title: 'If-Match with another tag',
      headers: { 'if-match': '"x"' },
      state: current,
      expected: 'If-Match',
    },
    {
      title: 'If-Match with the tag made weak',
      headers: { 'if-match': 'W/"now"' },
      state: current,
      expected: 'If-Match',
    },
    { title: 'If-Match: *', headers: { 'if-match': '*' }, state: current, expected: undefined },
    {
      title: 'If-Match: * and no representation',
      headers: { 'if-match': '*' },
      state: undefined,
      expected: 'If-Match',
    },
    {
      title: 'If-Match and no representation',
      headers: { 'if-match': tag },
      state: undefined,
      expected: 'If-Match',
    },
    {
      title: 'If-Unmodified-Since with its date',
      headers: { 'if-unmodified-since': same },
      state: current,
      expected: undefined,
    },
    {
      title: 'If-Unmodified-Since with an earlier date',
      headers: { 'if-unmodified-since': before },
      state: current,
      expected: 'If-Unmodified-Since',
    },
    {
      title: 'If-Unmodified-Since that is no date',
      headers: { 'if-unmodified-since': 'yesterday' },
      state: current,
      expected: undefined,
    },
    {
      title: 'If-Unmodified-Since and no date known',
      headers: { 'if-unmodified-since': before },
      state: { tag },
      expected: undefined,
    },
    {
      title: 'If-Unmodified-Since beside If-Match',
      headers: { 'if-match': tag, 'if-unmodified-since': before },
      state: current,
      expected: undefined,
    },
    {
      title: 'If-None-Match: *',
      headers: { 'if-none-match': '*' },
      state: current,
      expected: 'If-None-Match',
    },
    {
      title: 'If-None-Match: * and no representation',
      headers: { 'if-none-match': '*' },
      state: undefined,
      expected: undefined,
    },
    {
      title: 'If-None-Match with the tag made weak',
      headers: { 'if-none-match': 'W/"now"' },
      state: current,
      expected: 'If-None-Match',
    },
    {
      title: 'If-None-Match with another tag',
      headers: { 'if-none-match': '"x"' },
      state: current,
      expected: undefined,
    },
    {
      title: 'If-Modified-Since with its date',
      headers: { 'if-modified-since': same },
      state: current,
      expected: 'If-Modified-Since',
    },
    {
      title: 'If-Modified-Since and no date known',
      headers: { 'if-modified-since': same },
      state: { tag },
      expected: undefined,
    },
    {
      title: 'If-Modified-Since with an earlier date',
      headers: { 'if-modified-since': before },
      state: current,
      expected: undefined,
    },
    {
      title: 'If-Modified-Since beside If-None-Match',
      headers: { 'if-none-match': '"x"', 'if-modified-since': same },
      state: current,
      expected: undefined,
    },
    {
      title: 'If-Match false, If-None-Match false',
      headers: { 'if-match': '"x"', 'if-none-match': tag },
      state: current,
      expected: 'If-Match',
    },
    {
      title: 'If-Match true, If-None-Match false',
      headers: { 'if-match': tag, 'if-none-match': tag },
      state: current,
      expected: 'If-None-Match',
    },
  ])('$title', ({ headers, state, expected }) => {
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
