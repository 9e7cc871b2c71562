import type { IncomingMessage } from 'node:http';
import { warnOnce } from '../config/process-warning';
import { pickOptions, readMember } from '../config/prototype-pollution';
import {
  appendedCoding,
  checkedTag,
  entityTag,
  type EntityTagList,
  parseEntityTags,
  strongMatch,
  weakMatch,
} from './entity-tag';
import { header, type RequestFields } from './header';
import { toPassableError } from './pass-error';
import { ProblemError } from './problem';

/** Options of `checkPreconditions`. */
export interface PreconditionOptions<S, Req = IncomingMessage> {
  /**
   * Returns the entity tag (RFC 9110 8.8.3) that your app's GET sends to this client. A tag that is made from
   * the value alone stays the same if a patch changes nothing. Default: `entityTag`.
   */
  readonly entityTag?: (stored: S, req: Req) => string;
  /**
   * `'required'`: a write without If-Match or `If-None-Match: *` is answered 428 (RFC 6585 3). Default
   * `'optional'`.
   */
  readonly precondition?: 'optional' | 'required';
}

/** The version of a stored representation, from which its entity tag is made, and its modification date. */
export interface Versioned {
  /**
   * A text that differs for every state of the resource. If it is left out, the option `entityTag` is
   * required.
   */
  readonly version?: string;
  /**
   * When the resource was last modified, for If-Unmodified-Since and If-Modified-Since. If it is left out,
   * these are ignored. Until its second is over, the resource counts as modified since that date, because
   * another write can have the same date.
   */
  readonly modified?: Date;
}

/**
 * Checks the preconditions of a request (RFC 9110 13.2), in your own handlers of PUT, DELETE, GET or QUERY.
 *
 * Call it where you would otherwise answer with success (RFC 9110 13.2.1), so answer GET and DELETE of an
 * absent resource with 404 first.
 *
 * @param stored - the current representation; undefined if PUT would create the resource
 * @returns undefined if the preconditions hold; otherwise the answer: 412 with the current ETag, 428, 400 if
 *   they are malformed, or 304 for GET, HEAD and QUERY
 * @throws the errors of the option `entityTag`, and TypeError if it does not return an entity tag
 *
 * @example
 * ```ts
 * const problem = checkPreconditions(req, stored);
 * if (problem !== undefined) return sendProblem(res, problem);
 * ```
 */
