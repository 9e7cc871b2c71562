/**
 * RFC 9110 13.2.2 from its text, step by step, and without anything of lib: what an origin server does with the preconditions
 * of a request. The tests ask both.
 */

/** Header lines as they are sent, in order: the name in lower case, and the value. */
export type Lines = readonly (readonly [name: string, value: string])[];

/** What of the selected representation is compared. */
export interface Representation {
  readonly tag: string;
  readonly modified: Date | undefined;
}

/** `perform`: step 6, the method is carried out. */
export type Verdict = 'perform' | 304 | 400 | 412;

/** @param current - undefined: the target has no current representation */
export function evaluate(
  method: string,
  lines: Lines,
  current: Representation | undefined,
  now: Date,
): Verdict {
  const retrieves = method === 'GET' || method === 'HEAD';
  const ifMatch = valueOf(lines, 'if-match');
  const ifNoneMatch = valueOf(lines, 'if-none-match');
  const ifUnmodifiedSince = dateOf(valueOf(lines, 'if-unmodified-since'), current, now);
  const ifModifiedSince = dateOf(valueOf(lines, 'if-modified-since'), current, now);

  // 15.5.1: a malformed request may be refused. Of the steps this is none; a false If-None-Match of GET and HEAD saves
  // bytes alone, and there 13.1.2 step 3 decides.
  if (ifMatch !== undefined && tagsOf(ifMatch) === undefined) return 400;
  if (!retrieves && ifNoneMatch !== undefined && tagsOf(ifNoneMatch) === undefined) return 400;

  // 1. When recipient is the origin server and If-Match is present, evaluate the If-Match precondition:
  if (ifMatch !== undefined) {
    // if true, continue to step 3; if false, respond 412
    if (!ifMatchHolds(ifMatch, current)) return 412;
  }

  // 2. When recipient is the origin server, If-Match is not present, and If-Unmodified-Since is present, evaluate it:
  if (ifMatch === undefined && ifUnmodifiedSince !== undefined) {
    // if true, continue to step 3; if false, respond 412
    if (!(ifUnmodifiedSince.modified <= ifUnmodifiedSince.date)) return 412;
  }

  // 3. When If-None-Match is present, evaluate the If-None-Match precondition:
  if (ifNoneMatch !== undefined) {
    // if true, continue to step 5; if false for GET/HEAD, respond 304; if false for other methods, respond 412
    if (!ifNoneMatchHolds(ifNoneMatch, current)) return retrieves ? 304 : 412;
  }

  // 4. When the method is GET or HEAD, If-None-Match is not present, and If-Modified-Since is present, evaluate it:
  if (retrieves && ifNoneMatch === undefined && ifModifiedSince !== undefined) {
    // if true, continue to step 5; if false, respond 304
    if (ifModifiedSince.modified <= ifModifiedSince.date) return 304;
  }

  // 5. When the method is GET and both Range and If-Range are present: no target here supports ranges (13.1.5).
  // 6. Otherwise, perform the requested method.
  return 'perform';
}

/** 5.3: the values of the lines of one name, joined by commas; undefined where it is not present. */
function valueOf(lines: Lines, name: string): string | undefined {
  const values = lines.filter(([ofLine]) => ofLine === name).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(', ');
}

/** 13.1.1, "To evaluate a received If-Match header field" */
function ifMatchHolds(value: string, current: Representation | undefined): boolean {
  // 1. If the field value is "*", the condition is true if the origin server has a current representation.
  if (value === '*') return current !== undefined;
  // 2. If the field value is a list of entity tags, the condition is true if any of the listed tags match the entity tag of
  //    the selected representation: by the strong comparison, 8.8.3.2.
  return (tagsOf(value) ?? []).some(
    ({ weak, opaque }) => current !== undefined && !weak && opaque === current.tag,
  );
  // 3. Otherwise, the condition is false.
}

/** 13.1.2, "To evaluate a received If-None-Match header field" */
function ifNoneMatchHolds(value: string, current: Representation | undefined): boolean {
  // 1. If the field value is "*", the condition is false if the origin server has a current representation.
  if (value === '*') return current === undefined;
  // 2. If the field value is a list of entity tags, the condition is false if one of the listed tags matches the entity tag
  //    of the selected representation: by the weak comparison, 8.8.3.2.
  const matches = (tagsOf(value) ?? []).some(
    ({ opaque }) => current !== undefined && opaque === current.tag.replace('W/', ''),
  );
  // 3. Otherwise, the condition is true.
  return !matches;
}

interface EntityTag {
  readonly weak: boolean;
  /** With its quotes. */
  readonly opaque: string;
}

