import type { IncomingHttpHeaders } from 'node:http';
import { memberOf } from '../configuration';
import { entityTag, parseEntityTags, strongMatch, weakMatch, type EntityTagList } from './entity-tag';
import { parseHttpDate } from './http-date';
import { ProblemError } from './problem';

/** The preconditions of one request, RFC 9110 13.1. Times are in milliseconds since the epoch. */
export interface Preconditions {
  readonly ifMatch?: EntityTagList | undefined;
  readonly ifNoneMatch?: EntityTagList | undefined;
  readonly ifUnmodifiedSince?: number | undefined;
  readonly ifModifiedSince?: number | undefined;
}

export type PreconditionField = 'If-Match' | 'If-None-Match' | 'If-Unmodified-Since' | 'If-Modified-Since';

/** What a target resource presents to be compared: its strong entity tag and, where it has one, its date. */
export interface Validators {
  readonly tag: string;
  readonly modified?: Date | undefined;
}

/** The validators of a stored representation. Its tag, which is a hash, is made when a precondition asks for it. */
export class StoredValidators implements Validators {
  #tag: string | undefined;

  constructor(private readonly stored: { readonly version: string; readonly modified?: Date }) {}

  get modified(): Date | undefined {
    return memberOf(this.stored, 'modified');
  }

  get tag(): string {
    return (this.#tag ??= entityTag(this.stored));
  }
}

/**
 * Reads a request's preconditions. A date that is none is ignored, as RFC 9110 13.1.3 and 13.1.4 demand.
 *
 * @param safe - the method is: then an If-None-Match that is no list costs nothing but the saving, and is ignored. On every
 * other method If-Modified-Since is (RFC 9110 13.1.3)
 * @throws ProblemError 400 `precondition-malformed` where If-Match or If-None-Match is neither `*` nor quoted tags. To
 * ignore it would write without the protection that the client asked for; to answer 412 would send it round for ever.
 */
export function readPreconditions(headers: IncomingHttpHeaders, safe = false): Preconditions {
  const ifNoneMatch = headers['if-none-match'];
  return {
    ifMatch: readTags('If-Match', headers['if-match']),
    ifNoneMatch: safe ? parseEntityTags(ifNoneMatch ?? '') : readTags('If-None-Match', ifNoneMatch),
    ifUnmodifiedSince: parseHttpDate(headers['if-unmodified-since']),
    ifModifiedSince: safe ? parseHttpDate(headers['if-modified-since']) : undefined,
  };
}

/**
 * The first precondition that does not hold, in the order of RFC 9110 13.2.2; undefined: the request may go on.
 *
 * @param current - undefined: the target has no current representation
 * @param weak - compare If-Match by the weak function, which deviates from RFC 9110 13.1.1
 */
export function firstFalsePrecondition(
  { ifMatch, ifNoneMatch, ifUnmodifiedSince, ifModifiedSince }: Preconditions,
  current: Validators | undefined,
  weak = false,
): PreconditionField | undefined {
  if (ifMatch !== undefined) {
    if (!listMatches(ifMatch, current, weak ? weakMatch : strongMatch)) return 'If-Match';
  } else if (ifUnmodifiedSince !== undefined && secondsOf(current) > ifUnmodifiedSince) {
    return 'If-Unmodified-Since';
  }
  if (ifNoneMatch !== undefined) {
    if (listMatches(ifNoneMatch, current, weakMatch)) return 'If-None-Match';
  } else if (ifModifiedSince !== undefined && secondsOf(current) <= ifModifiedSince) {
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
    `${name} is neither * nor a list of entity tags. Send the ETag as it was received, quotes included.`,
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

/** HTTP dates count whole seconds. No date: NaN, with which no comparison is true, so that the field is ignored. */
function secondsOf(current: Validators | undefined): number {
  return Math.floor((current?.modified?.getTime() ?? NaN) / 1000) * 1000;
}
