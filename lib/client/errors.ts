import { isArray, isJsonObject, ownMember, type JsonObject } from '../json/value';
import { problemIn, textIn, type Answer } from './answer';

/** The base class of all errors of the client. */
export abstract class ClientError extends Error {
  /** The kind of error. It stays the same when messages are reworded. */
  abstract readonly code: string;
}

/** A mistake in the options of `resourceClient`, or in the arguments of one of its methods. */
export class ArgumentError extends ClientError {
  override readonly name = 'ArgumentError';
  /**
   * The kind of mistake:
   *
   * - `'option-unknown'`, `'option-type'`, `'option-value'`: a mistake in the options; of several, the first
   *   in the message
   * - `'url-invalid'`: not a URL, or not under the base
   * - `'precondition-unknown'`: the resource was not read before, and no entity tag was given
   * - `'recipe-invalid'`: a recipe is not a function, is asynchronous, or changed its draft and also returned
   *   another value
   * - `'value-not-json'`: a value cannot be written as JSON, or not without losing data
   */
  readonly code: ArgumentErrorCode;
  /** With `'value-not-json'`, the JSON Pointer of the part that is not JSON. */
  readonly pointer: string | undefined;

  constructor(code: ArgumentErrorCode, message: string, pointer?: string) {
    super(message);
    this.code = code;
    this.pointer = pointer;
  }
}

/** The `code` of an `ArgumentError`. */
export type ArgumentErrorCode =
  | 'option-unknown'
  | 'option-type'
  | 'option-value'
  | 'url-invalid'
  | 'precondition-unknown'
  | 'recipe-invalid'
  | 'value-not-json';

/**
 * The server answered with an error. The properties are read from its problem document (RFC 9457), if it sent
 * one.
 */
export class ResponseError extends ClientError {
  override readonly name = 'ResponseError';
  /** The status of the response; 0 for a redirect in a browser, which hides its status from the page. */
  readonly status: number;
  /**
   * The code of the problem document, such as `'read-only'`. Without one, `'http-redirect'` for a write that
   * was answered with a redirect, which is not followed, and `'http-error'` for anything else.
   */
  readonly code: string;
  /** The JSON Pointer to the member with the problem; undefined if the problem document has none. */
  readonly pointer: string | undefined;
  /** The index of the JSON Patch operation with the problem; undefined if the problem document has none. */
  readonly operation: number | undefined;
  /** Messages by JSON Pointer; the key `''` is the resource as a whole. The object has no prototype. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** The ETag of the response. In a 412, it is the tag of the current state. */
  readonly etag: string | undefined;
  /** The problem document; empty if the response has none. */
  readonly problem: Readonly<Record<string, unknown>>;
  /** Whether the server may still have carried out the write, at this attempt or at an earlier one. */
  readonly uncertain: boolean;

  /** @param reason - the message, if the answer's own would mislead the caller */
  constructor(method: string, url: string, answer: Answer, reason?: string) {
    const problem = problemIn(answer);
    const isRedirect = redirects.includes(answer.status);
    const what = isRedirect ? 'a redirect, which is not followed for writes' : String(answer.status);
    const sentence = reason ?? textIn(problem, 'detail') ?? `${method} ${url} was answered with ${what}.`;
    super([sentence, ...hintOn(method, answer), ...mayBeCarriedOut(answer.uncertain)].join(' '));
    this.status = answer.status;
    this.code = textIn(problem, 'code') ?? (isRedirect ? 'http-redirect' : 'http-error');
    this.pointer = textIn(problem, 'pointer');
    const operation = ownMember(problem, 'operation');
    this.operation = typeof operation === 'number' ? operation : undefined;
    this.errors = errorsIn(problem);
    this.etag = answer.field('ETag') ?? undefined;
    this.problem = problem;
    this.uncertain = answer.uncertain;
  }
}

/** Fetch, redirect status; and 0, which browsers show instead. */
const redirects = [0, 301, 302, 303, 307, 308];

/**
 * How to make the resource accept the client's patches, if Accept-Patch (RFC 5789 2.2) shows that it does
 * not.
 */
function hintOn(method: string, { status, field }: Answer): readonly string[] {
  const accepted = method === 'PATCH' && status === 415 ? (field('Accept-Patch') ?? '') : '';
  if (accepted === '' || /(?:^|,)\s*application\/json-patch\+json\s*(?:[;,]|$)/i.test(accepted)) return [];
  return [
    `The server accepts only ${accepted}, but the client sends JSON Patch. ` +
      'Add jsonPatch() to the parsers of the resource.',
  ];
}

function errorsIn(problem: JsonObject): Readonly<Record<string, readonly string[]>> {
  const listed = ownMember(problem, 'errors');
  const errors = Object.create(null) as Record<string, string[]>;
  // A problem document with a pointer and without a list is itself the only error.
  for (const error of isArray(listed) ? listed : 'pointer' in problem ? [problem] : []) {
    const detail = isJsonObject(error) ? textIn(error, 'detail') : undefined;
    if (!isJsonObject(error) || detail === undefined) continue;
    (errors[textIn(error, 'pointer') ?? ''] ??= []).push(detail);
  }
  return errors;
}

