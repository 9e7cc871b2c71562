import { firstFalsePrecondition, readPreconditions } from '../../lib/http/preconditions';

const tag = '"now"';
const modified = new Date('2026-11-21T10:00:00.900Z');
const before = 'Sat, 21 Nov 2026 09:59:59 GMT';
const same = 'Sat, 21 Nov 2026 10:00:00 GMT';
const future = 'Sun, 22 Nov 2026 10:00:00 GMT';
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
      title: 'If-Modified-Since beside If-None-Match that is malformed, 13.1.3',
      headers: { 'if-none-match': 'now', 'if-modified-since': same },
      state: current,
      expected: undefined,
    },
    {
      title: 'If-Modified-Since beside If-None-Match that is empty, 13.1.3',
      headers: { 'if-none-match': '', 'if-modified-since': same },
      state: current,
      expected: undefined,
    },
    {
      title: 'If-Unmodified-Since beside If-Match that is empty, 13.1.4',
      headers: { 'if-match': '', 'if-unmodified-since': future },
      state: current,
      expected: 'If-Match',
    },
    {
      title: 'If-Match that is empty, 13.1.1: no tag of the list matches',
      headers: { 'if-match': '' },
      state: current,
      expected: 'If-Match',
    },
    {
      title: 'If-Match of empty elements alone, 5.6.1.2',
      headers: { 'if-match': ', ,' },
      state: current,
      expected: 'If-Match',
    },
    {
      title: 'If-None-Match that is empty, 13.1.2: no tag of the list matches',
      headers: { 'if-none-match': '' },
      state: current,
      expected: undefined,
    },
    {
      title: 'If-Unmodified-Since with a leap second, 5.6.7',
      headers: { 'if-unmodified-since': 'Sat, 21 Nov 2026 09:59:60 GMT' },
      state: current,
      expected: 'If-Unmodified-Since',
    },
    {
      title: 'If-Unmodified-Since of 31 February is no date, 13.1.4',
      headers: { 'if-unmodified-since': 'Sat, 31 Feb 2026 10:00:00 GMT' },
      state: current,
      expected: undefined,
    },
    {
      title: 'If-Modified-Since of hour 24 is no date, 13.1.3',
      headers: { 'if-modified-since': 'Sat, 21 Nov 2026 24:00:00 GMT' },
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
    expect(firstFalsePrecondition(readPreconditions({ headers }, true), state)).toBe(expected);
  });

  test('RFC 9110 13.1.3: If-Modified-Since counts where the method is safe alone', () => {
    const headers = { 'if-modified-since': same };
    expect(firstFalsePrecondition(readPreconditions({ headers }), current)).toBeUndefined();
  });

  test.each([
    { title: '13.1.4: If-Unmodified-Since', name: 'if-unmodified-since', date: before },
    { title: '13.1.3: If-Modified-Since', name: 'if-modified-since', date: same },
  ])('RFC 9110 $title on two lines is a list, and ignored', ({ name, date }) => {
    // Node keeps the first line.
    const headers = { [name]: date };
    const rawHeaders = (lines: number) => [
      'Host',
      name,
      ...Array<string[]>(lines).fill([name.toUpperCase(), date]).flat(),
    ];
    const falseOf = (lines: number) =>
      firstFalsePrecondition(readPreconditions({ headers, rawHeaders: rawHeaders(lines) }, true), current);
    expect([falseOf(1)?.toLowerCase(), falseOf(2)]).toEqual([name, undefined]);
    // Adapters may give no lines.
    expect(firstFalsePrecondition(readPreconditions({ headers }, true), current)?.toLowerCase()).toBe(name);
  });

  test('weak comparison of If-Match, where asked for', () => {
    expect(
      firstFalsePrecondition(readPreconditions({ headers: { 'if-match': 'W/"now"' } }), current, true),
    ).toBeUndefined();
    expect(
      firstFalsePrecondition(readPreconditions({ headers: { 'if-match': 'W/"x"' } }), current, true),
    ).toBe('If-Match');
  });

  test.each(['if-match', 'if-none-match'])('%s that is no list of tags is told', (name) => {
    expect(() => readPreconditions({ headers: { [name]: 'now' } })).toThrow(
      expect.objectContaining({ status: 400, code: 'precondition-malformed' }),
    );
  });
});
