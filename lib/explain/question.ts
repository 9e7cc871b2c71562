import { flag, required, typed, type Expectation } from '../config/expectation';
import type { Fault } from '../config/mistake';
import { isObject } from '../config/object';
import type { OptionsCheck, UnknownNameFixes } from '../config/options-check';
import type { Expectations } from '../config/read-options';
import { nameFault } from '../cors/policy/field-names';

/** A request that a page makes, for `explainCors`. */
export interface CorsQuestion {
  /** The origin of the page, such as `https://app.example`. */
  readonly origin: string;
  /** The method of the request, such as `PATCH`. */
  readonly method: string;
  /**
   * The headers that the page sets: as a list, the names in Access-Control-Request-Headers, which has no
   * CORS-safelisted ones; or as an object, all names and values, which an origin function can read. Default:
   * none.
   */
  readonly headers?: string | readonly string[] | Readonly<Record<string, string>>;
  /** The path of the request as the server receives it, with every mount path. */
  readonly path: string;
  /** Whether the page uses `fetch(…, { credentials: 'include' })`. Default false. */
  readonly credentials?: boolean;
  /**
   * Whether the page listens to upload events or sends a stream, which always needs a preflight. Default
   * false.
   */
  readonly upload?: boolean;
}

const fixesOfNames: UnknownNameFixes = new Map([
  ['root', 'Pass the app as the first argument: explainCors(app, { … }).'],
]);

/** A valid question. */
export interface CheckedQuestion extends Omit<CorsQuestion, 'headers'> {
  /** Names, with values if they were given. */
  readonly headers: readonly (readonly [string, string?])[];
}

const expectations: Expectations<keyof CorsQuestion> = {
  origin: textWith(() => undefined, "Write the origin of the page, such as 'https://app.example'."),
  method: textWith(methodFault, "Write the method of the request, such as 'PATCH'."),
  path: textWith(pathFault, "Write the path of the request, such as '/notes/1'."),
  credentials: flag,
  upload: flag,
  headers: typed(
    (headers) => readHeaders(headers) !== undefined,
    "Write ['if-match'], or { 'x-tenant': '7' }.",
    'must be a list of header names, or an object of names and values',
  ),
};

/** Reports every mistake in the question to `check`. */
export function checkQuestion(question: CorsQuestion, check: OptionsCheck): CheckedQuestion {
  const {
    origin,
    method,
    path,
    headers,
    credentials = false,
    upload = false,
  } = check.options(question, expectations, '', fixesOfNames);
  return { origin, method, path, headers: readHeaders(headers) ?? [], credentials, upload };
}

function textWith(findFault: (text: string) => Fault | undefined, fix: string): Expectation {
  const notText = { code: 'option-type', reason: 'must be a string', fix } as const;
  return required({ findFault: (value) => (typeof value === 'string' ? findFault(value) : notText) });
}

/** RFC 9110 9.1: a method is a token, as a header name is. */
function methodFault(method: string): Fault | undefined {
  if (nameFault(method) === undefined) return undefined;
  return { code: 'method-unknown', reason: 'is not an HTTP method', fix: "Write a method such as 'PATCH'." };
}

function pathFault(path: string): Fault | undefined {
  if (path.startsWith('/')) return undefined;
  const fix = 'Write the path as the server receives it, with mount paths and without the host name.';
  return { code: 'option-value', reason: 'must begin with a slash', fix };
}

function readHeaders(headers: unknown): CheckedQuestion['headers'] | undefined {
  if (headers === undefined || headers === null) return [];
  if (typeof headers === 'string') return namesIn([headers]);
  if (Array.isArray(headers)) return headers.every(isString) ? namesIn(headers) : undefined;
  if (!isObject(headers)) return undefined;
  const fields = Object.entries(headers);
  return fields.every((field): field is [string, string] => isString(field[1])) ? fields : undefined;
}

/** Without limits: the names come from the app, not from a client. */
function namesIn(lines: readonly string[]): readonly [string][] {
  const names = lines.flatMap((line) => line.split(',')).map((name) => name.trim());
  return names.filter((name) => name !== '').map((name) => [name]);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
