import { hasNames } from '../config/object';

/** Members of a JSON object, by name. */
export type Members = Readonly<Record<string, unknown>>;

/** The members of an object; none of any other value. */
export function readMembers(value: unknown): Members {
  return hasNames(value) ? (value as Members) : {};
}

/** The value with the given members replaced. */
export function replaceMembers(before: unknown, changes: unknown): unknown {
  return hasNames(before) && hasNames(changes) ? { ...before, ...changes } : changes;
}
