import { hasNames } from '../config/object';

/** Members of a JSON object, by name. */
export type Members = Readonly<Record<string, unknown>>;

/** The members of an object; none for any other value. */
export function readMembers(value: unknown): Members {
  return hasNames(value) ? (value as Members) : {};
}

/** The value with these members replaced. */
export function replaceMembers(before: unknown, changes: unknown): unknown {
  return hasNames(before) && hasNames(changes) ? { ...before, ...changes } : changes;
}
