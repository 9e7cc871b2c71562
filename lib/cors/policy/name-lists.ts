import { METHODS } from 'node:http';
import type { Fault, OptionsCheck } from '../../configuration';
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
    'Accept-Query',
    'Allow',
    'Content-Location',
    'Location',
    'Preference-Applied',
    'Retry-After',
  ],
};

const leaveToRoutes = 'Leave it out: the methods are computed from the routes.';

export function checkFields(
  check: OptionsCheck,
  options: CorsOptions,
  option: keyof typeof defaults,
  fieldFault: (name: string) => Fault | undefined,
): readonly string[] {
  const faultOf = (name: string): Fault | undefined => {
    if (name !== '*') return fieldFault(name);
    if (options.credentials !== true) return undefined;
    // Browsers take the star for a header field of that name then (Fetch, CORS-preflight fetch step 7.7).
    return {
      code: 'cors-header-any',
      reason: 'covers no header field where credentials is true',
      fix: 'Name the header fields.',
    };
  };
  const { [option]: names = defaults[option] } = options;
  return checkNames(check, option, names, faultOf) ?? [];
}

/** The methods that a host narrows the computed ones to. */
export function checkMethods(check: OptionsCheck, { methods }: CorsOptions): readonly string[] | undefined {
  if (methods === undefined) return undefined;
  const names = checkNames(check, 'methods', methods, methodFault);
  if (names?.length === 0) {
    const reason = 'leaves no method';
    check.mistake('methods', methods, { code: 'option-empty', reason, fix: leaveToRoutes });
  }
  return names;
}

/** The methods of paths whose routes cannot be seen. */
export function checkUnseen(
  check: OptionsCheck,
  { unseen }: CorsOptions,
  narrowed: readonly string[] | undefined,
): readonly string[] | undefined {
  if (unseen === undefined) return undefined;
  const names = checkNames(check, 'unseen', unseen, (name) => {
    if (name === '*') return { code: 'method-unknown', reason: 'is not a method', fix: 'Name the methods.' };
    const fault = methodFault(name);
    if (fault !== undefined || narrowed?.includes(name) !== false) return fault;
    return {
      code: 'option-conflict',
      reason: 'is left out by the option methods',
      fix: 'Leave it out here too, or add it there.',
    };
  });
  if (names?.length === 0) {
    const fix = "Write methods like ['GET', 'POST'], or leave it out.";
    check.mistake('unseen', unseen, { code: 'option-empty', reason: 'leaves no method', fix });
  }
  return names;
}

function methodFault(name: string): Fault | undefined {
  const upper = name.toUpperCase();
  if (name === '*') return { code: 'method-unknown', reason: 'is no method', fix: leaveToRoutes };
  if (isForbiddenMethod(name)) {
    const reason = 'is a method that browsers let no script send';
    return { code: 'cors-method-forbidden', reason, fix: 'Leave it out.' };
  }
  if (METHODS.includes(name)) return undefined;
  return METHODS.includes(upper)
    ? {
        code: 'method-case',
        reason: 'is not in upper case, and methods are compared so',
        fix: `Write '${upper}'.`,
      }
    : {
        code: 'method-unknown',
        reason: 'is no method that Node parses',
        fix: "Write methods like 'GET' and 'PATCH'.",
      };
}

/** What an origin predicate reads beside Origin. */
export function checkVary(
  check: OptionsCheck,
  { vary = [] }: CorsOptions,
  hasPredicate: boolean,
): readonly string[] {
  const names = checkNames(check, 'vary', vary, nameFault) ?? [];
  if (!hasPredicate && names.length > 0) {
    check.mistake('vary', vary, {
      code: 'option-dependency',
      reason: 'names what an origin predicate reads, and there is none',
      fix: 'Leave it out.',
    });
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
    check.mistake(option, value, { code: 'option-type', reason: 'is no list of names', fix });
    return undefined;
  }
  const named = new Map<string, string>();
  for (const [index, given] of (list as unknown[]).entries()) {
    const place = typeof value === 'string' ? option : `${option}[${index}]`;
    if (typeof given !== 'string') {
      check.mistake(place, given, { code: 'option-type', reason: 'is no string', fix: 'Write a name.' });
      named.set(place, place);
      continue;
    }
    const name = given.trim();
    if (named.has(name.toLowerCase())) continue;
    named.set(name.toLowerCase(), name);
    const found = faultOf(name);
    if (found !== undefined) check.mistake(place, name, found);
  }
  return [...named.values()];
}
