import { isObject, OptionsCheck, type Fault } from '../../configuration';
import { nameFault } from '../policy/field-names';
import { checkRoot } from '../../routes/request-target';

/** A request that a page might make. */
export interface CorsQuestion {
  readonly origin: string;
  readonly method: string;
  /**
   * The header names of Access-Control-Request-Headers, which lists none that are CORS-safelisted; or all that the page
   * sets, by name, with the values that an origin predicate reads.
   */
  readonly headers?: string | readonly string[] | Readonly<Record<string, string>>;
  /** As the server receives it, with every mount path. */
  readonly path: string;
  /** `credentials: 'include'`. Default false. */
  readonly credentials?: boolean;
  /** Whether the page listens to the upload or sends a stream, which browsers always ask for. Default false. */
  readonly upload?: boolean;
  /** Default: the option `root`, or the app that requests come through. */
  readonly root?: unknown;
}

const members: readonly (keyof CorsQuestion)[] = [
  'origin',
  'method',
  'headers',
  'path',
  'credentials',
  'upload',
  'root',
];

/** A question without mistakes. */
export interface CheckedQuestion extends Omit<CorsQuestion, 'headers'> {
  /** Names, and values where they were given. */
  readonly headers: readonly (readonly [string, string?])[];
}

/** @throws ConfigurationError with every mistake in the question */
export function checkQuestion(given: CorsQuestion): CheckedQuestion {
  const check = new OptionsCheck('explain()');
  const question = check.names(given, members);
  const { origin, method, path, headers, credentials = false, upload = false, root } = question;
  checkText(check, 'origin', origin, () => undefined, "Write the origin of the page, 'https://app.example'.");
  checkText(check, 'method', method, methodFault, "Write the method of the request, 'PATCH'.");
  checkText(check, 'path', path, pathFault, "Write the path of the request, '/notes/1'.");
  check.flags(question, ['credentials', 'upload']);
  checkRoot(check, { root });
  const fields = fieldsOf(headers);
  if (fields === undefined) {
    check.mistake('headers', headers, {
      code: 'option-type',
      reason: 'is not a list of header names, nor a record of names and values',
      fix: "Write ['if-match'], or { 'x-tenant': '7' }.",
    });
  }
  check.done();
  return { origin, method, path, headers: fields ?? [], credentials, upload, root };
}

function checkText(
  check: OptionsCheck,
  option: keyof CorsQuestion,
  value: unknown,
  faultOf: (text: string) => Fault | undefined,
  fix: string,
): void {
  const fault = typeof value === 'string' ? faultOf(value) : undefined;
  if (typeof value !== 'string') {
    check.mistake(option, value, { code: 'option-type', reason: 'must be a string', fix });
  } else if (fault !== undefined) {
    check.mistake(option, value, fault);
  }
}

/** RFC 9110 9.1: a method is a token, as the name of a field is. */
function methodFault(method: string): Fault | undefined {
  if (nameFault(method) === undefined) return undefined;
  return { code: 'method-unknown', reason: 'is not a method', fix: "Write one like 'PATCH'." };
}

function pathFault(path: string): Fault | undefined {
  if (path.startsWith('/')) return undefined;
  const fix = 'Write it as the server receives it, with the mount paths and without the host.';
  return { code: 'option-value', reason: 'must begin with a slash', fix };
}

function fieldsOf(headers: unknown): CheckedQuestion['headers'] | undefined {
  if (headers === undefined || headers === null) return [];
  if (typeof headers === 'string') return namesIn([headers]);
  if (Array.isArray(headers)) return headers.every(isString) ? namesIn(headers) : undefined;
  if (!isObject(headers)) return undefined;
  const fields = Object.entries(headers);
  return fields.every((field): field is [string, string] => isString(field[1])) ? fields : undefined;
}

/** Without a bound: who asks is the app, not a stranger. */
function namesIn(lines: readonly string[]): readonly [string][] {
  const names = lines.flatMap((line) => line.split(',')).map((name) => name.trim());
  return names.filter((name) => name !== '').map((name) => [name]);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
