import type { IncomingHttpHeaders } from 'node:http';
import { firstFalsePrecondition, readPreconditions } from '../../lib/http/preconditions';

const tag = '"now"';
const modified = new Date('2026-11-21T10:00:00.900Z');
const before = 'Sat, 21 Nov 2026 09:59:59 GMT';
const same = 'Sat, 21 Nov 2026 10:00:00 GMT';
const future = 'Sun, 22 Nov 2026 10:00:00 GMT';
const current = { tag, modified };

describe('RFC 9110 13.2.2: which precondition is false', () => {
  test.each<{
    readonly title: string;
    readonly headers: IncomingHttpHeaders;
    /** null: no representation. */
    readonly state?: { readonly tag: string } | null;
    readonly expected?: string;
  }>([
    { title: 'none', headers: {} },
    { title: 'If-Match with the tag', headers: { 'if-match': tag } },
    { title: 'If-Match with the tag among others', headers: { 'if-match': '"x", "now"' } },
    { title: 'If-Match with another tag', headers: { 'if-match': '"x"' }, expected: 'If-Match' },
    { title: 'If-Match with the tag made weak', headers: { 'if-match': 'W/"now"' }, expected: 'If-Match' },
    { title: 'If-Match: *', headers: { 'if-match': '*' } },
    {
      title: 'If-Match: * and no representation',
      headers: { 'if-match': '*' },
      state: null,
      expected: 'If-Match',
    },
    {
      title: 'If-Match and no representation',
      headers: { 'if-match': tag },
      state: null,
      expected: 'If-Match',
    },
    { title: 'If-Unmodified-Since with its date', headers: { 'if-unmodified-since': same } },
    {
      title: 'If-Unmodified-Since with an earlier date',
      headers: { 'if-unmodified-since': before },
      expected: 'If-Unmodified-Since',
    },
    { title: 'If-Unmodified-Since that is no date', headers: { 'if-unmodified-since': 'yesterday' } },
    {
      title: 'If-Unmodified-Since and no date known',
      headers: { 'if-unmodified-since': before },
      state: { tag },
    },
    {
      title: 'If-Unmodified-Since beside If-Match',
      headers: { 'if-match': tag, 'if-unmodified-since': before },
    },
    { title: 'If-None-Match: *', headers: { 'if-none-match': '*' }, expected: 'If-None-Match' },
    { title: 'If-None-Match: * and no representation', headers: { 'if-none-match': '*' }, state: null },
    {
      title: 'If-None-Match with the tag made weak',
      headers: { 'if-none-match': 'W/"now"' },
      expected: 'If-None-Match',
    },
    { title: 'If-None-Match with another tag', headers: { 'if-none-match': '"x"' } },
    {
      title: 'If-Modified-Since with its date',
      headers: { 'if-modified-since': same },
      expected: 'If-Modified-Since',
    },
    { title: 'If-Modified-Since and no date known', headers: { 'if-modified-since': same }, state: { tag } },
    { title: 'If-Modified-Since with an earlier date', headers: { 'if-modified-since': before } },
    {
      title: 'If-Modified-Since beside If-None-Match',
      headers: { 'if-none-match': '"x"', 'if-modified-since': same },
    },
    {
      title: 'If-Modified-Since beside If-None-Match that is malformed, 13.1.3',
      headers: { 'if-none-match': 'now', 'if-modified-since': same },
    },
    {
      title: 'If-Modified-Since beside If-None-Match that is empty, 13.1.3',
      headers: { 'if-none-match': '', 'if-modified-since': same },
    },
    {
      title: 'If-Unmodified-Since beside If-Match that is empty, 13.1.4',
      headers: { 'if-match': '', 'if-unmodified-since': future },
      expected: 'If-Match',
    },
    {
      title: 'If-Match that is empty, 13.1.1: no tag of the list matches',
      headers: { 'if-match': '' },
      expected: 'If-Match',
    },
    {
      title: 'If-Match of empty elements alone, 5.6.1.2',
      headers: { 'if-match': ', ,' },
      expected: 'If-Match',
    },
    {
      title: 'If-None-Match that is empty, 13.1.2: no tag of the list matches',
      headers: { 'if-none-match': '' },
    },
    {
      title: 'If-Unmodified-Since with a leap second, 5.6.7',
      headers: { 'if-unmodified-since': 'Sat, 21 Nov 2026 09:59:60 GMT' },
      expected: 'If-Unmodified-Since',
    },
    {
      title: 'If-Unmodified-Since of 31 February is no date, 13.1.4',
      headers: { 'if-unmodified-since': 'Sat, 31 Feb 2026 10:00:00 GMT' },
    },
    {
      title: 'If-Modified-Since of hour 24 is no date, 13.1.3',
      headers: { 'if-modified-since': 'Sat, 21 Nov 2026 24:00:00 GMT' },
    },
    {
      title: 'If-Match false, If-None-Match false',
      headers: { 'if-match': '"x"', 'if-none-match': tag },
      expected: 'If-Match',
    },
    {
      title: 'If-Match true, If-None-Match false',
      headers: { 'if-match': tag, 'if-none-match': tag },
      expected: 'If-None-Match',
    },
  ])('$title', ({ headers, state = current, expected }) => {
    expect(firstFalsePrecondition(readPreconditions({ headers }, true), state ?? undefined)).toBe(expected);
  });

  test('RFC 9110 13.1.3: If-Modified-Since counts where the method is safe alone', () => {
    const headers = { 'if-modified-since': same };
    expect(firstFalsePrecondition(readPreconditions({ headers }), current)).toBeUndefined();
  });

  describe('RFC 9110 8.8.2.2: a date whose second is not over names two states', () => {
    afterEach(() => jest.useRealTimers());
    const modified = new Date('2026-11-22T10:00:00.300Z');
    const [second, next] = ['Sun, 22 Nov 2026 10:00:00 GMT', 'Sun, 22 Nov 2026 10:00:01 GMT'];
    test.each([
      { name: 'if-unmodified-since', date: second, now: '00.900', expected: 'If-Unmodified-Since' },
      { name: 'if-unmodified-since', date: second, now: '01.000', expected: undefined },
      { name: 'if-unmodified-since', date: next, now: '00.900', expected: undefined },
      { name: 'if-modified-since', date: second, now: '00.900', expected: undefined },
      { name: 'if-modified-since', date: second, now: '01.000', expected: 'If-Modified-Since' },
      // An engine whose clock is ahead.
      {
        name: 'if-unmodified-since',
        date: second,
        now: '59.999',
        expected: 'If-Unmodified-Since',
        minute: '09:59',
      },
    ])('$name: $date, at $now', ({ name, date, now, expected, minute = '10:00' }) => {
      jest.useFakeTimers({ now: new Date(`2026-11-22T${minute}:${now}Z`) });
      const preconditions = readPreconditions({ headers: { [name]: date } }, true);
      expect(firstFalsePrecondition(preconditions, { tag, modified })).toBe(expected);
    });
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
