import { METHODS } from 'node:http';
import { anything } from '../config/expectation';
import type { Issue } from '../config/mistake';
import { hasNames } from '../config/object';
import type { OptionsCheck } from '../config/options-check';
import { isForbiddenMethod } from '../http/fetch-methods';
import type { CorsOptions, OnlyThese } from './options';

const defaults = {
  allowedHeaders: [
    'Content-Type',
    'If-Match',
    'If-None-Match',
    'If-Unmodified-Since',
    'Prefer',
    'Idempotency-Key',
    'Authorization',
  ],
  exposedHeaders: [
    'ETag',
    'Accept-Patch',
    'Allow',
    'Content-Location',
    'Location',
    'Preference-Applied',
    'Retry-After',
  ],
};

const leaveToRoutes = 'Leave it out: the methods are computed from the routes.';

/** The headers of an option: the names that the app writes, and the defaults. */
export interface HeaderList {
  readonly all: readonly string[];
  readonly written: readonly string[];
  /** Whether the names replace the defaults. */
  readonly isOnly: boolean;
}

/** A list adds to the defaults, because a page that cannot send those cannot PATCH at all. */
export function checkFields(
  check: OptionsCheck,
  options: CorsOptions,
  option: keyof typeof defaults,
  fieldIssue: (name: string) => Issue | undefined,
): HeaderList {
  const findIssue = (name: string): Issue | undefined => {
    if (option === 'allowedHeaders' && isRequestedOption(name)) {
      return {
        code: 'option-value',
        isName: true,
        reason: 'is not a header, but a value of the option itself',
        fix: "Write allowedHeaders: 'requested'.",
      };
    }
    if (name !== '*') return fieldIssue(name);
    if (options.credentials !== true) return undefined;
    // With credentials, browsers treat the star as the name of a header (Fetch, CORS-preflight fetch step
    // 7.7).
    return {
      code: 'cors-header-any',
      reason: 'is not a wildcard with credentials: true',
      fix: 'List the headers.',
    };
  };
  const { [option]: value } = options;
  if (value === undefined) return { all: defaults[option], written: [], isOnly: false };
  if (typeof value !== 'string' && isOnlyThese(value)) {
    const { only } = check.options<OnlyThese>(value, { only: anything }, `${option}.`);
    const written = checkNames(check, `${option}.only`, only, findIssue) ?? [];
    return { all: written, written, isOnly: true };
  }
  const written = checkNames(check, option, value, findIssue) ?? [];
  if (Array.isArray(value) && written.length === 0) {
    check.mistake(option, value, {
      code: 'option-empty',
      reason: 'adds no header to the default ones',
      fix: 'Leave it out, or write { only: [] } to allow none at all.',
    });
  }
  // The star includes the defaults.
  const all = written.includes('*') ? written : addToDefaults(defaults[option], written);
  return { all, written, isOnly: false };
}

/** Whether the name of a header is the value `'requested'` of `allowedHeaders`. */
function isRequestedOption(name: string): boolean {
  return /^requested$/i.test(name);
}

function isOnlyThese(value: OnlyThese | readonly string[]): value is OnlyThese {
  return hasNames(value);
}

function addToDefaults(names: readonly string[], added: readonly string[]): readonly string[] {
  const known = names.map((name) => name.toLowerCase());
  return [...names, ...added.filter((name) => !known.includes(name.toLowerCase()))];
}

/** The methods to which the option `methods` restricts the computed ones. */
export function checkMethods(check: OptionsCheck, { methods }: CorsOptions): readonly string[] | undefined {
  if (methods === undefined) return undefined;
  const names = checkNames(check, 'methods', methods, findMethodIssue);
  if (names?.length === 0) {
    const reason = 'allows no method';
    check.mistake('methods', methods, { code: 'option-empty', reason, fix: leaveToRoutes });
  }
  return names;
}