/** 13.1.1: "*" / #entity-tag, read a character at a time; undefined where it is neither. For "*" alone: none. */
function tagsOf(value: string): EntityTag[] | undefined {
  if (value === '*') return [];
  const tags: EntityTag[] = [];
  let at = 0;
  /** 5.6.1.2: elements are separated by commas, and empty ones are ignored. */
  let separated = true;
  while (at < value.length) {
    const character = value.charAt(at);
    if (character === ',') separated = true;
    if (character === ',' || character === ' ' || character === '\t') {
      at += 1;
      continue;
    }
    if (!separated) return undefined;
    // 8.8.3: entity-tag = [ weak ] opaque-tag; weak = %s"W/"; opaque-tag = DQUOTE *etagc DQUOTE
    const weak = value.startsWith('W/', at);
    const opens = weak ? at + 2 : at;
    const closes = value.indexOf('"', opens + 1);
    if (value.charAt(opens) !== '"' || closes === -1) return undefined;
    for (const etagc of value.slice(opens + 1, closes)) {
      const code = etagc.charCodeAt(0);
      if (!(code === 0x21 || (code >= 0x23 && code <= 0x7e) || (code >= 0x80 && code <= 0xff)))
        return undefined;
    }
    tags.push({ weak, opaque: value.slice(opens, closes + 1) });
    at = closes + 1;
    separated = false;
  }
  return tags;
}

/** Two times that can be compared as text, by the second: `2026-11-21T10:00:00`. A leap second sorts where it belongs. */
interface Times {
  readonly date: string;
  readonly modified: string;
}

/**
 * 13.1.3, 13.1.4: a recipient MUST ignore the field if the value is not a valid HTTP-date, has more than one member, or if the
 * resource does not have a modification date available: undefined.
 */
function dateOf(
  value: string | undefined,
  current: Representation | undefined,
  now: Date,
): Times | undefined {
  if (value === undefined || current?.modified === undefined) return undefined;
  const date = imfFixdate(value) ?? rfc850Date(value, now) ?? asctimeDate(value);
  return date === undefined ? undefined : { date, modified: bySecond(current.modified) };
}

function bySecond(date: Date): string {
  return date.toISOString().slice(0, 19);
}

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** 5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT` */
function imfFixdate(text: string): string | undefined {
  const [dayName = '', day = '', month = '', year = '', time = '', zone, ...more] = text.split(' ');
  if (!days.some((name) => `${name.slice(0, 3)},` === dayName)) return undefined;
  if (zone !== 'GMT' || more.length > 0) return undefined;
  return moment(year, month, day, time);
}

/** 5.6.7: `Sunday, 06-Nov-94 08:49:37 GMT` */
function rfc850Date(text: string, now: Date): string | undefined {
  const [dayName = '', date = '', time = '', zone, ...more] = text.split(' ');
  if (!days.some((name) => `${name},` === dayName)) return undefined;
  if (zone !== 'GMT' || more.length > 0) return undefined;
  const [day = '', month = '', digits = '', ...rest] = date.split('-');
  if (rest.length > 0 || !isDigits(digits, 2)) return undefined;
  // "a timestamp that appears to be more than 50 years in the future" is of "the most recent year in the past that had the
  // same last two digits". It is one of this century before that; a day that a century does not have is none either way.
  const thisYear = now.getUTCFullYear();
  const century = Math.floor(thisYear / 100);
  const future = `${thisYear + 50}${bySecond(now).slice(4)}`;
  const appears = `${century}${digits}-${twoDigits(months.indexOf(month) + 1)}-${day}T${time}`;
  return moment(`${appears > future ? century - 1 : century}${digits}`, month, day, time);
}

/** 5.6.7: `Sun Nov  6 08:49:37 1994` */
function asctimeDate(text: string): string | undefined {
  const [dayName, month] = [text.slice(0, 3), text.slice(4, 7)];
  if (!days.some((name) => name.slice(0, 3) === dayName)) return undefined;
  if (text.length !== 24 || [3, 7, 10, 19].some((at) => text.charAt(at) !== ' ')) return undefined;
  const day = text.slice(8, 10);
  return moment(text.slice(20), month, day.startsWith(' ') ? `0${day.charAt(1)}` : day, text.slice(11, 19));
}

/** Of what was read; undefined where there is no such time. */
function moment(year: string, month: string, day: string, time: string): string | undefined {
  const [hour = '', minute = '', second = '', ...more] = time.split(':');
  if (more.length > 0 || !isDigits(year, 4)) return undefined;
  if (![day, hour, minute, second].every((digits) => isDigits(digits, 2))) return undefined;
  // "00:00:00 - 23:59:60 (leap second)"
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const index = months.indexOf(month);
  if (index === -1 || Number(day) < 1 || Number(day) > daysIn(index, Number(year))) return undefined;
  return `${year}-${twoDigits(index + 1)}-${day}T${time}`;
}

/** RFC 5322 3.3: the day must be one that the month has, in that year. */
function daysIn(month: number, year: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month] ?? 0;
}

function isDigits(text: string, length: number): boolean {
  return text.length === length && /^[0-9]*$/.test(text);
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
