import { parseHttpDate } from '../../lib/http/preconditions';

const now = Date.UTC(2026, 10, 21, 10);

describe('RFC 9110 5.6.7: the time that an HTTP-date names', () => {
  test.each([
    { text: 'Sun, 06 Nov 1994 08:49:37 GMT', time: '1994-11-06T08:49:37Z' },
    { text: 'Sunday, 06-Nov-94 08:49:37 GMT', time: '1994-11-06T08:49:37Z' },
    { text: 'Sun Nov  6 08:49:37 1994', time: '1994-11-06T08:49:37Z' },
    { text: 'Wed Nov 16 08:49:37 1994', time: '1994-11-16T08:49:37Z' },
    { text: 'Wed Nov 06 08:49:37 1996', time: '1996-11-06T08:49:37Z' },
    { text: 'Wednesday, 16-Nov-94 00:00:00 GMT', time: '1994-11-16T00:00:00Z' },
    ...['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].map(
      (month, i) => ({
        text: `Mon, 15 ${month} 2026 00:00:00 GMT`,
        time: new Date(Date.UTC(2026, i, 15)).toISOString(),
      }),
    ),
    { text: 'Thu, 29 Feb 2024 23:59:59 GMT', time: '2024-02-29T23:59:59Z' },
    { text: 'Tue, 29 Feb 2000 00:00:00 GMT', time: '2000-02-29T00:00:00Z' },
    { text: 'Fri, 31 Dec 9999 23:59:59 GMT', time: '9999-12-31T23:59:59Z' },
    { text: 'Thu, 01 Jan 0099 00:00:00 GMT', time: '0099-01-01T00:00:00Z' },
    { text: 'Thu Jan  1 00:00:00 0099', time: '0099-01-01T00:00:00Z' },
    { text: 'Sat, 01 Jan 0000 00:00:00 GMT', time: '0000-01-01T00:00:00Z' },
  ])('"$text": $time', ({ text, time }) => {
    expect(parseHttpDate(text, now)).toBe(Date.parse(time));
  });

  test.each([
    { text: 'Sat, 31 Dec 2016 23:59:60 GMT', time: '2016-12-31T23:59:59Z' },
    { text: 'Saturday, 31-Dec-16 23:59:60 GMT', time: '2016-12-31T23:59:59Z' },
    { text: 'Sat Dec 31 23:59:60 2016', time: '2016-12-31T23:59:59Z' },
  ])('a leap second, "$text", is the second before it', ({ text, time }) => {
    expect(parseHttpDate(text, now)).toBe(Date.parse(time));
  });

  test.each([
    { text: 'Mon, 06 Nov 1994 08:49:37 GMT', time: '1994-11-06T08:49:37Z' },
    { text: 'Monday, 06-Nov-94 08:49:37 GMT', time: '1994-11-06T08:49:37Z' },
    { text: 'Mon Nov  6 08:49:37 1994', time: '1994-11-06T08:49:37Z' },
  ])('a day name that contradicts the date, "$text", has no say', ({ text, time }) => {
    expect(parseHttpDate(text, now)).toBe(Date.parse(time));
  });

  test.each([
    { years: 'this year', text: 'Saturday, 21-Nov-26 10:00:00 GMT', time: '2026-11-21T10:00:00Z' },
    { years: '50 to the second', text: 'Saturday, 21-Nov-76 10:00:00 GMT', time: '2076-11-21T10:00:00Z' },
    { years: '50 and a second', text: 'Saturday, 21-Nov-76 10:00:01 GMT', time: '1976-11-21T10:00:01Z' },
    { years: '51', text: 'Sunday, 21-Nov-77 10:00:00 GMT', time: '1977-11-21T10:00:00Z' },
    { years: '73', text: 'Sunday, 21-Nov-99 10:00:00 GMT', time: '1999-11-21T10:00:00Z' },
    { years: 'none', text: 'Tuesday, 29-Feb-00 10:00:00 GMT', time: '2000-02-29T10:00:00Z' },
  ])('a year of two digits that appears to be $years in the future: $time', ({ text, time }) => {
    expect(parseHttpDate(text, now)).toBe(Date.parse(time));
  });

  test('a year of two digits is relative to the clock', () => {
    const text = 'Sunday, 06-Nov-94 08:49:37 GMT';
    expect(parseHttpDate(text, Date.UTC(2050, 0))).toBe(Date.UTC(2094, 10, 6, 8, 49, 37));
    expect(parseHttpDate(text)).toBe(parseHttpDate(text, Date.now()));
  });
});

