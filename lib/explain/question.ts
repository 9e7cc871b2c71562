import { validateHeaderValue } from 'node:http';
import { flag, required, typed, valued, wholeNumber, type Expectation } from '../config/expectation';
import type { Issue } from '../config/mistake';
import { hasMember } from '../config/prototype-pollution';
import { isObject } from '../config/object';
import { OptionsCheck, type UnknownNameFixes } from '../config/options-check';
import type { Expectations } from '../config/read-options';
import { hideSecrets } from '../cors/messages';
import { findNameIssue } from '../cors/names';
import { readOriginText } from '../cors/origin-text';
import { normalizeMethod } from '../http/fetch-methods';

/** A request that a page makes, for `explainCors`. */
export interface CorsQuestion {
  /** The origin of the page, such as `https://app.example`. */
  readonly origin: string;
  /** The method of the request, such as `PATCH`. */
  readonly method: string;
  /**
   * The headers that the page sets: a list of the names in Access-Control-Request-Headers, without
   * CORS-safelisted ones; or an object of all names and values, which are then sent. `Cookie` and `Host`,
   * which scripts cannot set, are sent as a browser would send them: `Cookie` with the request, if
   * `credentials` is true, and `Host` to an app in this process. Default: none.
   */
  readonly headers?: string | readonly string[] | Readonly<Record<string, string>>;
  /** The path of the request as the server receives it, with every mount path and the query. */
  readonly path: string;
  /** Whether the page uses `fetch(…, { credentials: 'include' })`. Default false. */
  readonly credentials?: boolean;
  /**
   * Whether the page listens to upload events or sends a stream, which always needs a preflight. Default
   * false.
   */
  readonly upload?: boolean;
  /**
   * Also sends requests with other methods than GET and HEAD, such as in a test. Default false: only their
   * preflight is sent.
   */
  readonly send?: boolean;
  /** The body of the request, with `send`. Default: none. */
  readonly body?: string;
  /** The time limit for all answers together, in milliseconds. Default 10,000. */
  readonly timeout?: number;
}

/** A header that the page sets; without a value, a name that the preflight lists. */
export type PageHeader = readonly [name: string, value?: string];

export interface CheckedQuestion extends Required<Omit<CorsQuestion, 'headers' | 'body'>> {
  readonly headers: readonly PageHeader[];
  readonly body: string | undefined;
}

const fixesOfNames: UnknownNameFixes = new Map([
  ['root', 'Pass the app as the first argument: explainCors(app, { … }).'],
  ['url', 'Pass the origin of the server as the first argument, and the rest of the URL as path.'],
]);

const expectations: Expectations<keyof CorsQuestion> = {
  origin: requiredText(findOriginIssue, "Write the origin of the page, such as 'https://app.example'."),
  method: requiredText(findMethodIssue, "Write the method of the request, such as 'PATCH'."),
  path: requiredText(findPathIssue, "Write the path of the request, such as '/notes/1'."),
  credentials: flag,
  upload: flag,
  headers: typed(
    (headers) => readHeaders(headers) !== undefined,
    "Write ['if-match'], or { 'x-tenant': '7' }.",
    'must be a list of header names, or an object of names and values',
  ),
  send: flag,
  body: typed(isString, "Write the body as text, such as '{}'.", 'must be a string'),
  timeout: wholeNumber(1, 600_000, 'Write 10_000 for ten seconds.', 'must be a whole number of milliseconds'),
};

const header: Expectation = valued(isSendable, 'Write a value without line breaks.', 'cannot be sent');

/** Collects the mistakes in the arguments of `explainCors`, whose fixes repeat parts of URLs. */
export class QuestionCheck extends OptionsCheck {
  constructor() {
    super('explainCors()');
  }

  override mistake(option: string, value: unknown, issue: Issue): void {
    super.mistake(option, value, { ...issue, fix: hideSecrets(issue.fix) });
  }
}

