import { METHODS } from 'node:http';
import { fault, type Fault, type OptionsCheck } from '../../configuration';
import type { CorsOptions } from './options';
import { isForbiddenMethod } from './fetch-methods';
import { nameFault } from './field-names';

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

const leaveOut = 'Leave it out.';
const leaveToRoutes = 'Leave it out: the methods are computed from the routes.';

export function checkFields(
  check: OptionsCheck,
  options: CorsOptions,
  option: keyof typeof defaults,
  reasonAgainst: (name: string) => string | undefined,
): readonly string[] {
  const faultOf = (name: string): Fault | undefined => {
    if (name !== '*') return faultFor(reasonAgainst(name));
    if (options.credentials !== true) return undefined;
    // Browsers take the star for a header field of that name then (Fetch, CORS-preflight fetch step 7.7).
    return fault('covers no header field where credentials is true', 'Name the header fields.');
  };
  const { [option]: names = defaults[option] } = options;
  return checkNames(check, option, names, faultOf) ?? [];
}

function faultFor(reason: string | undefined): Fault | undefined {
  return reason === undefined ? undefined : fault(reason, leaveOut);
}

/** The methods that a host narrows the computed ones to. */
export function checkMethods(check: OptionsCheck, { methods }: CorsOptions): readonly string[] | undefined {
  if (methods === undefined) return undefined;
  const names = checkNames(check, 'methods', methods, methodFault);
  if (names?.length === 0) check.mistake('methods', methods, 'leaves no method', leaveToRoutes);
  return names;
}

function methodFault(name: string): Fault | undefined {
  const upper = name.toUpperCase();
  if (name === '*') return fault('is no method', leaveToRoutes);
  if (isForbiddenMethod(name)) return faultFor('is a method that browsers let no script send');
  if (METHODS.includes(name)) return undefined;
  return METHODS.includes(upper)
    ? fault('is not in upper case, and methods are compared so', `Write '${upper}'.`)
    : fault('is no method that Node parses', "Write methods like 'GET' and 'PATCH'.");
}

/** What an origin predicate reads beside Origin. */
export function checkVary(
  check: OptionsCheck,
  { vary = [] }: CorsOptions,
  hasPredicate: boolean,
): readonly string[] {
  const names = checkNames(check, 'vary', vary, (name) => faultFor(nameFault(name))) ?? [];
  if (!hasPredicate && names.length > 0) {
    check.mistake('vary', vary, 'names what an origin predicate reads, and there is none', leaveOut);
  }
  // These are in Vary where they have a say, named or not.
  return names.filter((name) => !/^(?:Origin|Access-Control-Request-Method)$/i.test(name));
}

/** The names in an array or a comma-separated string, without repetitions, which differ in no more than case. */
function checkNames(
  check: OptionsCheck,
  option: string,
  value: unknown,
  faultOf: (name: string) => Fault | undefined,
): readonly string[] | undefined {
  const list: unknown =
    typeof value === 'string' ? value.split(',').filter((name) => name.trim() !== '') : value;
  if (!Array.isArray(list)) {
    const fix = "Write an array, ['…', '…'], or a comma-separated string.";
    check.mistake(option, value, 'is no list of names', fix);
    return undefined;
  }
  const named = new Map<string, string>();
  for (const [index, given] of (list as unknown[]).entries()) {
    const place = typeof value === 'string' ? option : `${option}[${index}]`;
    if (typeof given !== 'string') {
      check.mistake(place, given, 'is no string', 'Write a name.');
      named.set(place, place);
      continue;
    }
    const name = given.trim();
    if (named.has(name.toLowerCase())) continue;
    named.set(name.toLowerCase(), name);
    const found = faultOf(name);
    if (found !== undefined) check.mistake(place, name, found.reason, found.fix);
  }
  return [...named.values()];
}
