import { isObject } from '../configuration';
import { formatPointer } from '../parsers/json/pointer';
import { hasMember, memberOf } from '../prototype-pollution';
import type { InvalidMember } from '../stores/contract/invalid-result';

// Its authors ask libraries to copy the type rather than depend on a package.
/** Standard Schema v1 (standardschema.dev), the shape of what zod, valibot and arktype make. */
export interface StandardSchema<T> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<T> | Promise<SchemaResult<T>>;
  };
}

export type SchemaResult<T> =
  { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };

export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export function isStandardSchema(value: unknown): value is StandardSchema<unknown> {
  if (!isObject(value) && typeof value !== 'function') return false;
  return hasMember(value, '~standard') && typeof value['~standard'] === 'object';
}

/** What a schema finds wrong with a value; undefined: nothing. */
export function invalidMembersIn<T>(result: SchemaResult<T>): readonly InvalidMember[] | undefined {
  return memberOf(result, 'issues')?.map((issue) => {
    const path = memberOf(issue, 'path') ?? [];
    const names = path.map((segment) => String(typeof segment === 'object' ? segment.key : segment));
    return { detail: issue.message, pointer: formatPointer(names) };
  });
}