/** Reports every mistake in the question to `check`. */
export function checkQuestion(question: CorsQuestion, check: OptionsCheck): CheckedQuestion {
  const checked = check.options(question, expectations, '', fixesOfNames);
  const { origin, method, path, credentials = false, upload = false, send = false } = checked;
  const { body, timeout = 10_000 } = checked;
  const headers = readHeaders(checked.headers) ?? [];
  for (const [name, value] of headers) {
    const issue = findNameIssue(name);
    if (issue !== undefined) check.mistake('headers', name.replace(/[:=].*/s, '…'), issue);
    if (value !== undefined) check.value(`headers[${JSON.stringify(name)}]`, value, header);
    if (/^host$/i.test(name) && value !== undefined && !isHost(value)) {
      const fix = "Write a host name, and the port if there is one, such as 'api.example:8080'.";
      check.mistake(`headers[${JSON.stringify(name)}]`, value, {
        code: 'option-value',
        reason: 'is not a host',
        fix,
      });
    }
  }
  if (isString(method)) checkSending({ method, send, body }, check);
  return { origin, method, path, headers, credentials, upload, send, body, timeout };
}

function checkSending(
  { method, send, body }: Pick<CheckedQuestion, 'method' | 'send' | 'body'>,
  check: OptionsCheck,
): void {
  const normalized = normalizeMethod(method);
  const isRead = normalized === 'GET' || normalized === 'HEAD';
  if (body !== undefined && !send) {
    const reason = 'is not sent without the option send';
    check.mistake('body', body, {
      code: 'option-dependency',
      reason,
      fix: 'Set send: true, or leave it out.',
    });
  }
  if (body !== undefined && isRead) {
    const reason = `cannot be sent with ${normalized}`;
    check.mistake('body', body, { code: 'option-conflict', reason, fix: 'Leave it out.' });
  }
  if (send && normalized !== normalized.toUpperCase()) {
    const reason = 'cannot be sent: HTTP servers accept methods only in upper case';
    const fix = `Write '${normalized.toUpperCase()}', or leave send out.`;
    check.mistake('method', method, { code: 'method-case', reason, fix });
  }
}

function requiredText(findIssue: (text: string) => Issue | undefined, fix: string): Expectation {
  const notText = { code: 'option-type', reason: 'must be a string', fix } as const;
  return required({ findIssue: (value) => (isString(value) ? findIssue(value) : notText) });
}

/** Accepts an origin as browsers serialise it, but not a pattern, which the option `origin` also accepts. */
function findOriginIssue(text: string): Issue | undefined {
  const origin = readOriginText(text);
  if (hasMember(origin, 'fix')) return origin;
  if (typeof origin.matches === 'string') return undefined;
  const fix = "Write the origin of one page, such as 'https://app.example'.";
  return { code: 'cors-origin-wildcard', reason: 'is a pattern, which no page has as its origin', fix };
}

/** RFC 9110 9.1: a method is a token, as a header name is. */
function findMethodIssue(method: string): Issue | undefined {
  if (findNameIssue(method) === undefined) return undefined;
  return { code: 'method-unknown', reason: 'is not an HTTP method', fix: "Write a method such as 'PATCH'." };
}

/** `//host/x` is a path, too: a browser that sends it has already resolved the URL. */
function findPathIssue(path: string): Issue | undefined {
  if (!path.startsWith('/')) {
    const fix = 'Write the path as the server receives it, with mount paths and without the host name.';
    return { code: 'option-value', reason: 'must begin with a slash', fix };
  }
  if (/^[!"$-~]+$/.test(path)) return undefined;
  const fix = 'Write it as browsers send it: percent-encoded, and without a fragment.';
  return { code: 'option-value', reason: 'has characters that browsers do not send in a path', fix };
}

function readHeaders(headers: unknown): readonly PageHeader[] | undefined {
  if (headers === undefined || headers === null) return [];
  if (isString(headers)) return readNames([headers]);
  if (Array.isArray(headers)) return headers.every(isString) ? readNames(headers) : undefined;
  if (!isObject(headers)) return undefined;
  const fields = Object.entries(headers);
  return fields.every((field): field is [string, string] => isString(field[1])) ? fields : undefined;
}

/** Without limits: the names come from the app, not from a client. */
function readNames(lines: readonly string[]): readonly PageHeader[] {
  const names = lines.flatMap((line) => line.split(',')).map((name) => name.trim());
  return names.filter((name) => name !== '').map((name) => [name]);
}

function isSendable(value: unknown): boolean {
  try {
    validateHeaderValue('x', String(value));
    return true;
  } catch {
    return false;
  }
}

function isHost(value: string): boolean {
  try {
    return new URL(`http://${value}`).host === value.replace(/:80$/, '');
  } catch {
    return false;
  }
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
