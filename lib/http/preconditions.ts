import type { IncomingMessage } from 'node:http';
import { readMember } from '../config/prototype-pollution';
import { parseEntityTags, strongMatch, weakMatch, type EntityTagList } from './entity-tag';
import { parseHttpDate } from './http-date';
import { ProblemError } from './problem';

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

/** The headers of a request. Requests from adapters can be without `rawHeaders`. */
export type RequestFields = Pick<IncomingMessage, 'headers'> & Partial<Pick<IncomingMessage, 'rawHeaders'>>;

/**
 * Reads a request's preconditions. A malformed date is ignored, as RFC 9110 13.1.3 and 13.1.4 require.
 *
 * @param safe - whether the method is GET, HEAD or QUERY. For these, a malformed If-None-Match only costs a
 *   full response: it counts as true (RFC 9110 13.1.2), and If-Modified-Since is ignored beside it (13.1.3).
 *   For all other methods, If-Modified-Since is always ignored (13.1.3).
 * @throws ProblemError 400 `precondition-malformed` if If-Match or If-None-Match is neither `*` nor quoted
 *   tags. Ignoring it would write without the protection that the client asked for; with 412, the client
 *   would retry forever.
 */
export function readPreconditions(fields: RequestFields, safe = false): Preconditions {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = fields.headers;
  return {
    ifMatch: readTags('If-Match', ifMatch),
    ifNoneMatch:
      safe && ifNoneMatch !== undefined
        ? (parseEntityTags(ifNoneMatch) ?? [])
        : readTags('If-None-Match', ifNoneMatch),
    ifUnmodifiedSince: readDate('if-unmodified-since', fields),
    ifModifiedSince: safe ? readDate('if-modified-since', fields) : undefined,
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

/**
 * If a header has several lines, Node keeps the first. By RFC 9110 5.3 its value is the list of all, which
 * has more than one member (13.1.3) or appears to be a list of dates (13.1.4), and must be ignored.
 */
function readDate(
  name: 'if-unmodified-since' | 'if-modified-since',
  { headers, rawHeaders = [] }: RequestFields,
): number | undefined {
  const date = parseHttpDate(headers[name]);
  if (date === undefined) return undefined;
  // Not `headersDistinct`: before Node 20.20.2 it throws if a header is called __proto__ (CVE-2026-21710).
  const lines = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name);
  return lines.length > 1 ? undefined : date;
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
 * is ignored. A second that is not over counts as later than its own date, because another write can still have
 * the same date (RFC 9110 8.8.2.2).
 */
function readSeconds(current: Validators | undefined): number {
  const time = current?.modified?.getTime() ?? NaN;
  const seconds = Math.floor(time / 1000) * 1000;
  return isSecondOver(time) ? seconds : seconds + 1;
}

/** Whether the second of this time is over, so that its HTTP-date names one state of a resource only. */
export function isSecondOver(time: number, now = Date.now()): boolean {
  return Math.floor(time / 1000) < Math.floor(now / 1000);
}
