import { isArray, isJsonObject, memberOf, type JsonObject } from '../../parsers/json/value';
import type { Answer } from './answer';
import { ClientError } from '../errors';

/** The server has answered, and refused. What it says is read from its problem document (RFC 9457), where it sends one. */
export class ResponseError extends ClientError {
  override readonly name = 'ResponseError';
  /** Of the answer; 0 for a redirect, of which browsers tell a page no more. */
  readonly status: number;
  /**
   * That of the problem document, `'read-only'` for instance. Where it has none, `'http-redirect'` for a change that was
   * answered by a redirect, which is not followed, and else `'http-error'`.
   */
  readonly code: string;
  /** The JSON Pointer that the problem is about. */
  readonly pointer: string | undefined;
  /** The index of the operation of a JSON Patch that the problem is about. */
  readonly operation: number | undefined;
  /** What is wrong, by JSON Pointer; under `''` what is wrong with the whole. Without a prototype. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** The entity tag that the answer has: with 412 that of the present state. */
  readonly etag: string | undefined;
  /** The whole problem document; empty where there is none. */
  readonly problem: Readonly<Record<string, unknown>>;
  /** Whether an earlier sending of the same change, whose answer was lost, may have been carried out. */
  readonly uncertain: boolean;

  constructor(method: string, url: string, answer: Answer) {
    const problem = problemIn(answer);
    const isRedirect = answer.status === 0 || (answer.status >= 300 && answer.status < 400);
    const what = isRedirect ? 'a redirect, which no change follows' : String(answer.status);
    super(textIn(problem, 'detail') ?? `${method} ${url} was answered by ${what}.`);
    this.status = answer.status;
    this.code = textIn(problem, 'code') ?? (isRedirect ? 'http-redirect' : 'http-error');
    this.pointer = textIn(problem, 'pointer');
    const operation = memberOf(problem, 'operation');
    this.operation = typeof operation === 'number' ? operation : undefined;
    this.errors = errorsIn(problem);
    this.etag = answer.field('ETag') ?? undefined;
    this.problem = problem;
    this.uncertain = answer.uncertain;
  }
}

function problemIn({ text }: Answer): JsonObject {
  try {
    const problem: unknown = JSON.parse(text ?? '');
    return isJsonObject(problem) ? problem : {};
  } catch {
    return {};
  }
}

function textIn(object: JsonObject, name: string): string | undefined {
  const text = memberOf(object, name);
  return typeof text === 'string' ? text : undefined;
}

function errorsIn(problem: JsonObject): Readonly<Record<string, readonly string[]>> {
  const listed = memberOf(problem, 'errors');
  const errors = Object.create(null) as Record<string, string[]>;
  // A problem that has a pointer and no list is one of its own.
  for (const error of isArray(listed) ? listed : 'pointer' in problem ? [problem] : []) {
    const detail = isJsonObject(error) ? textIn(error, 'detail') : undefined;
    if (!isJsonObject(error) || detail === undefined) continue;
    (errors[textIn(error, 'pointer') ?? ''] ??= []).push(detail);
  }
  return errors;
}
