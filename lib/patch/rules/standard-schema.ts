import { isObject, isThenable } from '../../config/object';
import { hasMember, readMember } from '../../config/prototype-pollution';
import { ignoreRejection } from '../../config/unawaited';
import { formatPointer } from '../../json/pointer';
import type { InvalidMember, InvalidMembers } from '../../stores/contract/invalid-result';

// The authors of Standard Schema ask libraries to copy the type rather than depend on a package.
/**
 * A schema that implements Standard Schema v1 (standardschema.dev), such as a schema of zod, valibot or
 * arktype.
 */
export interface StandardSchema<T> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<T> | Promise<SchemaResult<T>>;
  };
}

export type SchemaResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export function isStandardSchema(value: unknown): value is StandardSchema<unknown> {
  if (!isObject(value) && typeof value !== 'function') return false;
  return hasMember(value, '~standard') && typeof value['~standard'] === 'object';
}

/**
 * The output of a schema for a valid value.
 *
 * @throws TypeError for a promise, which would be stored as `{}`; only the whole result of a schema can be a
 *   promise
 */
export function readOutput<T>(result: SchemaResult<T>): T {
  const { value } = result as { readonly value: T };
  if (!isThenable(ignoreRejection(value))) return value;
  throw new TypeError(
    'The schema of the option validate returned a promise as its value. ' +
      'Return a promise of the result instead.',
  );
}

/**
 * The issues that a schema found, with JSON Pointers; undefined if the value is valid. They are created while
 * they are iterated: there can be thousands, of which an answer shows twenty.
 */
export function readIssues(result: SchemaResult<unknown>): InvalidMembers | undefined {
  // Some schemas have null where Standard Schema has undefined.
  const issues = readMember(result, 'issues') ?? undefined;
  return (
    issues && {
      length: issues.length,
      *[Symbol.iterator]() {
        for (const issue of issues) yield toInvalidMember(issue);
      },
    }
  );
}

function toInvalidMember(issue: SchemaIssue): InvalidMember {
  const path = readMember(issue, 'path') ?? [];
  const names = path.map((segment) => String(isObject(segment) ? segment.key : segment));
  return { detail: issue.message, pointer: formatPointer(names) };
}
