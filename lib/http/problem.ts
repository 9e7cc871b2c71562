import { STATUS_CODES } from 'node:http';
import { inspectValue } from '../config/inspect';
import { pickOptions } from '../config/prototype-pollution';

/** Node still has the old phrases for RFC 9110 15.5.14 and 15.5.21. */
const phrases: Readonly<Record<number, string>> = {
  ...STATUS_CODES,
  413: 'Content Too Large',
  422: 'Unprocessable Content',
};

/** A problem document (RFC 9457), of the type `about:blank`. */
export interface ProblemDocument {
  /** The HTTP status of the answer. */
  readonly status: number;
  /** The reason phrase of the status, such as `Precondition Failed`. */
  readonly title: string;
  /** The reason and the remedy, for people. It never contains a stored value. */
  readonly detail: string;
  /**
   * The kind of problem, for programs. It stays the same when `detail` is reworded; docs/errors.md lists all
   * codes.
   */
  readonly code: string;
  /** Further members: `operation`, `pointer`, `errors` or `current`. */
  readonly [extension: string]: unknown;
}

// `status`, `statusCode` and `headers` have the names that the error handlers of Express and of apps expect.
/**
 * An HTTP error that is answered as `application/problem+json` (RFC 9457) or, with the option
 * `errors: 'next'`, passed to your app's error handler. You can also throw one in a store, a validator or a
 * query, or send one with `sendProblem`.
 */
export class ProblemError extends Error {
  override readonly name: string = 'ProblemError';
  /** The HTTP status of the answer. */
  readonly status: number;
  /** The status again, for error handlers that read `statusCode`. */
  readonly statusCode: number;
  /**
   * The kind of problem, for programs. It stays the same when the message is reworded; docs/errors.md lists
   * all codes.
   */
  readonly code: string;
  /** The headers of the answer, such as `Allow`, `Accept-Patch` and `ETag`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The content of the answer. */
  readonly problem: ProblemDocument;

  /**
   * @param status - the HTTP status, from 200 to 599, such as 409, which also determines the `title`
   * @param code - the kind of problem, for programs: one of docs/errors.md, or your own
   * @param detail - the reason and the remedy, for people; clients receive it
   * @param more - `headers` of the answer, `extensions` (further members of the problem document), and the
   *   `cause` of the error
   * @throws TypeError for another status
   */
  constructor(
    status: number,
    code: string,
    detail: string,
    more: { headers?: Record<string, string>; extensions?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    const options = pickOptions(more, ['headers', 'extensions', 'cause']);
    super(detail, options);
    assertStatus(status);
    this.status = status;
    this.statusCode = status;
    this.code = code;
    this.headers = options.headers ?? {};
    this.problem = { status, title: phrases[status] ?? 'Error', detail, code, ...options.extensions };
  }
}

/**
 * @throws TypeError for anything but the status of an answer; a 1xx comes before the answer (RFC 9110 15.2)
 */
export function assertStatus(status: unknown): void {
  if (Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599) return;
  throw new TypeError(
    `The status of a ProblemError is ${inspectValue(status)}, which is not a whole number from 200 to 599. ` +
      'Pass the status of the answer, such as 422.',
  );
}
