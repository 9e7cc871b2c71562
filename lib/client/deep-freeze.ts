import { childValues, isContainer } from '../json/value';

/** Freezes a JSON value recursively, and returns it. Parts that are frozen already are skipped. */
export function deepFreeze<T>(value: T): T {
  if (isContainer(value) && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const child of childValues(value)) deepFreeze(child);
  }
  return value;
}