export function checkPreconditions<S extends Versioned>(
  req: IncomingMessage,
  stored: S | undefined,
  options: PreconditionOptions<S> = {},
): ProblemError | undefined {
  const settings = pickOptions(options, ['entityTag', 'precondition']);
  const { entityTag: createTag = entityTag } = settings;
  // RFC 10008 2.6: the preconditions of QUERY are evaluated as for GET.
  const safe = req.method === 'GET' || req.method === 'HEAD' || req.method === 'QUERY';
  let current: Validators | undefined;
  try {
    current = stored && { tag: checkedTag(createTag(stored, req)), modified: readMember(stored, 'modified') };
  } catch (error) {
    throw toPassableError(error);
  }
  try {
    return preconditionRefusal(req, () => current, settings, safe);
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
}

/**
 * The answer if a precondition does not hold, or is required and missing; undefined if the request can go on.
 *
 * @param readCurrent - called after the preconditions were read, so that a malformed one is 400 even if the app's
 *   function for entity tags throws; returns undefined if the target has no current representation
 * @throws ProblemError 400 if the preconditions are malformed
 */
export function preconditionRefusal(
  fields: RequestFields,
  readCurrent: () => Validators | undefined,
  { precondition }: { readonly precondition?: PreconditionOptions<never>['precondition'] },
  safe = false,
): ProblemError | undefined {
  const preconditions = readPreconditions(fields, safe);
  const current = readCurrent();
  if (!safe && precondition === 'required' && !isConditional(preconditions)) {
    const detail =
      current === undefined
        ? 'The resource does not exist, and writes to it need a precondition. ' +
          'To create it, send If-None-Match: *.'
        : 'Writes to this resource need a precondition: ' +
          'If-Match with the ETag of the resource. GET it first.';
    const headers = { 'Cache-Control': 'no-store' }; // RFC 6585 3
    return new ProblemError(428, 'precondition-required', detail, { headers });
  }
  const field = firstFalsePrecondition(preconditions, current);
  if (field === undefined) return undefined;
  const more = current && { headers: { ETag: current.tag } };
  if (safe && (field === 'If-None-Match' || field === 'If-Modified-Since')) {
    return new ProblemError(304, 'not-modified', 'The representation has not changed.', more);
  }
  const reason =
    field === 'If-Match' && current !== undefined
      ? whyNoMatch(preconditions, current)
      : whyFalse(field, preconditions, current);
  return new ProblemError(412, 'precondition-failed', `${field} failed: ${reason}`, more);
}

/** The advice if the answer does not show the current state. */
export const getAgain = 'GET it again, reapply the change, and send that.';

function whyFalse(
  field: PreconditionField,
  { ifUnmodifiedSince = NaN }: Preconditions,
  current: Validators | undefined,
): string {
  if (current === undefined) return 'the resource does not exist. To create it, send If-None-Match: *.';
  if (field === 'If-None-Match')
    return 'the resource exists and matches. To change it, send If-Match with its ETag instead.';
  // The date is not earlier than the modification, so the precondition fails only until its second is over.
  if (field === 'If-Unmodified-Since' && Number(current.modified) < ifUnmodifiedSince + 1_000)
    return (
      'the resource was modified in this second, so the date cannot show whether it has changed since it was ' +
      'read. Send If-Match with its ETag, or GET it again in a second.'
    );
  return `the resource has changed since it was read. ${getAgain}`;
}

/** Why If-Match is false. Unless the resource has changed, another GET does not help the client. */
function whyNoMatch(preconditions: Preconditions, current: Validators): string {
  const { ifMatch } = preconditions;
  if (ifMatch?.length === 0)
    return 'it contains no entity tag. GET the resource, and send its ETag as received.';
  for (const tag of ifMatch ?? []) {
    const coding = appendedCoding(tag, current.tag);
    if (coding === undefined) continue;
    warnOfCoding(tag, coding);
    return (
      `the entity tag is the current one with "${coding}" appended, as some proxies do to the tags of answers ` +
      `that they compress. Send it without the suffix. In Apache, set ${directive(coding)} NoChange.`
    );
  }
  const onlyWeak = isAllWeak(ifMatch);
  const likeExpress = onlyWeak ? ifMatch.find((tag) => expressTag.test(tag)) : undefined;
  if (likeExpress !== undefined) warnOfWeakTag(likeExpress);
  const isWeak = firstFalsePrecondition(preconditions, current, true) !== 'If-Match';
  if ((isWeak || onlyWeak) && current.tag.startsWith('W/'))
    return (
      'the entity tag is weak, but writes need a strong one, and the ETag of this response is weak too. ' +
      'In the app, return strong tags from the option entityTag.'
    );
  if (isWeak)
    return (
      'the entity tag is weak, but writes need the strong one. Send the ETag of this 412 response. ' +
      'If a proxy weakens the tags of GET, let it pass those answers on uncompressed.'
    );
  if (onlyWeak)
    return (
      'the entity tag is weak, but writes need a strong one. ' +
      'GET the resource, reapply the change, and send it with the ETag of this 412 response. ' +
      'If GET sends only weak tags, answer it in the app with resource().get, ' +
      'or set its ETag to entityTag(stored).'
    );
  return whyFalse('If-Match', preconditions, current);
}

function isAllWeak(tags: EntityTagList | undefined): tags is readonly string[] {
  return tags !== undefined && tags !== '*' && tags.every((tag) => tag.startsWith('W/'));
}

/** The weak tag that Express's package etag generates from the length and the hash of a body. */
const expressTag = /^W\/"[\da-f]+-[\w+/]{27}"$/;

const warnOfWeakTag = warnOnce(
  'PATCH_OPTIONS_WEAK_TAG',
  (tag: string) =>
    `A client sent If-Match: ${tag}, a weak tag such as Express generates for every body. ` +
    'Writes are refused with it, so the client can retry forever. ' +
    'Answer GET with the get of resource(), or set its ETag to entityTag(stored). ' +
    'If a proxy made a strong tag weak, let it pass those answers on uncompressed.',
);

const warnOfCoding = warnOnce(
  'PATCH_OPTIONS_TAG_SUFFIX',
  (tag: string, coding: string) =>
    `A client sent If-Match: ${tag}, which is the current entity tag with "${coding}" appended. ` +
    'Apache and Caddy do that to the tags of answers that they compress. ' +
    'Writes are refused with it, so the client can retry forever. ' +
    `In Apache, set ${directive(coding)} NoChange; or let the proxy pass those answers on uncompressed.`,
);

function directive(coding: string): string {
  return coding === '-br' ? 'BrotliAlterETag' : 'DeflateAlterETag';
}

/**
 * If-Unmodified-Since does not count: it cannot detect a second write within the same second (RFC 9110
 * 8.8.2.2).
 */
function isConditional({ ifMatch, ifNoneMatch }: Preconditions): boolean {
  return ifMatch !== undefined || ifNoneMatch === '*';
}

/** The preconditions of one request (RFC 9110 13.1). Times are in milliseconds since the epoch. */
export interface Preconditions {
  readonly ifMatch?: EntityTagList | undefined;
  readonly ifNoneMatch?: EntityTagList | undefined;
  readonly ifUnmodifiedSince?: number | undefined;
  readonly ifModifiedSince?: number | undefined;
}

export type PreconditionField = 'If-Match' | 'If-None-Match' | 'If-Unmodified-Since' | 'If-Modified-Since';

/** The validators of a target resource: its strong entity tag and, if it has one, its modification date. */
export interface Validators {
  readonly tag: string;
  readonly modified?: Date | undefined;
}

/** The validators of a stored representation. The tag, which is a hash, is computed on first access. */
export class StoredValidators<S extends { readonly modified?: Date }> implements Validators {
  #tag: string | undefined;

  constructor(
    private readonly stored: S,
    private readonly createTag: (stored: S) => string,
  ) {}

  get modified(): Date | undefined {
    return readMember(this.stored, 'modified');
  }

  get tag(): string {
    return (this.#tag ??= this.createTag(this.stored));
  }
}

/**
 * Reads a request's preconditions. A malformed date is ignored, as RFC 9110 13.1.3 and 13.1.4 require, and so
 * are several dates.
 *
 * @param safe - whether the method is GET, HEAD or QUERY. For these, a malformed If-None-Match only costs a
 *   full response: it counts as true (RFC 9110 13.1.2), and If-Modified-Since is ignored beside it (13.1.3).
 *   For all other methods, If-Modified-Since is always ignored (13.1.3).
 * @throws ProblemError 400 `precondition-malformed` if If-Match or If-None-Match is neither `*` nor quoted
 *   tags. Ignoring it would write without the protection that the client asked for; with 412, the client
 *   would retry forever.
 */
export function readPreconditions(fields: RequestFields, safe = false): Preconditions {
  const ifNoneMatch = header(fields, 'if-none-match');
  return {
    ifMatch: readTags('If-Match', header(fields, 'if-match')),
    ifNoneMatch:
      safe && ifNoneMatch !== undefined
        ? (parseEntityTags(ifNoneMatch) ?? [])
        : readTags('If-None-Match', ifNoneMatch),
    ifUnmodifiedSince: parseHttpDate(header(fields, 'if-unmodified-since')),
    ifModifiedSince: safe ? parseHttpDate(header(fields, 'if-modified-since')) : undefined,
  };
}

/**
 * The first precondition that does not hold, in the order of RFC 9110 13.2.2; undefined if all hold.
 *
 * @param current - undefined if the target has no current representation
 * @param weak - compares If-Match with the weak comparison function, contrary to RFC 9110 13.1.1
 */
export function firstFalsePrecondition(
  { ifMatch, ifNoneMatch, ifUnmodifiedSince, ifModifiedSince }: Preconditions,
  current: Validators | undefined,
  weak = false,
): PreconditionField | undefined {
  if (ifMatch !== undefined) {
    if (!listMatches(ifMatch, current, weak ? weakMatch : strongMatch)) return 'If-Match';
  } else if (ifUnmodifiedSince !== undefined && readSeconds(current) > ifUnmodifiedSince) {
    return 'If-Unmodified-Since';
  }
  if (ifNoneMatch !== undefined) {
    if (listMatches(ifNoneMatch, current, weakMatch)) return 'If-None-Match';
  } else if (ifModifiedSince !== undefined && readSeconds(current) <= ifModifiedSince) {
    return 'If-Modified-Since';
  }
  return undefined;
}

function readTags(name: string, field: string | undefined): EntityTagList | undefined {
  if (field === undefined) return undefined;
  const tags = parseEntityTags(field);
  if (tags !== undefined) return tags;
  throw new ProblemError(
    400,
    'precondition-malformed',
    `${name} must be * or a list of entity tags. Send the ETag as received, including the quotes.`,
  );
}

function listMatches(
  list: EntityTagList,
  current: Validators | undefined,
  match: (a: string, b: string) => boolean,
): boolean {
  if (current === undefined) return false;
  return list === '*' || list.some((tag) => match(tag, current.tag));
}

/**
 * HTTP dates are in whole seconds. Without a date it is NaN, with which no comparison is true, so the header
 * is ignored. A second that is not over yet counts as later than its own date, because another write can
 * still have the same date (RFC 9110 8.8.2.2).
 */
function readSeconds(current: Validators | undefined): number {
  const time = current?.modified?.getTime() ?? NaN;
  const seconds = Math.floor(time / 1000) * 1000;
  return isSecondOver(time) ? seconds : seconds + 1;
}

/** Whether the second of this time is over, so that its HTTP-date identifies only one state of a resource. */
export function isSecondOver(time: number, now = Date.now()): boolean {
  return Math.floor(time / 1000) < Math.floor(now / 1000);
}

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
