import type { IncomingMessage } from 'node:http';
import { errorToHandOn, notAwaited, tellOnce } from '../app-callbacks';
import { memberOf, optionsOf } from '../prototype-pollution';
import { entityTag, type EntityTagList } from './entity-tag';
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
export interface PreconditionOptions<S> {
  /**
   * The entity tag (RFC 9110 8.8.3) that the host's GET sends; one made of the value alone repeats where a patch
   * changes nothing. Default: `entityTag`.
   */
  readonly entityTag?: (stored: S) => string;
  /**
   * `'required'`: without If-Match, or `If-None-Match: *`, a write is answered 428 (RFC 6585 3). Default `'optional'`.
   */
  readonly precondition?: 'optional' | 'required';
  /**
   * Compares If-Match weakly, against RFC 9110 13.1.1, behind a proxy that turns `"x"` into `W/"x"`: harmless only
   * where one tag never stands for two states. Default false.
   */
  readonly weakMatch?: boolean;
}

/** What is compared of a stored representation. */
export interface Versioned {
  readonly version: string;
  readonly modified?: Date;
}

/**
 * For handlers of PUT, DELETE or GET: do the request's preconditions hold (RFC 9110 13.2)?
 *
 * Ask it where you would answer with success otherwise (RFC 9110 13.2.1): GET and DELETE of what is not there are 404 before.
 *
 * @param stored - undefined where PUT would create the target
 * @returns undefined: they do. Else what to answer: 412 with the current ETag, 428, 400 where they cannot be read, 304
 * for GET and HEAD.
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
  const own = optionsOf(options, ['entityTag', 'precondition', 'weakMatch']);
  const { entityTag: tagOf = entityTag } = own;
  const safe = req.method === 'GET' || req.method === 'HEAD';
  let current: Validators | undefined;
  try {
    current = stored && { tag: notAwaited(tagOf(stored)), modified: memberOf(stored, 'modified') };
  } catch (error) {
    throw errorToHandOn(error);
  }
  try {
    return falsePrecondition(req, () => current, own, safe);
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
}

type Strictness = {
  readonly [Name in 'precondition' | 'weakMatch']?: PreconditionOptions<never>[Name] | undefined;
};

/**
 * The answer to a precondition that does not hold, or is required and missing; undefined where the request may go on.
 *
 * @param currentOf - asked once the preconditions are read; undefined: the target has no current representation
 * @throws ProblemError 400 where they cannot be read
 */
export function falsePrecondition(
  fields: RequestFields,
  currentOf: () => Validators | undefined,
  { precondition, weakMatch }: Strictness,
  safe = false,
): ProblemError | undefined {
  const preconditions = readPreconditions(fields, safe);
  const current = currentOf();
  if (!safe && precondition === 'required' && !isConditional(preconditions)) {
    const which = current === undefined ? absent : 'If-Match with the ETag of the resource. GET it first.';
    const detail = `A write here needs a precondition: ${which}`;
    const headers = { 'Cache-Control': 'no-store' }; // RFC 6585 3
    return new ProblemError(428, 'precondition-required', detail, { headers });
  }
  const field = firstFalsePrecondition(preconditions, current, weakMatch);
  if (field === undefined) return undefined;
  const more = current && { headers: { ETag: current.tag } };
  if (safe && (field === 'If-None-Match' || field === 'If-Modified-Since')) {
    return new ProblemError(304, 'not-modified', 'The representation has not changed.', more);
  }
  const sent = field === 'If-Match' ? preconditions.ifMatch : undefined;
  const onlyWeak = weakMatch !== true && isAllWeak(sent);
  const likeExpress = onlyWeak ? sent.find((tag) => etagOfBody.test(tag)) : undefined;
  if (likeExpress !== undefined) warnOfWeakTag(likeExpress);
  const isWeak = firstFalsePrecondition(preconditions, current, true) !== field;
  const isEmpty = field === 'If-Match' && preconditions.ifMatch?.length === 0;
  const reason = current !== undefined && isEmpty ? emptyList : reasonFor(field, current, isWeak, onlyWeak);
  const detail = `${field} does not hold: ${reason}`;
  return new ProblemError(412, 'precondition-failed', detail, more);
}

const emptyList = 'it lists no entity tag. GET the resource, and send its ETag as it was received.';
const absent = 'the resource does not exist. To create it, send If-None-Match: *.';

function reasonFor(
  field: PreconditionField,
  current: Validators | undefined,
  isWeak: boolean,
  onlyWeak: boolean,
): string {
  if (current === undefined) return absent;
  if (field === 'If-None-Match')
    return 'the resource exists, in a state that it excludes. To change it, send If-Match with its ETag instead.';
  if (isWeak)
    return 'the tag is weak, and a write needs the strong one. Send the ETag as this answer has it.';
  if (onlyWeak)
    return 'the tag is weak, which no write takes. GET the resource, make the change on what it is now, and send that with the strong ETag, as this answer has it.';
  return 'the resource has changed since. GET it, make the change on what it is now, and send that.';
}

function isAllWeak(tags: EntityTagList | undefined): tags is readonly string[] {
  return tags !== undefined && tags !== '*' && tags.length > 0 && tags.every((tag) => tag.startsWith('W/'));
}

/** As the package etag writes the length and the hash of a body for Express: no client makes one up. */
const etagOfBody = /^W\/"[\da-f]+-[\w+/]{27}"$/;

const warnOfWeakTag = tellOnce(
  'PATCH_OPTIONS_WEAK_TAG',
  (tag: string) =>
    `A client has sent If-Match: ${tag}, a weak tag as Express gives every body: no write takes it, and the client may try ` +
    'for ever. Answer GET by the get of resource(), or set its ETag to entityTag(stored). Where a proxy has made the ' +
    'strong tag weak, give { weakMatch: true }.',
);

/** If-Unmodified-Since does not count: within its one second a second write would pass unseen (RFC 9110 8.8.2.2). */
function isConditional({ ifMatch, ifNoneMatch }: Preconditions): boolean {
  return ifMatch !== undefined || ifNoneMatch === '*';
}
