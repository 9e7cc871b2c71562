import { isArray, isJsonObject, type JsonContainer } from '../json/value';

/**
 * Thrown before a statement is sent, for a value that the ORM would store or read differently after all
 * checks.
 */
export class UnstorableValueError extends TypeError {
  /**
   * @param path - from the value of the column to what cannot be stored
   * @param detail - what is wrong with it, as a phrase after its pointer
   */
  constructor(
    readonly column: string,
    readonly path: readonly string[],
    readonly detail: string,
  ) {
    super(`${column} ${detail}`);
  }
}

/**
 * Whether an ORM takes a member of a JSON value for one of its own, instead of storing it.
 *
 * @param isBelowConstructor - whether an object above it has a member `constructor`, and so looks like an
 *   instance of a class
 */
export type IsReserved = (name: string, value: unknown, isBelowConstructor: boolean) => boolean;

/** @throws UnstorableValueError for the first member that is reserved */
export function assertNoReserved(column: string, value: unknown, isReserved: IsReserved): void {
  const path = isJson(value) ? reservedPath(value, isReserved, false) : undefined;
  if (path === undefined) return;
  throw new UnstorableValueError(column, path, 'has a name that cannot be stored here. Choose another name');
}

function reservedPath(
  container: JsonContainer,
  isReserved: IsReserved,
  isBelowConstructor: boolean,
): string[] | undefined {
  const isBelow = isBelowConstructor || Object.hasOwn(container, 'constructor');
  for (const [name, value] of Object.entries(container)) {
    if (isReserved(name, value, isBelowConstructor)) return [name];
    const path = isJson(value) ? reservedPath(value, isReserved, isBelow) : undefined;
    if (path !== undefined) return [name, ...path];
  }
  return undefined;
}

/** Whether it is made of JSON: not a Date, bytes or an object of the ORM, which codecs write. */
function isJson(value: unknown): value is JsonContainer {
  if (isArray(value)) return true;
  const prototype: unknown = isJsonObject(value) ? Object.getPrototypeOf(value) : undefined;
  return prototype === Object.prototype || prototype === null;
}
