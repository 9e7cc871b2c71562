import { METHODS } from 'node:http';
import type { OptionsCheck } from '../configuration';
import { isForbiddenMethod } from './fetch-methods';
import { isToken, requestFieldFault, responseFieldFault } from './field-names';

const defaultAllowedHeaders = [
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'If-Unmodified-Since',
  'Prefer',
  'Idempotency-Key',
  'Authorization',
];
const defaultExposedHeaders = [
  'ETag',
  'Accept-Patch',
  'Allow',
  'Content-Location',
  'Location',
  'Preference-Applied',
  'Retry-After',
];

export function checkAllowedHeaders(
  check: OptionsCheck,
  value: unknown,
  credentials: boolean,
): readonly string[] {
  return checkFields(check, 'allowedHeaders', value ?? defaultAllowedHeaders, credentials, requestFieldFault);
}

export function checkExposedHeaders(
  check: OptionsCheck,
  value: unknown,
  credentials: boolean,
): readonly string[] {
  return checkFields(
    check,
    'exposedHeaders',
    value ?? defaultExposedHeaders,
    credentials,
    responseFieldFault,
  );
}

function checkFields(
  check: OptionsCheck,
  option: string,
  value: unknown,
  credentials: boolean,
  faultOf: (name: string) => string | undefined,
): readonly string[] {
  const names = readNames(check, option, value) ?? [];
  for (const { name, place } of names) {
    // With credentials, browsers take the star for a header field of that name (Fetch, CORS-preflight fetch step 7.7).
    const starred = credentials ? 'covers no header field where credentials is true' : undefined;
    const fault = name === '*' ? starred : faultOf(name);
    if (fault !== undefined) {
      const fix = name === '*' ? 'Name the header fields.' : 'Leave it out.';
      check.mistake(place, name, fault, fix);
    }
  }
  return names.map(({ name }) => name);
}

/** The methods that a host narrows the computed ones to. */
export function checkMethods(check: OptionsCheck, value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const names = readNames(check, 'methods', value);
  if (names === undefined) return undefined;
  if (names.length === 0) {
    check.mistake(
      'methods',
      value,
      'leaves no method',
      'Leave it out: the methods are computed from the routes.',
    );
  }
  for (const { name, place } of names) {
    if (METHODS.includes(name) && !isForbiddenMethod(name)) continue;
    if (name === '*') {
      check.mistake(place, name, 'is no method', 'Leave it out: the methods are computed from the routes.');
    } else if (isForbiddenMethod(name)) {
      check.mistake(place, name, 'is a method that browsers let no script send', 'Leave it out.');
    } else if (METHODS.includes(name.toUpperCase())) {
      check.mistake(
        place,
        name,
        'is not in upper case, and methods are compared so',
        `Write '${name.toUpperCase()}'.`,
      );
    } else {
      check.mistake(place, name, 'is no method that Node reads', "Write methods like 'GET' and 'PATCH'.");
    }
  }
  return names.map(({ name }) => name);
}

/** What an origin predicate reads beside Origin. */
export function checkVary(check: OptionsCheck, value: unknown, hasPredicate: boolean): readonly string[] {
  if (value === undefined) return [];
  const names = readNames(check, 'vary', value) ?? [];
  if (!hasPredicate && names.length > 0) {
    check.mistake('vary', value, 'names what an origin predicate reads, and there is none', 'Leave it out.');
  }
  for (const { name, place } of names) {
    if (!isToken(name)) check.mistake(place, name, 'is no header field name', 'Leave it out.');
  }
  return names.map(({ name }) => name);
}

interface PlacedName {
  readonly name: string;
  /** Where it stands in the options: `methods`, or `methods[1]`. */
  readonly place: string;
}

/** The names in an array or a comma-separated string, without repetitions, which differ in no more than case. */
function readNames(check: OptionsCheck, option: string, value: unknown): readonly PlacedName[] | undefined {
  const list: unknown[] | undefined =
    typeof value === 'string' ? value.split(',').filter((name) => name.trim() !== '') : arrayOf(value);
  if (list === undefined) {
    const fix = "Write an array, ['…', '…'], or a comma-separated string.";
    check.mistake(option, value, 'is no list of names', fix);
    return undefined;
  }
  const named = new Map<string, PlacedName>();
  for (const [index, name] of list.entries()) {
    const place = typeof value === 'string' ? option : `${option}[${index}]`;
    if (typeof name !== 'string') check.mistake(place, name, 'is no string', 'Write a name.');
    else if (!named.has(name.trim().toLowerCase())) {
      named.set(name.trim().toLowerCase(), { name: name.trim(), place });
    }
  }
  return [...named.values()];
}

function arrayOf(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}
