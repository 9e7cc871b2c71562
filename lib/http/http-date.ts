// RFC 9110 5.6.7, as the grammar has it: case-sensitive, one SP wherever one stands.
const dayName = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const dayNameL = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const month = `(?<month>${months.join('|')})`;
/** `00:00:00 - 23:59:60 (leap second)` */
const timeOfDay = String.raw`(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d):(?<second>[0-5]\d|60)`;

/** The three forms that a recipient MUST accept, the last two obsolete. */
const forms = [
  /** IMF-fixdate */
  String.raw`${dayName}, (?<day>\d\d) ${month} (?<year>\d{4}) ${timeOfDay} GMT`,
  /** rfc850-date */
  String.raw`${dayNameL}, (?<day>\d\d)-${month}-(?<year>\d\d) ${timeOfDay} GMT`,
  /** asctime-date, which is in UTC although it names no zone */
  String.raw`${dayName} ${month} (?<day>\d\d| \d) ${timeOfDay} (?<year>\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/**
 * The time that an HTTP-date names, in milliseconds since the epoch; undefined where the text is not one. `Date.parse` takes
 * many other texts, and reads some of these wrongly.
 *
 * A day name that contradicts the date is not an error here. RFC 5322 3.3, whose meaning of day names RFC 9110 takes over,
 * forbids to send it, but recipients are encouraged to be robust (5.6.7), and the date says everything: to ignore
 * If-Unmodified-Since for its day name would be to write unprotected. A day that the month does not have names no time.
 *
 * @param now - what the two-digit years of the RFC 850 form are relative to
 */
export function parseHttpDate(text: string | undefined, now = Date.now()): number | undefined {
  if (text === undefined) return undefined;
  for (const form of forms) {
    const { groups } = form.exec(text) ?? {};
    if (groups !== undefined) return timeOf(groups, now);
  }
  return undefined;
}

function timeOf(fields: Readonly<Record<string, string>>, now: number): number | undefined {
  const { year = '', month = '', day = '', hour, minute, second } = fields;
  const date = [months.indexOf(month), Number(day)] as const;
  // A leap second. The date counts by the clock of this server (13.1.3, 13.1.4), which never shows one: read as the second
  // before, it compares rightly with every time that the clock shows. As the second after, which POSIX makes of it, it would not.
  const seconds = Math.min(Number(second), 59);
  const time = ((Number(hour) * 60 + Number(minute)) * 60 + seconds) * 1_000;
  const fullYear = year.length === 2 ? yearOf(Number(year), date, time, now) : Number(year);
  const midnight = utc(fullYear, ...date);
  // Days beyond the end of the month run over into the next, and day 00 into the one before.
  return new Date(midnight).getUTCMonth() === date[0] ? midnight + time : undefined;
}

/**
 * RFC 9110 5.6.7: a two-digit year by which the date appears to be more than 50 years in the future is the most recent year in
 * the past with these digits. Where it appears: in the century of `now`.
 */
function yearOf(digits: number, date: readonly [number, number], time: number, now: number): number {
  const today = new Date(now);
  const year = today.getUTCFullYear() - (today.getUTCFullYear() % 100) + digits;
  const future = today.setUTCFullYear(today.getUTCFullYear() + 50);
  return utc(year, ...date) + time > future ? year - 100 : year;
}

/** Not `Date.UTC`, which reads the years 0 to 99 as 1900 to 1999. */
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day);
}