describe('RFC 9110 5.6.7, RFC 5322 3.3: what is not an HTTP-date', () => {
  test.each([
    { what: 'a day name that there is not', text: 'Abc, 06 Nov 1994 08:49:37 GMT' },
    { what: 'a long day name in the short form', text: 'Sunday, 06 Nov 1994 08:49:37 GMT' },
    { what: 'a short day name in the form of RFC 850', text: 'Sun, 06-Nov-94 08:49:37 GMT' },
    { what: 'a long day name that there is not', text: 'Wedday, 06-Nov-94 08:49:37 GMT' },
    { what: 'a long day name in the form of asctime', text: 'Sunday Nov  6 08:49:37 1994' },
    { what: 'a month that there is not', text: 'Sun, 06 Foo 1994 08:49:37 GMT' },
    { what: 'another case of the day name', text: 'sun, 06 Nov 1994 08:49:37 GMT' },
    { what: 'another case of the month', text: 'Sun, 06 NOV 1994 08:49:37 GMT' },
    { what: 'another case of GMT', text: 'Sun, 06 Nov 1994 08:49:37 gmt' },
    { what: 'hour 24', text: 'Sun, 06 Nov 1994 24:00:00 GMT' },
    { what: 'hour 25', text: 'Sun, 06 Nov 1994 25:49:37 GMT' },
    { what: 'minute 60', text: 'Sun, 06 Nov 1994 08:60:37 GMT' },
    { what: 'second 61', text: 'Sat, 31 Dec 2016 23:59:61 GMT' },
    { what: 'second 61 of asctime', text: 'Sat Dec 31 23:59:61 2016' },
    { what: 'day 00', text: 'Sun, 00 Nov 1994 08:49:37 GMT' },
    { what: 'day 0 of asctime', text: 'Sun Nov  0 08:49:37 1994' },
    { what: '31 February', text: 'Thu, 31 Feb 1994 08:49:37 GMT' },
    { what: '31 February of RFC 850', text: 'Thursday, 31-Feb-94 08:49:37 GMT' },
    { what: '31 February of asctime', text: 'Thu Feb 31 08:49:37 1994' },
    { what: '31 April', text: 'Sat, 31 Apr 1994 08:49:37 GMT' },
    { what: '32 December', text: 'Sun, 32 Dec 1994 08:49:37 GMT' },
    { what: '29 February of a common year', text: 'Thu, 29 Feb 2023 08:49:37 GMT' },
    { what: '29 February 1900', text: 'Thu, 29 Feb 1900 08:49:37 GMT' },
    { what: '29 February of a common year of two digits', text: 'Thursday, 29-Feb-23 08:49:37 GMT' },
    { what: 'another zone', text: 'Sun, 06 Nov 1994 08:49:37 +0100' },
    { what: 'UTC, which is GMT by another name', text: 'Sun, 06 Nov 1994 08:49:37 UTC' },
    { what: 'no zone', text: 'Sun, 06 Nov 1994 08:49:37' },
    { what: 'asctime with a zone', text: 'Sun Nov  6 08:49:37 1994 GMT' },
    { what: 'a day of one digit', text: 'Sun, 6 Nov 1994 08:49:37 GMT' },
    { what: 'asctime with one space', text: 'Sun Nov 6 08:49:37 1994' },
    { what: 'a year of four digits in the form of RFC 850', text: 'Sunday, 06-Nov-1994 08:49:37 GMT' },
    { what: 'a year of five digits', text: 'Sun, 06 Nov 11994 08:49:37 GMT' },
    { what: 'more white space', text: 'Sun,  06 Nov 1994 08:49:37 GMT' },
    { what: 'a list', text: 'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT' },
    { what: 'a line after it', text: 'Sun, 06 Nov 1994 08:49:37 GMT\n' },
    { what: 'ISO 8601', text: '1994-11-06T08:49:37Z' },
    { what: 'a number', text: '0' },
    { what: 'nothing', text: '' },
  ])('$what: "$text"', ({ text }) => {
    expect(parseHttpDate(text, now)).toBeUndefined();
  });
});
