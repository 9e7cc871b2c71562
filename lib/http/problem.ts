import { STATUS_CODES } from 'node:http';

/** The phrases of RFC 9110 15.5.14 and 15.5.21, of which Node keeps the older ones. */
const phrases: Readonly<Record<number, string>> = {
  ...STATUS_CODES,
  413: 'Content Too Large',
  422: 'Unprocessable Content',
};

/** A problem document, RFC 9457. `type` is left out, which means `about:blank`: the status says what kind it is. */
export interface ProblemDocument {
  readonly status: number;
  /** The status code's own phrase, RFC 9457 4.2.1. */
  readonly title: string;
  /** One sentence for the person who reads it: what was sent, and what to do. Never a stored value. */
  readonly detail: string;
  /** Stable, for programs: the README's catalogue lists every code. */
  readonly code: string;
  /** Further members, RFC 9457 3.2: `operation`, `pointer`, `errors`. */
  readonly [extension: string]: unknown;
}

/**
 * A request that the protocol refuses, as an error: answered as `application/problem+json`, or under
 * `errors: 'next'` handed to the host's error handler, which finds `status` and `headers` where Express's own
 * handler looks for them.
 */
export class ProblemError extends Error {
  override readonly name: string = 'ProblemError';
  readonly status: number;
  readonly code: string;
  /** Response header fields that belong to the answer: `Allow`, `Accept-Patch`, `ETag`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly problem: ProblemDocument;

  constructor(
    status: number,
    code: string,
    detail: string,
    more: { headers?: Record<string, string>; extensions?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(detail, more);
    this.status = status;
    this.code = code;
    this.headers = more.headers ?? {};
    this.problem = { status, title: phrases[status] ?? 'Error', detail, code, ...more.extensions };
  }
}
