import { isObject } from '../config/object';
import { ProblemError } from '../http/problem';
import { formatPointer, valueAt } from '../json/pointer';
import { invalidResult, type InvalidMember } from '../stores/contract/invalid-result';
import type { Document } from './model';

/** An error of a validator or a cast at one path, as `ValidationError.errors` has it. */
interface PathError {
  readonly message?: string;
  /** Such as `required`, or the type of a cast. */
  readonly kind?: string;
}

export function hasName(error: unknown, ...names: readonly string[]): boolean {
  return isObject(error) && names.includes(String(Reflect.get(error, 'name')));
}

/**
 * The errors that `validate()` finds in a document, by path.
 *
 * @throws the errors of the app's hooks and validators
 */
export async function findInvalidPaths(doc: Document): Promise<ReadonlyMap<string, PathError>> {
  try {
    await doc.validate();
    return new Map();
  } catch (error) {
    if (!hasName(error, 'ValidationError')) throw error;
    const { errors = {} } = error as { errors?: Readonly<Record<string, PathError>> };
    // A subdocument has its own error in addition to the errors of its paths.
    return new Map(Object.entries(errors).filter(([, inner]) => !hasName(inner, 'ValidationError')));
  }
}

/**
 * The refusal of an invalid document.
 *
 * @param next - the value that the client would see: texts about other paths can contain hidden values
 * @param touches - whether the client has set a path, as Mongoose writes it, or one above it
 */
export function invalidDocument(
  errors: readonly (readonly [path: string, error: PathError])[],
  next: unknown,
  touches: (path: string) => boolean,
): ProblemError {
  const seen = errors.flatMap(([path, { message = '', kind }]): readonly InvalidMember[] => {
    const tokens = path.split('.');
    const isSeen = valueAt(next, tokens) !== undefined || touches(path) || kind === 'required';
    return isSeen ? [{ pointer: formatPointer(tokens), detail: message }] : [];
  });
  const unseen =
    seen.length < errors.length ? [{ detail: 'a member that is not shown would be invalid' }] : [];
  return invalidResult([...seen, ...unseen]);
}

/**
 * The refusal of a duplicate (11000) among the paths that the client has changed. Other errors, and errors of
 * the app's own writes in hooks, are returned unchanged.
 */
export function toDuplicateRefusal(
  error: unknown,
  doc: Document,
  touches: (path: string) => boolean,
): unknown {
  const duplicate = readDuplicate(error);
  const { keyPattern = {}, keyValue = {} } = duplicate ?? {};
  const paths = Object.keys(keyPattern);
  const isOurs = paths.every((path) => String(doc.get(path)) === String(keyValue[path]));
  const path = paths.find((name) => touches(name));
  if (path === undefined || !isOurs) return error;
  const detail = 'Another resource already has this value, which must be unique. Choose a different value.';
  const pointer = formatPointer(path.split('.'));
  return new ProblemError(409, 'unique-violation', detail, { cause: error, extensions: { pointer } });
}

interface Duplicate {
  readonly keyPattern?: Readonly<Record<string, unknown>>;
  readonly keyValue?: Readonly<Record<string, unknown>>;
}

/** If the index has its own error text, Mongoose wraps the error of the server. */
export function readDuplicate(error: unknown): Duplicate | undefined {
  if (!isObject(error)) return undefined;
  if (hasName(error, 'MongoServerError') && Reflect.get(error, 'code') === 11000) return error;
  return readDuplicate(Reflect.get(error, 'cause'));
}
