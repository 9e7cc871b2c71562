import { isObject, isThenable } from '../../config/object';
import { readMember } from '../../config/prototype-pollution';
import { inspectResult } from '../../config/inspect';
import { ignoreRejection } from '../../config/unawaited';
import type { FoundState, ResourceStore, Stored } from './resource-store';

// Stores can be written in JavaScript, where no compiler checks what they return. Many drivers report
// "nothing found" as null; if null counted as a state, a write that was not made would be acknowledged.

/**
 * Checks the result of `get` of a store. The value is not read, because stores can parse it on first use.
 *
 * @throws TypeError if it is neither a state nor undefined
 */
export function checkState<T>(
  store: Pick<ResourceStore<T>, 'versions'>,
  result: Stored<T> | undefined,
  method: 'get' | 'replace' | 'delete' = 'get',
): Stored<T> | undefined {
  const hasVersions = readMember(store, 'versions') !== false;
  const fault = result === undefined ? undefined : findStateFault(result, hasVersions);
  if (fault === undefined) return result;
  const nothing = method === 'get' ? 'the key is absent' : 'nothing was written';
  throw new TypeError(
    `The method ${method} of the store returned ${fault}. ` +
      (hasVersions ? 'Return { value, version, modified? }, with a string as version and ' : withoutVersion) +
      `a Date as modified, or undefined if ${nothing}.`,
  );
}

const withoutVersion =
  'Return { value, modified? }, with no version, because versions of the store is false, and with ';

/**
 * Whether the store still knows the value that it wrote. It does not if another write came before the value
 * was read back, or if the write has hidden the resource.
 */
export function hasValue(state: Stored<unknown>): boolean {
  try {
    return state.value !== undefined;
  } catch {
    return false;
  }
}

/**
 * The result of a write: the state after it; or else the state that the store found instead, if it returned
 * one.
 */
export type WriteResult<T> =
  | { readonly after: Stored<T>; readonly found?: undefined }
  | { readonly after?: undefined; readonly found?: FoundState<T> | undefined };

/**
 * Checks the result of `replace` of a store.
 *
 * @throws TypeError if it is neither a state, nor `{ current }`, nor undefined
 */
export function checkReplacement<T>(
  store: Pick<ResourceStore<T>, 'versions'>,
  result: Stored<T> | FoundState<T> | undefined,
): WriteResult<T> {
  if (isFoundState(result)) return { found: { current: checkState(store, result.current, 'replace') } };
  const after = checkState(store, result, 'replace');
  return after === undefined ? {} : { after };
}

/**
 * Checks the result of `complete`, `fit` or `accept` of a store.
 *
 * @throws TypeError for a promise, which would be stored as `{}`
 */
export function checkValue<T>(method: 'complete' | 'fit' | 'accept', result: T): T {
  if (!isThenable(ignoreRejection(result))) return result;
  const value = {
    fit: 'the value that replace would store',
    complete: 'the value with its missing members',
    accept: 'the value without changes that the store cannot write',
  }[method];
  throw new TypeError(
    `The method ${method} of the store returned a promise. Return ${value}, not a promise of it.`,
  );
}

/**
 * Checks the result of `delete` of a store.
 *
 * @returns whether it has deleted the resource; or the state that it has found instead
 * @throws TypeError if it is neither a boolean nor `{ current }`
 */
export function checkDeletion<T>(
  store: Pick<ResourceStore<T>, 'versions'>,
  result: boolean | FoundState<T>,
): boolean | FoundState<T> {
  if (typeof result === 'boolean') return result;
  if (isFoundState(result)) return { current: checkState(store, result.current, 'delete') };
  throw new TypeError(
    `The method delete of the store returned ${inspectResult(result)}. ` +
      'Return true if it deleted the resource, or else false.',
  );
}

function isFoundState<T>(result: Stored<T> | FoundState<T> | boolean | undefined): result is FoundState<T> {
  return isObject(result) && Object.hasOwn(result, 'current') && !('value' in result);
}

function findStateFault(result: unknown, hasVersions: boolean): string | undefined {
  if (!isObject(result)) return inspectResult(result);
  const state = result as Partial<Record<keyof Stored<unknown>, unknown>>;
  const [version, modified] = [readMember(state, 'version'), readMember(state, 'modified')];
  // A value that is computed on first use is not read.
  const value: unknown = Object.getOwnPropertyDescriptor(result, 'value')?.value;
  if (isThenable(ignoreRejection(value))) return 'a state whose value is a promise';
  if (typeof version !== (hasVersions ? 'string' : 'undefined'))
    return `a state whose version is ${inspectResult(version)}`;
  if (modified === undefined || modified === null || hasTime(modified)) return undefined;
  return `a state whose modified is ${inspectResult(modified)}`;
}

/** Not `instanceof`: a Date can come from another realm. */
function hasTime(value: unknown): boolean {
  return isObject(value) && typeof readMember(value as Partial<Date>, 'getTime') === 'function';
}
