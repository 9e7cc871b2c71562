import { hasNames } from '../configuration';

/** Members by name. */
export type Members = Readonly<Record<string, unknown>>;

/** None where it is not an object. */
export function membersOf(value: unknown): Members {
  return hasNames(value) ? (value as Members) : {};
}

/** What a patch makes of a value: members that are not given stay as they are. */
export function merged(before: unknown, given: unknown): unknown {
  return hasNames(before) && hasNames(given) ? { ...before, ...given } : given;
}
