import { childrenOf, isContainer } from '../../parsers/json/value';

/** Freezes a JSON value through and through, and gives it back. What is frozen already is not looked into. */
export function frozen<T>(value: T): T {
  if (isContainer(value) && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const child of childrenOf(value)) frozen(child);
  }
  return value;
}
