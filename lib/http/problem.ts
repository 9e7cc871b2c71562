import { STATUS_CODES } from 'node:http';
import { optionsOf } from '../prototype-pollution';

/** The phrases of RFC 9110 15.5.14 and 15.5.21, of which Node keeps the older ones. */
const phrases: Readonly<Record<number, string>> = {
  ...STATUS_CODES,
  413: 'Content Too Large',
  422: 'Unprocessable Content',
};

/** A problem document (RFC 9457), of the type `about:blank`. */
export interface ProblemDocument {
  readonly status: number;
  readonly title: string;
  /** For people: what was sent, and what to do. Never a stored value. */
  readonly detail: string;
  /** Stable, for programs: the README lists all. */
  readonly code: string;
  /** `operation`, `pointer` or `errors`. */
  readonly [extension: string]: unknown;
}

// `status` and `headers` are where Express's own error handler looks for them.
/** A refusal: answered as `application/problem+json`, or under `errors: 'next'` handed to the host's error handler. */
export class ProblemError extends Error {
  override readonly name: string = 'ProblemError';
  readonly status: number;
  readonly code: string;
  /** Of the answer: `Allow`, `Accept-Patch`, `ETag` and so on. */
  readonly headers: Readonly<Record<string, string>>;
  readonly problem: ProblemDocument;

  constructor(
    status: number,
    code: string,
    detail: string,
    more: { headers?: Record<string, string>; extensions?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    const own = optionsOf(more, ['headers', 'extensions', 'cause']);
    super(detail, own);
    this.status = status;
    this.code = code;
    this.headers = own.headers ?? {};
    this.problem = { status, title: phrases[status] ?? 'Error', detail, code, ...own.extensions };
  }
}
