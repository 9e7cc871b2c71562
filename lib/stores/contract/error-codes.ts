import { isObject } from '../../config/object';

/** ORMs wrap the error of the driver, and that of the adapter. */
const wrappers = [
  'cause',
  'driverError',
  'original',
  'parent',
  'originalError',
  'meta',
  'driverAdapterError',
];
const mostWrappers = 8;

/** What engines, drivers and ORMs call an error. */
const codes = ['code', 'errno', 'errcode', 'kind', 'originalCode'];

/** The codes and names of an error, and of those that it wraps. */
export function readCodes(error: unknown): (string | number)[] {
  return errorsWithin(error).flatMap((within) => readMembers(within, [...codes, 'name']));
}

/** The codes of the error itself, without those that it wraps. */
export function readOwnCodes(error: object): (string | number)[] {
  return readMembers(error, codes);
}

function readMembers(error: object, names: readonly string[]): (string | number)[] {
  return names
    .map((name): unknown => Reflect.get(error, name))
    .filter((member) => typeof member === 'string' || typeof member === 'number');
}

/** The error, and those that it wraps. */
export function errorsWithin(error: unknown): object[] {
  const errors: object[] = [];
  let within = isObject(error) ? [error] : [];
  for (let level = 0; level < mostWrappers && within.length > 0; level++) {
    errors.push(...within);
    within = within.flatMap(wrappedErrors);
  }
  return errors;
}

/** What the error wraps itself. */
export function wrappedErrors(error: object): object[] {
  return wrappers.map((name): unknown => Reflect.get(error, name)).filter(isObject);
}
