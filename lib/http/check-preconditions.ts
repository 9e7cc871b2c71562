import type { IncomingMessage } from 'node:http';
import { toPassableError } from './passable-error';
import { tellOnce } from '../config/process-warning';
import { readMember, pickOptions } from '../config/prototype-pollution';
import { appendedCoding, checkedTag, entityTag, type EntityTagList } from './entity-tag';
import {
  firstFalsePrecondition,
  readPreconditions,
  type PreconditionField,
  type Preconditions,
  type RequestFields,
  type Validators,
} from './preconditions';
import { ProblemError } from './problem';

/** Options of `checkPreconditions`. */
export interface PreconditionOptions<S, Req = IncomingMessage> {
  /**
   * Returns the entity tag (RFC 9110 8.8.3) that your app's GET sends to this client. A tag made from the value
   * alone stays the same if a patch changes nothing. Default: `entityTag`.
   */
  readonly entityTag?: (stored: S, req: Req) => string;
  /**
   * `'required'`: a write without If-Match or `If-None-Match: *` is answered 428 (RFC 6585 3). Default
   * `'optional'`.
   */
  readonly precondition?: 'optional' | 'required';
}

/** The version of a stored representation, from which its entity tag is made, and its date. */
export interface Versioned {
  /** Differs for every state of the resource. Left out: pass the option `entityTag`. */
  readonly version?: string;
  /**
   * When the resource was last modified, for If-Unmodified-Since and If-Modified-Since. Left out: they are
   * ignored. Until its second is over, the resource counts as modified since, because another write can have the
   * same date.
   */
  readonly modified?: Date;
}

/**
 * Checks the preconditions of a request (RFC 9110 13.2), in your own handlers of PUT, DELETE, GET or QUERY.
 *
 * Call it where you would otherwise answer with success (RFC 9110 13.2.1): answer GET and DELETE of an absent
 * resource with 404 before.
 *
 * @param stored - the current representation; undefined if PUT would create the resource
 * @returns undefined if the preconditions hold; otherwise the answer: 412 with the current ETag, 428, 400 if
 *   they are malformed, or 304 for GET, HEAD and QUERY
 * @throws what the option `entityTag` throws, and TypeError if it returns no entity tag
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
  // RFC 10008 2.6: those of QUERY are judged as those of GET.
  const safe = req.method === 'GET' || req.method === 'HEAD' || req.method === 'QUERY';
  let current: Validators | undefined;
  try {
    current = stored && { tag: checkedTag(createTag(stored, req)), modified: readMember(stored, 'modified') };
  } catch (error) {
    throw toPassableError(error);
  }
  try {
    return falsePrecondition(req, () => current, settings, safe);
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
}

/**
 * The answer if a precondition does not hold, or is required and missing; undefined if the request can go on.
 *
 * @param readCurrent - called after the preconditions were read; returns undefined if the target has no
 *   current representation
 * @throws ProblemError 400 if the preconditions are malformed
 */
export function falsePrecondition(
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

/** The advice where the answer does not show the current state. */
export const getAgain = 'GET it again, reapply the change, and send that.';

function whyFalse(
  field: PreconditionField,
  { ifUnmodifiedSince = NaN }: Preconditions,
  current: Validators | undefined,
): string {
  if (current === undefined) return 'the resource does not exist. To create it, send If-None-Match: *.';
  if (field === 'If-None-Match')
    return 'the resource exists and matches. To change it, send If-Match with its ETag instead.';
  // The date is not earlier than the modification, so it fails only until its second is over.
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
      `that they compress. Send it without that. In Apache, set ${directive(coding)} NoChange.`
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

const warnOfWeakTag = tellOnce(
  'PATCH_OPTIONS_WEAK_TAG',
  (tag: string) =>
    `A client sent If-Match: ${tag}, a weak tag such as Express generates for every body. ` +
    'Writes are refused with it, so the client can retry forever. ' +
    'Answer GET with the get of resource(), or set its ETag to entityTag(stored). ' +
    'If a proxy made a strong tag weak, let it pass those answers on uncompressed.',
);

const warnOfCoding = tellOnce(
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