/**
 * No response arrived within the option `timeout`, even after retries, or the option `headers` failed before
 * a retry of a write that may have been carried out. The `cause` is the last failure. A write that has waited
 * longer than `timeout` for earlier writes to the same URL is not sent if one of them fails like this: its
 * `cause` is the error of that write.
 */
export class ConnectionError extends ClientError {
  override readonly name = 'ConnectionError';
  readonly code = 'connection-failed';
  /** Whether the server may still have carried out the request. */
  readonly uncertain: boolean;

  constructor(method: string, url: string, uncertain: boolean, cause: unknown) {
    const sentences = [
      `No response to ${method} ${url} arrived in time.`,
      ...mayBeCarriedOut(uncertain),
      'In a browser, check the console for CORS errors.',
    ];
    super(sentences.join(' '), { cause });
    this.uncertain = uncertain;
  }
}

/** The last sentence of an error message if nobody knows whether the write was made. */
export function mayBeCarriedOut(uncertain: boolean): readonly string[] {
  return uncertain ? ['The server may have carried it out nevertheless.'] : [];
}

/** The entity tag of a response is missing or malformed, or does not satisfy If-Match. */
export class EntityTagError extends ClientError {
  override readonly name = 'EntityTagError';

  constructor(
    /** The kind of error: the tag is missing, is malformed, or does not satisfy If-Match. */
    readonly code: 'entity-tag-missing' | 'entity-tag-malformed' | 'entity-tag-mismatch',
    message: string,
  ) {
    super(message);
  }
}

/**
 * A successful response whose content is not JSON, such as a login page or an answer of a proxy, or is nested
 * too deeply.
 */
export class ContentError extends ClientError {
  override readonly name = 'ContentError';

  constructor(
    /** The kind of error: the content is not JSON, or it is nested deeper than 1,000 levels. */
    readonly code: 'content-not-json' | 'content-too-deep',
    message: string,
    /** Whether the request was a write: the server may have carried it out. */
    readonly uncertain: boolean,
  ) {
    super(message);
  }
}

/** The three states of a resource in an `UncertainError`. */
export interface ThreeStates<T = unknown> {
  /** The value from which the change started. */
  readonly base: T;
  /** The value that was sent. */
  readonly mine: T;
  /** The current value of the resource. */
  readonly theirs: T;
}

/** A conflict of `save`: the form and someone else have changed the same members, in different ways. */
export interface Conflict<T = unknown> {
  /** The value that the form started with. */
  readonly base: T;
  /** The value of the form. */
  readonly mine: T;
  /** The current value of the resource. */
  readonly theirs: T;
  /**
   * JSON Pointers into `base` of the members and elements that both sides have changed, each once. For an
   * element that `base` does not have, or for two different orders of a list, it is the pointer of the list.
   */
  readonly paths: readonly string[];
  /** All changes of both sides, merged, with the values of `mine` at `paths`. */
  readonly withMine: T;
  /** All changes of both sides, merged, with the values of `theirs` at `paths`. */
  readonly withTheirs: T;
}

/**
 * `save` found that someone else changed the same members, and no `onConflict` resolved the conflict. Nothing
 * was written.
 */
export class ConflictError<T = unknown> extends ClientError implements Conflict<T> {
  override readonly name = 'ConflictError';
  readonly code = 'conflict';
  /** The value that the form started with. */
  readonly base: T;
  /** The value of the form. */
  readonly mine: T;
  /** The current value of the resource. */
  readonly theirs: T;
  /**
   * JSON Pointers into `base` of the members and elements that both sides have changed, each once. For an
   * element that `base` does not have, or for two different orders of a list, it is the pointer of the list.
   */
  readonly paths: readonly string[];
  /** All changes of both sides, merged, with the values of `mine` at `paths`. */
  readonly withMine: T;
  /** All changes of both sides, merged, with the values of `theirs` at `paths`. */
  readonly withTheirs: T;

  constructor({ base, mine, theirs, paths, withMine, withTheirs }: Conflict<T>) {
    const shown = paths.slice(0, 5).map((path) => JSON.stringify(path));
    const more = paths.length > 5 ? ', …' : '';
    super(
      `Someone else has changed the same members: ${shown.join(', ')}${more}. ` +
        'Let onConflict or the user decide.',
    );
    this.base = base;
    this.mine = mine;
    this.theirs = theirs;
    this.paths = paths;
    this.withMine = withMine;
    this.withTheirs = withTheirs;
  }
}

/**
 * No response said whether the change was made, and the resource has changed. The client cannot tell whether
 * this request changed it or another one; with the option `idempotency`, the server can.
 */
export class UncertainError extends ClientError {
  override readonly name = 'UncertainError';
  readonly code = 'uncertain';
  /** Always true: the change may have been made. */
  readonly uncertain = true;
  /** The value from which the change started; undefined if it was never read. */
  readonly base: unknown;
  /** The value that was sent; undefined for `remove`. */
  readonly mine: unknown;
  /** The current value of the resource; undefined if it is gone, or could not be read. */
  readonly theirs: unknown;

  constructor({ base, mine, theirs }: ThreeStates, cause?: unknown) {
    super(
      'No response said whether the change was made, and the resource has changed since then, ' +
        'by this request or by another. ' +
        'Compare mine and theirs.',
      cause === undefined ? {} : { cause },
    );
    this.base = base;
    this.mine = mine;
    this.theirs = theirs;
  }
}