/** The methods for paths without a visible route. */
export function checkFallbackMethods(
  check: OptionsCheck,
  { fallbackMethods }: CorsOptions,
  narrowed: readonly string[] | undefined,
): readonly string[] | undefined {
  if (fallbackMethods === undefined) return undefined;
  const names = checkNames(check, 'fallbackMethods', fallbackMethods, (name) => {
    if (name === '*') return { code: 'method-unknown', reason: 'is not a method', fix: 'List the methods.' };
    const issue = findMethodIssue(name);
    if (issue !== undefined || narrowed?.includes(name) !== false) return issue;
    return {
      code: 'option-conflict',
      isName: true,
      reason: 'is not in the option methods',
      fix: 'Remove it here, or add it to methods.',
    };
  });
  if (names?.length === 0) {
    const fix = "Write methods such as ['GET', 'POST'], or leave the option out.";
    check.mistake('fallbackMethods', fallbackMethods, {
      code: 'option-empty',
      reason: 'allows no method',
      fix,
    });
  }
  return names;
}

function findMethodIssue(name: string): Issue | undefined {
  const upper = name.toUpperCase();
  if (name === '*') return { code: 'method-unknown', reason: 'is not a method', fix: leaveToRoutes };
  if (isForbiddenMethod(name)) {
    const reason = 'is a method that browsers do not let scripts send';
    return { code: 'cors-method-forbidden', reason, fix: 'Leave it out.' };
  }
  if (METHODS.includes(name)) return undefined;
  return METHODS.includes(upper)
    ? {
        code: 'method-case',
        reason: 'must be in upper case',
        fix: `Write '${upper}'.`,
      }
    : {
        code: 'method-unknown',
        reason: 'is not an HTTP method that Node parses',
        fix: "Write a method such as 'GET' or 'PATCH'.",
      };
}

/** The names in an array or a comma-separated string, without duplicates; case does not matter. */
function checkNames(
  check: OptionsCheck,
  option: string,
  value: unknown,
  findIssue: (name: string) => Issue | undefined,
): readonly string[] | undefined {
  const list: unknown =
    typeof value === 'string' ? value.split(',').filter((name) => name.trim() !== '') : value;
  if (!Array.isArray(list)) {
    const fix = 'Write an array of strings, or a comma-separated string.';
    check.mistake(option, value, { code: 'option-type', reason: 'must be a list of names', fix });
    return undefined;
  }
  const byLowerCase = new Map<string, string>();
  for (const [index, entry] of (list as unknown[]).entries()) {
    const path = typeof value === 'string' ? option : `${option}[${index}]`;
    if (typeof entry !== 'string') {
      const fix = 'Write the name as a string.';
      check.mistake(path, entry, { code: 'option-type', reason: 'must be a string', fix });
      byLowerCase.set(path, path);
      continue;
    }
    const name = entry.trim();
    if (byLowerCase.has(name.toLowerCase())) continue;
    byLowerCase.set(name.toLowerCase(), name);
    const issue = findIssue(name);
    if (issue !== undefined) check.mistake(path, name, issue);
  }
  return [...byLowerCase.values()];
}

/** Fetch, forbidden request-header: browsers set these themselves, whatever the server allows. */
const forbiddenInRequests = new Set([
  'accept-charset',
  'accept-encoding',
  'access-control-request-headers',
  'access-control-request-method',
  'connection',
  'content-length',
  'cookie',
  'cookie2',
  'date',
  'dnt',
  'expect',
  'host',
  'keep-alive',
  'origin',
  'referer',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
]);

/** Fetch, forbidden request-header, by name alone: browsers do not let scripts send it. */
export function isForbiddenInRequests(name: string): boolean {
  const lower = name.toLowerCase();
  return forbiddenInRequests.has(lower) || /^(?:proxy|sec)-/.test(lower);
}

/** RFC 9110 5.6.2: a header field name is a token. */
export function findNameIssue(name: string): Issue | undefined {
  const isToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name);
  return isToken ? undefined : leaveOut('header-name-invalid', 'is not a valid header name');
}

/** Why a page can never send this header; undefined if it can. */
export function findRequestHeaderIssue(name: string): Issue | undefined {
  return isForbiddenInRequests(name)
    ? leaveOut('cors-header-forbidden', 'is a header that browsers do not let scripts send')
    : findNameIssue(name);
}

/** Why a page can never read this header (Fetch, forbidden response-header name); undefined if it can. */
export function findResponseHeaderIssue(name: string): Issue | undefined {
  return /^set-cookie2?$/i.test(name)
    ? leaveOut('cors-header-forbidden', 'is a header that browsers do not let scripts read')
    : findNameIssue(name);
}

function leaveOut(code: Issue['code'], reason: string): Issue {
  return { code, reason, fix: 'Leave it out.' };
}
