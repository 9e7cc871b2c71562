import { isObject } from '../config/object';
import { ProblemError } from '../http/problem';
import { formatPointer, valueAt } from '../json/pointer';
import { invalidResult, type InvalidMember } from '../stores/contract/invalid-result';
import type { Document } from './model';

/** The paths that a client has set, as Mongoose writes them. */
interface Change {
  touches(path: string): boolean;
}

/** A fault of one path, as `ValidationError.errors` has it: of a validator, or of a cast. */
interface PathError {
  readonly message?: string;
  /** Such as `required`, or the type of a cast. */
  readonly kind?: string;
}

export function hasName(error: unknown, ...names: readonly string[]): boolean {
  return isObject(error) && names.includes(String(Reflect.get(error, 'name')));
}

/**
 * The faults that `validate()` finds in a document, by path.
 *
 * @throws what a hook or validator of the app throws
 */
export async function findInvalidPaths(doc: Document): Promise<ReadonlyMap<string, PathError>> {
  try {
    await doc.validate();
    return new Map();
  } catch (error) {
    if (!hasName(error, 'ValidationError')) throw error;
    const { errors = {} } = error as { errors?: Readonly<Record<string, PathError>> };
    // That of a subdocument stands beside those of its paths.
    const faults = Object.entries(errors).filter(([, fault]) => !hasName(fault, 'ValidationError'));
    return new Map(faults);
  }
}

/**
 * The refusal of an invalid document.
 *
 * @param next - what the client would see: the texts about other paths can contain hidden values
 */
export function invalidDocument(
  faults: readonly (readonly [path: string, error: PathError])[],
  next: unknown,
  change: Change,
): ProblemError {
  const seen = faults.flatMap(([path, { message = '', kind }]): readonly InvalidMember[] => {
    const tokens = path.split('.');
    const isSeen = valueAt(next, tokens) !== undefined || change.touches(path) || kind === 'required';
    return isSeen ? [{ pointer: formatPointer(tokens), detail: message }] : [];
  });
  const unseen =
    seen.length < faults.length ? [{ detail: 'a member that is not shown would be invalid' }] : [];
  return invalidResult([...seen, ...unseen]);
}

/**
 * The refusal of a duplicate (11000) among the paths that the client has changed; every other error, and one
 * of the app's own writes in hooks, stays as it is.
 */
export function toDuplicateRefusal(error: unknown, doc: Document, change: Change): unknown {
  const duplicate = readDuplicate(error);
  const { keyPattern = {}, keyValue = {} } = duplicate ?? {};
  const paths = Object.keys(keyPattern);
  const isOurs = paths.every((path) => String(doc.get(path)) === String(keyValue[path]));
  const path = paths.find((name) => change.touches(name));
  if (path === undefined || !isOurs) return error;
  const detail = 'Another resource already has this value, which must be unique. Choose a different value.';
  const pointer = formatPointer(path.split('.'));
  return new ProblemError(409, 'unique-violation', detail, { cause: error, extensions: { pointer } });
}

interface Duplicate {
  readonly keyPattern?: Readonly<Record<string, unknown>>;
  readonly keyValue?: Readonly<Record<string, unknown>>;
}

/** With a text of its own at the index, Mongoose wraps the error of the server. */
export function readDuplicate(error: unknown): Duplicate | undefined {
  if (!isObject(error)) return undefined;
  if (hasName(error, 'MongoServerError') && Reflect.get(error, 'code') === 11000) return error;
  return readDuplicate(Reflect.get(error, 'cause'));
}
