import { isArray, isJsonObject, ownMember, type JsonObject } from '../../json/value';
import type { Answer } from './answer';
import { ClientError, mayBeCarriedOut } from '../errors';
import { problemIn, textIn } from './problem';

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
  /** The ETag of the response: for a 412, that of the current state. */
  readonly etag: string | undefined;
  /** The problem document; empty if the response has none. */
  readonly problem: Readonly<Record<string, unknown>>;
  /**
   * Whether the server may have carried out the write nevertheless: at this attempt, or at an earlier one.
   */
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

/** Fetch, redirect status; and 0, which is all that a browser shows of one. */
const redirects = [0, 301, 302, 303, 307, 308];

/**
 * How to make the resource accept the patches of the client, if Accept-Patch (RFC 5789 2.2) shows that it
 * does not.
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
