// RFC 9110 5.6.7, exactly as in the grammar: case-sensitive, with single spaces.
const dayName = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const dayNameL = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const month = `(?<month>${months.join('|')})`;
/** `00:00:00 - 23:59:60 (leap second)` */
const timeOfDay = String.raw`(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d):(?<second>[0-5]\d|60)`;

/** The three forms that a recipient MUST accept; the last two are obsolete. */
const forms = [
  /** IMF-fixdate */
  String.raw`${dayName}, (?<day>\d\d) ${month} (?<year>\d{4}) ${timeOfDay} GMT`,
  /** rfc850-date */
  String.raw`${dayNameL}, (?<day>\d\d)-${month}-(?<year>\d\d) ${timeOfDay} GMT`,
  /** asctime-date, which is in UTC although it has no time zone */
  String.raw`${dayName} ${month} (?<day>\d\d| \d) ${timeOfDay} (?<year>\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/**
 * The time of an HTTP-date in milliseconds since the epoch; undefined if the text is not an HTTP-date.
 * `Date.parse` accepts many other texts, and reads some HTTP-dates wrongly.
 *
 * A day name that contradicts the date is not an error. RFC 5322 3.3, to which RFC 9110 refers for day names,
 * forbids sending it, but recipients are encouraged to be robust (5.6.7), and the date is complete without
 * it: ignoring If-Unmodified-Since because of the day name would mean writing unprotected. A day that the
 * month does not have is an error.
 *
 * @param now - the time to which the two-digit years of the RFC 850 form are relative
 */
export function parseHttpDate(text: string | undefined, now = Date.now()): number | undefined {
  if (text === undefined) return undefined;
  for (const form of forms) {
    const { groups } = form.exec(text) ?? {};
    if (groups !== undefined) return toTime(groups, now);
  }
  return undefined;
}

function toTime(fields: Readonly<Record<string, string>>, now: number): number | undefined {
  const { year = '', month = '', day = '', hour, minute, second } = fields;
  const date = [months.indexOf(month), Number(day)] as const;
  // A leap second. The date refers to the clock of this server (13.1.3, 13.1.4), which never shows one: read
  // as the second before, it compares correctly with every time that the clock shows. As the second after (as
  // in POSIX), it would not.
  const seconds = Math.min(Number(second), 59);
  const time = ((Number(hour) * 60 + Number(minute)) * 60 + seconds) * 1_000;
  const fullYear = year.length === 2 ? toYear(Number(year), date, time, now) : Number(year);
  const midnight = utc(fullYear, ...date);
  // `utc` moves days beyond the end of the month into the next one, and day 00 into the one before.
  return new Date(midnight).getUTCMonth() === date[0] ? midnight + time : undefined;
}

/**
 * RFC 9110 5.6.7: if a two-digit year appears to be more than 50 years in the future, it is the most recent
 * year in the past with these digits. The year is first read in the century of `now`.
 */
function toYear(digits: number, date: readonly [number, number], time: number, now: number): number {
  const today = new Date(now);
  const year = today.getUTCFullYear() - (today.getUTCFullYear() % 100) + digits;
  const future = today.setUTCFullYear(today.getUTCFullYear() + 50);
  return utc(year, ...date) + time > future ? year - 100 : year;
}

/** Not `Date.UTC`, which reads the years 0 to 99 as 1900 to 1999. */
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day);
}
